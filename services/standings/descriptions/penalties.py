"""Penalties' events, described: arrivals, breaks, rulings, annulments, appeals, crossings."""

from services.standings.descriptions.event_description import (
    Call,
    EventDescription,
    Mentions,
    game_words,
    nobody,
    of,
    of_game,
)
from services.standings.descriptions.games import of_finding
from services.standings.descriptions.words import effect
from shared.core import events as ev
from shared.core.terms import RulingId
from shared.core.tournament import TournamentState
from shared.web.page import circumstances


def arrival_noted(t: TournamentState, d: ev.ArrivalNoted, call: Call) -> str:
    return f"{game_words(t, d.game, call)}: {call(d.player)} {_arrival(d)}{f' ({d.arrival})' if d.arrival else ''}."


def arrival_corrected(t: TournamentState, d: ev.ArrivalCorrected, call: Call) -> str:
    return f"{game_words(t, d.game, call)}: {call(d.player)} {_arrival(d)} ({d.arrival}, which corrects {d.corrects})."


def _arrival(d: ev.ArrivalNoted | ev.ArrivalCorrected) -> str:
    if d.late is None:
        return "did not come"
    when = f"{d.late} s late" if d.late >= 0 else f"{-d.late} s before the start"
    turn = "" if d.turn is None else f", whose turn came after {d.turn} s"
    return f"came {when}{turn}" if d.place == "seat" else f"came only into the hall, {when}"


def break_taken(t: TournamentState, d: ev.BreakTaken, call: Call) -> str:
    id = f" ({d.id})" if d.id else ""
    return f"{game_words(t, d.game, call)}: {call(d.player)} was away for {d.seconds} s{id}."


def break_corrected(t: TournamentState, d: ev.BreakCorrected, call: Call) -> str:
    away = "was not away" if d.seconds is None else f"was away for {d.seconds} s"
    return f"{game_words(t, d.game, call)}: {call(d.player)} {away} ({d.id}, which corrects {d.corrects})."


def finding_answered(t: TournamentState, d: ev.FindingAnswered, call: Call) -> str:
    return f"Finding {d.finding} is answered."


def of_answer(t: TournamentState, d: ev.FindingAnswered) -> Mentions:
    """Those of the finding."""
    finding = t.findings.get(d.finding)
    return Mentions() if finding is None else of_finding(t, finding.event)


def ruling_made(t: TournamentState, d: ev.RulingMade, call: Call) -> str:
    grounds = (*d.because, *d.notes)
    rests = f", because of {', '.join(grounds)}" if grounds else ""
    facts = circumstances(d.ply, d.facts)
    name = d.infraction.replace("_", " ")
    whose = f"{name} of {call(d.player)}" if d.player is not None else f"{name}, nobody accused,"
    what = f"{whose} in round {d.round}" + (f" ({facts})" if facts else "")
    return f"Ruling {d.ruling}: {what}; {effect(d.effect)} (article {d.article}){rests}."


def of_ruling_made(t: TournamentState, d: ev.RulingMade) -> Mentions:
    """The player it is about, its round, and the game."""
    players = () if d.player is None else (d.player,)
    return of(*players, rounds=(d.round,)) | of_game(t, d.game)


def of_ruling(t: TournamentState, id: RulingId) -> Mentions:
    """Those of a ruling, or of the ruling which an annulment took away."""
    ruling, annulment = t.rulings.get(id), t.annulments.get(id)
    if ruling is not None:
        return of_ruling_made(t, ruling.event)
    return Mentions() if annulment is None else of_ruling(t, annulment.event.annuls)


def ruling_annulled(t: TournamentState, d: ev.RulingAnnulled, call: Call) -> str:
    done = "retracted as a slip" if d.retracted else "annulled"
    return f"Ruling {d.annuls} is {done} by {d.ruling} (article {d.article})."


def appeal_lodged(t: TournamentState, d: ev.AppealLodged, call: Call) -> str:
    return f"{call(d.by)} appeals against ruling {d.ruling} ({d.appeal})."


def of_appeal(t: TournamentState, d: ev.AppealLodged) -> Mentions:
    """The player who appeals, and those of the ruling."""
    return of(d.by) | of_ruling(t, d.ruling)


def appeal_decided(t: TournamentState, d: ev.AppealDecided, call: Call) -> str:
    return f"Appeal {d.appeal} is {'upheld' if d.upheld else 'rejected'} (article {d.article})."


def of_decision(t: TournamentState, d: ev.AppealDecided) -> Mentions:
    """Those of the appeal."""
    appeal = t.appeals.get(d.appeal)
    return Mentions() if appeal is None else of_appeal(t, appeal.event)


def crossing_noted(t: TournamentState, d: ev.CrossingNoted, call: Call) -> str:
    return f"The crossing at line {d.seq} is noted."


DESCRIPTIONS = (
    EventDescription(ev.ArrivalNoted, arrival_noted, lambda t, d: of(d.player) | of_game(t, d.game)),
    EventDescription(ev.ArrivalCorrected, arrival_corrected, lambda t, d: of(d.player) | of_game(t, d.game)),
    EventDescription(ev.BreakTaken, break_taken, lambda t, d: of(d.player) | of_game(t, d.game)),
    EventDescription(ev.BreakCorrected, break_corrected, lambda t, d: of(d.player) | of_game(t, d.game)),
    EventDescription(ev.FindingAnswered, finding_answered, of_answer),
    EventDescription(ev.RulingMade, ruling_made, of_ruling_made),
    EventDescription(ev.RulingAnnulled, ruling_annulled, lambda t, d: of_ruling(t, d.annuls)),
    EventDescription(ev.AppealLodged, appeal_lodged, of_appeal),
    EventDescription(ev.AppealDecided, appeal_decided, of_decision),
    EventDescription(ev.CrossingNoted, crossing_noted, nobody),
)
