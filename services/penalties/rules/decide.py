"""Commands of penalties: who may give each, the function that decides it, and what is due after it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from services.penalties.rules import annulments as annulment
from services.penalties.rules import appeals as appeal
from services.penalties.rules import arrivals as arrival
from services.penalties.rules import breaks
from services.penalties.rules import commands as co
from services.penalties.rules import crossings as crossing
from services.penalties.rules import findings as finding
from services.penalties.rules import rulebook as book
from services.penalties.rules import rulings as ruling
from services.penalties.rules.consequences import following
from shared.core.authority import permit
from shared.core.events import Decision
from shared.core.terms import Actor, Refusal
from shared.core.tournament import Tournament, TournamentState

Answer = Decision | Refusal
OFFICE: dict[type, str] = {
    co.NoteArrival: "note arrivals",
    co.NoteBreak: "note breaks",
    co.AnswerFinding: "answer a finding",
    co.NoteCrossing: "note a crossing",
}
"""Acts of the office (`shared.core.authority`)."""
RULEBOOK: dict[type, tuple[str, ...]] = {
    co.MakeRuling: book.RULING_ACTS,
    co.AnnulRuling: (book.ANNUL,),
    co.LodgeAppeal: (book.LODGE,),
    co.DecideAppeal: (book.DECIDE,),
}
"""Acts that the rulebook grants; which of a ruling's it is, shows with its effect."""
DECISIONS: dict[type, Callable[[Tournament, Any], Answer]] = {
    co.MakeRuling: ruling.make,
    co.AnnulRuling: annulment.annul,
    co.LodgeAppeal: appeal.lodge,
    co.DecideAppeal: appeal.decide,
    co.NoteArrival: arrival.note,
    co.NoteBreak: breaks.note,
    co.AnswerFinding: finding.answer,
    co.NoteCrossing: crossing.note,
}


def decide(t: TournamentState, command: Any, sheet: None = None) -> Answer:
    """Follow a command and bring what is due after it, or say why not.

    Authority comes first; after a final table no arrivals and breaks are taken, only rulings,
    annulments, appeals, answers to findings and crossings.
    """
    if not isinstance(t, Tournament):
        return Refusal("unknown", "unknown-tournament", f"no tournament {t.id} was announced")
    refusal = _permitted(t, command.actor, type(command))
    if refusal is not None:
        return refusal
    if t.closed() and isinstance(command, co.NoteArrival | co.NoteBreak):
        detail = "the final table was published; rulings and appeals are still taken"
        return Refusal("rule", "tournament-closed", detail, see=f"/v1/tournaments/{t.id}/standings")
    answer = DECISIONS[type(command)](t, command)
    if isinstance(answer, Refusal):
        return answer
    due = following(t, (*answer.events, *answer.brought))
    return replace(answer, brought=(*answer.brought, *due))


def _permitted(t: Tournament, actor: Actor, command: type) -> Refusal | None:
    if command in OFFICE:
        return permit(t, actor, OFFICE[command])
    return book.may(t, actor, *RULEBOOK[command])
