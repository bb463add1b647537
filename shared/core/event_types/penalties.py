"""Arrivals, rulings and appeals: penalties' event types and their folds."""

from shared.core import events as ev
from shared.core.entities import Annulment, Appeal, Arrival, Ruling
from shared.core.event_types.event_type import EventType, unchanged
from shared.core.event_types.game_fields import RULINGS, game_with
from shared.core.terms import PENALTIES
from shared.core.tournament import TournamentState


def note_arrival(t: TournamentState, e: ev.Event, d: ev.ArrivalNoted) -> None:
    id = d.arrival or f"a{e.sourceseq}"
    t.arrivals[id] = Arrival(id, d.player, d.game, d.late, d.place, e.seq)
    t.arrivals_at[d.game] = (*t.arrivals_at.get(d.game, ()), id)


def take_break(t: TournamentState, e: ev.Event, d: ev.BreakTaken) -> None:
    before = t.breaks.get((d.game, d.player), ())
    t.breaks[d.game, d.player] = (*before, (e.seq, d))


def answer_finding(t: TournamentState, e: ev.Event, d: ev.FindingAnswered) -> None:
    if d.finding in t.findings:
        t.findings[d.finding] = t.findings[d.finding]._replace(answered=e.seq)


def make_ruling(t: TournamentState, e: ev.Event, d: ev.RulingMade) -> None:
    t.rulings[d.ruling] = Ruling(d, e.seq, e.role, e.actor, e.time)
    t.standing = {}
    if d.effect.kind == "set_marks" and d.game in t.games:
        g = t.games[d.game]
        t.games[d.game] = game_with(g, RULINGS, (*g.rulings, d.ruling))


def annul_ruling(t: TournamentState, e: ev.Event, d: ev.RulingAnnulled) -> None:
    t.annulments[d.ruling] = Annulment(d, e.seq, e.role, e.actor, e.time)
    t.annulled_by[d.annuls] = (*t.annulled_by.get(d.annuls, ()), d.ruling)
    t.standing = {}


def lodge_appeal(t: TournamentState, e: ev.Event, d: ev.AppealLodged) -> None:
    t.appeals[d.appeal] = Appeal(d, e.seq)


def decide_appeal(t: TournamentState, e: ev.Event, d: ev.AppealDecided) -> None:
    if d.appeal in t.appeals:
        t.appeals[d.appeal] = t.appeals[d.appeal]._replace(decision=d)


def note_crossing(t: TournamentState, e: ev.Event, d: ev.CrossingNoted) -> None:
    t.crossings[d.seq] = e.seq


EVENT_TYPES = (
    EventType("arbiter.arrival.noted.v2", ev.ArrivalNoted, PENALTIES, note_arrival, lifts=(unchanged,)),
    EventType("arbiter.break.taken.v1", ev.BreakTaken, PENALTIES, take_break),
    EventType("arbiter.finding.answered.v1", ev.FindingAnswered, PENALTIES, answer_finding),
    EventType("arbiter.ruling.made.v2", ev.RulingMade, PENALTIES, make_ruling, lifts=(unchanged,)),
    EventType("arbiter.ruling.annulled.v2", ev.RulingAnnulled, PENALTIES, annul_ruling, lifts=(unchanged,)),
    EventType("arbiter.appeal.lodged.v2", ev.AppealLodged, PENALTIES, lodge_appeal, lifts=(unchanged,)),
    EventType("arbiter.appeal.decided.v1", ev.AppealDecided, PENALTIES, decide_appeal),
    EventType("arbiter.crossing.noted.v1", ev.CrossingNoted, PENALTIES, note_crossing),
)
