"""The commands of penalties, one row each: the roles that may give it, its event, and the function that decides it."""

from dataclasses import replace
from typing import Any

from services.penalties.rules import commands as co
from services.penalties.rules.commands import NoteCrossing
from services.penalties.rules.consequences import consequences_of
from services.penalties.rules.findings import answer_finding, draw_consequences
from services.penalties.rules.game_decisions import decide_game
from services.penalties.rules.hall.arrivals import check_in, correct_arrival, note_arrival
from services.penalties.rules.hall.breaks import correct_break, note_break
from services.penalties.rules.rulings.annulments import annul_ruling
from services.penalties.rules.rulings.appeals import decide_appeal, lodge_appeal
from services.penalties.rules.rulings.retractions import retract_ruling
from services.penalties.rules.rulings.rulings import make_ruling
from shared.core import events as ev
from shared.core.events import Decision
from shared.core.language.messages import say
from shared.core.readings.authority import ANNUL, DECIDE_APPEAL, DECIDE_GAME, LODGE_APPEAL, RETRACT, RULING_ACTS
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal
from shared.desk.rules_port import CommandRow, Written, copy_fields


def note_crossing(t: Tournament, c: NoteCrossing) -> Decision | Refusal:
    """Record that the chief arbiter noted concurrent decisions. Only the existence of the event is checked.

    Whether that event was concurrent with another is decided by the list of issues that need attention. Refusals:
    ``unknown-line``, ``crossing-noted``.
    """
    # Own events not yet confirmed have provisional numbers, never above their later ones:
    # a number accepted here is accepted again when the command is re-evaluated.
    if not 1 <= c.event.seq <= t.seq:
        return Refusal("unknown", "unknown-line", say("event {seq} does not exist yet", seq=c.event.seq), where="seq")
    if c.event.seq in t.crossings:
        detail = say("the concurrent decision (event {seq}) is already acknowledged", seq=c.event.seq)
        return Refusal("rule", "crossing-noted", detail, where="seq")
    return Decision(events=(c.event,))


def _rebuild_decision(written: Written) -> co.DecideGame:
    """Return the command that decided the result of a game, from a ruling that accuses neither player."""
    made: ev.RulingMade = written.events[0]
    white, black = made.effect.white, made.effect.black
    assert made.game is not None and white is not None and black is not None, "a game is decided"
    return co.DecideGame(written.actor, made.game, made.infraction, white, black, made.note)


def _rebuild_check_in(written: Written) -> co.CheckIn:
    """Return the command that recorded all these arrivals together."""
    noted = (event for event in written.events if isinstance(event, ev.ArrivalNoted))
    return co.CheckIn(written.actor, tuple(copy_fields(co.NoteArrival, one, actor=written.actor) for one in noted))


def add_consequences(t: Tournament, answer: Decision | Refusal, sheet: Any) -> Decision | Refusal:
    """Return the decision with the rulings that the rulebook requires after it. A refusal is returned unchanged."""
    if isinstance(answer, Refusal):
        return answer
    due = consequences_of(t, (*answer.events, *answer.brought))
    return replace(answer, brought=(*answer.brought, *due))


def _is_by_rulebook(written: Written) -> bool:
    return written.actor.role == "rulebook"


def _has_no_player(written: Written) -> bool:
    return written.events[0].player is None


def _has_several_arrivals(written: Written) -> bool:
    return sum(isinstance(event, ev.ArrivalNoted) for event in written.events) > 1


def _is_retraction(written: Written) -> bool:
    return bool(written.events[0].retracted)


ARRIVALS, BREAKS, RETRACTING = "note arrivals", "note breaks", (RETRACT, *RULING_ACTS, ANNUL)
ROWS = (
    CommandRow(
        co.DrawConsequences,
        "draw consequences",
        ev.RulingMade,
        draw_consequences,
        wrote=_is_by_rulebook,
        after_final=True,
    ),
    CommandRow(
        co.DecideGame,
        (DECIDE_GAME,),
        ev.RulingMade,
        decide_game,
        _rebuild_decision,
        wrote=_has_no_player,
        after_final=True,
    ),
    CommandRow(co.MakeRuling, RULING_ACTS, ev.RulingMade, make_ruling, after_final=True),
    CommandRow(co.RetractRuling, RETRACTING, ev.RulingAnnulled, retract_ruling, wrote=_is_retraction, after_final=True),
    CommandRow(co.AnnulRuling, (ANNUL,), ev.RulingAnnulled, annul_ruling, after_final=True),
    CommandRow(co.LodgeAppeal, (LODGE_APPEAL,), ev.AppealLodged, lodge_appeal, after_final=True),
    CommandRow(co.DecideAppeal, (DECIDE_APPEAL,), ev.AppealDecided, decide_appeal, after_final=True),
    CommandRow(co.CheckIn, ARRIVALS, ev.ArrivalNoted, check_in, _rebuild_check_in, _has_several_arrivals),
    CommandRow(co.NoteArrival, ARRIVALS, ev.ArrivalNoted, note_arrival),
    CommandRow(co.CorrectArrival, ARRIVALS, ev.ArrivalCorrected, correct_arrival),
    CommandRow(co.NoteBreak, BREAKS, ev.BreakTaken, note_break),
    CommandRow(co.CorrectBreak, BREAKS, ev.BreakCorrected, correct_break),
    CommandRow(co.AnswerFinding, "answer a finding", ev.FindingAnswered, answer_finding, after_final=True),
    CommandRow(co.NoteCrossing, "note a crossing", ev.CrossingNoted, note_crossing, after_final=True),
)
