"""Commands of penalties, a row each: the function that decides it, who may give it, and what is due after it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from services.penalties.rules import commands, rulebook
from services.penalties.rules.consequences import consequences_of
from services.penalties.rules.crossings import note_crossing
from services.penalties.rules.findings import answer_finding, draw_consequences
from services.penalties.rules.game_decisions import decide_game
from services.penalties.rules.hall.arrivals import check_in, correct_arrival, note_arrival
from services.penalties.rules.hall.breaks import correct_break, note_break
from services.penalties.rules.rulings.annulments import annul_ruling
from services.penalties.rules.rulings.appeals import decide_appeal, lodge_appeal
from services.penalties.rules.rulings.retractions import retract_ruling
from services.penalties.rules.rulings.rulings import make_ruling
from shared.core.events import Decision
from shared.core.language.messages import say
from shared.core.readings.authority import ANNUL, DECIDE_APPEAL, DECIDE_GAME, LODGE_APPEAL, RETRACT, RULING_ACTS, permit
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Actor, Refusal

Answer = Decision | Refusal


@dataclass(frozen=True, slots=True)
class CommandRow:
    """A command's row: the function that decides it, and who may give it: an act of the ``office``
    (`shared.core.readings.authority`), or the acts that the rulebook ``grants`` (which of a
    ruling's it is, shows with its effect). ``until_final``: not after a final table.
    """

    decide: Callable[[Tournament, Any], Answer]
    office: str | None = None
    grants: tuple[str, ...] = ()
    until_final: bool = False


COMMANDS: dict[type, CommandRow] = {
    commands.MakeRuling: CommandRow(make_ruling, grants=RULING_ACTS),
    commands.DecideGame: CommandRow(decide_game, grants=(DECIDE_GAME,)),
    commands.AnnulRuling: CommandRow(annul_ruling, grants=(ANNUL,)),
    commands.RetractRuling: CommandRow(retract_ruling, grants=(RETRACT, *RULING_ACTS, ANNUL)),
    commands.LodgeAppeal: CommandRow(lodge_appeal, grants=(LODGE_APPEAL,)),
    commands.DecideAppeal: CommandRow(decide_appeal, grants=(DECIDE_APPEAL,)),
    commands.NoteArrival: CommandRow(note_arrival, "note arrivals", until_final=True),
    commands.CheckIn: CommandRow(check_in, "note arrivals", until_final=True),
    commands.CorrectArrival: CommandRow(correct_arrival, "note arrivals", until_final=True),
    commands.NoteBreak: CommandRow(note_break, "note breaks", until_final=True),
    commands.CorrectBreak: CommandRow(correct_break, "note breaks", until_final=True),
    commands.AnswerFinding: CommandRow(answer_finding, "answer a finding"),
    commands.DrawConsequences: CommandRow(draw_consequences, "draw consequences"),
    commands.NoteCrossing: CommandRow(note_crossing, "note a crossing"),
}


def decide(t: TournamentState, command: Any, sheet: None = None) -> Answer:
    """The events of a command with what is due after it, or why not.

    Authority comes first; after a final table no arrivals and breaks are taken, only rulings,
    annulments, appeals, answers to findings and crossings.
    """
    if not isinstance(t, Tournament):
        return Refusal("unknown", "unknown-tournament", say("no tournament {id} was announced", id=t.id))
    row = COMMANDS[type(command)]
    refusal = _permit(t, command.actor, row)
    if refusal is not None:
        return refusal
    if t.closed() and row.until_final:
        detail = say("the final table was published; rulings and appeals are still taken")
        return Refusal("rule", "tournament-closed", detail, see=f"/v1/tournaments/{t.id}/standings")
    answer = row.decide(t, command)
    if isinstance(answer, Refusal):
        return answer
    due = consequences_of(t, (*answer.events, *answer.brought))
    return replace(answer, brought=(*answer.brought, *due))


def _permit(t: Tournament, actor: Actor, row: CommandRow) -> Refusal | None:
    if row.office is not None:
        return permit(t, actor, row.office)
    return rulebook.permit(t, actor, *row.grants)
