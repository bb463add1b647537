"""Arrivals, rulings and appeals: the event types of penalties and how they change a state."""

from shared.core import events as ev
from shared.core.event_types.event_type import RULINGS, EventType, game_with, unchanged
from shared.core.rulebook.effects import REMOVALS
from shared.core.state.appeals import Appeal, AppealDecision
from shared.core.state.entities import Annulment, Arrival, Break, Ruling
from shared.core.state.tournament import TournamentState
from shared.core.terms import PENALTIES


def note_arrival(t: TournamentState, e: ev.Event, d: ev.ArrivalNoted) -> None:
    id = d.arrival or f"a{e.sourceseq}"
    t.arrivals[id] = Arrival(id, d.player, d.game, d.late, d.place, e.seq, e.seq, turn=d.turn)
    t.notes_at[d.game] = (*t.notes_at.get(d.game, ()), id)


def correct_arrival(t: TournamentState, e: ev.Event, d: ev.ArrivalCorrected) -> None:
    noted = t.arrivals[d.corrects].noted if d.corrects in t.arrivals else e.seq
    t.arrivals[d.arrival] = Arrival(
        d.arrival, d.player, d.game, d.late, d.place, e.seq, noted, d.corrects, d.reason, d.turn
    )
    t.notes_at[d.game] = _replaced(t.notes_at.get(d.game, ()), d.corrects, d.arrival)
    t.corrections[d.corrects] = d.arrival
    t.in_force_cache = {}


def take_break(t: TournamentState, e: ev.Event, d: ev.BreakTaken) -> None:
    id = d.id or f"b{e.sourceseq}"
    t.breaks[id] = Break(id, d.player, d.game, d.seconds, e.seq, e.seq)
    t.notes_at[d.game] = (*t.notes_at.get(d.game, ()), id)


def correct_break(t: TournamentState, e: ev.Event, d: ev.BreakCorrected) -> None:
    noted = t.breaks[d.corrects].noted if d.corrects in t.breaks else e.seq
    t.breaks[d.id] = Break(d.id, d.player, d.game, d.seconds, e.seq, noted, d.corrects, d.reason)
    t.notes_at[d.game] = _replaced(t.notes_at.get(d.game, ()), d.corrects, d.id)
    t.corrections[d.corrects] = d.id
    t.in_force_cache = {}


def _replaced(ids: tuple[str, ...], corrects: str, id: str) -> tuple[str, ...]:
    return tuple(id if one == corrects else one for one in ids)


def answer_finding(t: TournamentState, e: ev.Event, d: ev.FindingAnswered) -> None:
    if d.finding in t.findings:
        t.findings[d.finding] = t.findings[d.finding]._replace(answered=e.seq)


def make_ruling(t: TournamentState, e: ev.Event, d: ev.RulingMade) -> None:
    t.rulings[d.ruling] = Ruling(d, e.seq, e.role, e.actor, e.time)
    t.in_force_cache = {}
    if d.player is not None and d.effect.kind in REMOVALS:
        t.removals[d.player] = (*t.removals.get(d.player, ()), d.ruling)
    for note in d.notes[-1:]:
        t.consequences[note] = (*t.consequences.get(note, ()), d.ruling)
    if d.effect.kind == "set_marks" and d.game in t.games:
        g = t.games[d.game]
        t.games[d.game] = game_with(g, RULINGS, (*g.rulings, d.ruling))


def annul_ruling(t: TournamentState, e: ev.Event, d: ev.RulingAnnulled) -> None:
    t.annulments[d.ruling] = Annulment(d, e.seq, e.role, e.actor, e.time)
    t.annulled_by[d.annuls] = (*t.annulled_by.get(d.annuls, ()), d.ruling)
    t.in_force_cache = {}


def lodge_appeal(t: TournamentState, e: ev.Event, d: ev.AppealLodged) -> None:
    t.appeals[d.appeal] = Appeal(d, e.seq, e.role, e.actor, e.time)


def decide_appeal(t: TournamentState, e: ev.Event, d: ev.AppealDecided) -> None:
    if d.appeal in t.appeals:
        decision = AppealDecision(d, e.seq, e.role, e.actor, e.time)
        t.appeals[d.appeal] = t.appeals[d.appeal]._replace(decision=decision)


def note_crossing(t: TournamentState, e: ev.Event, d: ev.CrossingNoted) -> None:
    t.crossings[d.seq] = e.seq


EVENT_TYPES = (
    EventType("arbiter.arrival.noted.v2", ev.ArrivalNoted, PENALTIES, note_arrival, upcasters=(unchanged,)),
    EventType("arbiter.arrival.corrected.v1", ev.ArrivalCorrected, PENALTIES, correct_arrival),
    EventType("arbiter.break.taken.v2", ev.BreakTaken, PENALTIES, take_break, upcasters=(unchanged,)),
    EventType("arbiter.break.corrected.v1", ev.BreakCorrected, PENALTIES, correct_break),
    EventType("arbiter.finding.answered.v1", ev.FindingAnswered, PENALTIES, answer_finding),
    EventType("arbiter.ruling.made.v2", ev.RulingMade, PENALTIES, make_ruling, upcasters=(unchanged,)),
    EventType("arbiter.ruling.annulled.v2", ev.RulingAnnulled, PENALTIES, annul_ruling, upcasters=(unchanged,)),
    EventType("arbiter.appeal.lodged.v2", ev.AppealLodged, PENALTIES, lodge_appeal, upcasters=(unchanged,)),
    EventType("arbiter.appeal.decided.v1", ev.AppealDecided, PENALTIES, decide_appeal),
    EventType("arbiter.crossing.noted.v1", ev.CrossingNoted, PENALTIES, note_crossing),
)
