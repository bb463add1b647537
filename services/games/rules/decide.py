"""Commands of games, each with the act it is, and the function that decides it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from services.games.rules import commands as co
from services.games.rules.hall import results
from services.games.rules.play import facts, moves, start, steps, take_back
from services.games.rules.play.claims import claim_decisions, claims, draw_offers
from services.games.rules.play.preconditions import other_board
from services.games.rules.play.settled_colours import with_colours
from shared.core.events import Decision
from shared.core.language.messages import say
from shared.core.readings.authority import DECIDE_CLAIM, permit
from shared.core.state.grounds import in_game
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import GameId, Refusal

Answer = Decision | Refusal
HALL: dict[type, tuple[str, Callable[[Tournament, Any], Answer]]] = {
    co.ReportResults: ("report results", results.report),
    co.Correct: ("correct results", results.correct),
    co.StartGame: ("feed moves", start.start),
}
"""What is decided without a score sheet."""
SHEETS: dict[type, tuple[str, Callable[[Tournament, Any, Any], Answer]]] = {
    co.PlayMoves: ("feed moves", moves.play),
    co.TakeBack: ("take moves back", take_back.take_back),
    co.TakeStep: ("feed moves", steps.take),
    co.MakeOffer: ("feed moves", draw_offers.offer),
    co.MakeClaim: ("feed moves", claims.claim),
    co.DecideClaim: (DECIDE_CLAIM, claim_decisions.decide_claim),
    co.EndByAgreement: ("report results", draw_offers.agree),
    co.CheckFacts: ("check facts", facts.check),
}
"""What is decided on a game's score sheet."""
AFTER_FINAL = (co.CheckFacts,)
"""What belongs to rulings, which are taken after the final table too."""


def decide(t: TournamentState, command: Any, sheet: Any = None) -> Answer:
    """Follow a command, or say why not: authority first, then whether the tournament takes it."""
    kind = type(command)
    act = HALL[kind][0] if kind in HALL else SHEETS[kind][0]
    refusal = permit(t, command.actor, act) or other_board(t, command)
    if refusal is not None:
        return refusal
    if not isinstance(t, Tournament):
        return Refusal("unknown", "unknown-tournament", say("no tournament {id} was announced", id=t.id))
    if t.closed() and kind not in AFTER_FINAL:
        detail = say("the final table was published; rulings and appeals are still taken")
        return Refusal("rule", "tournament-closed", detail, see=f"/v1/tournaments/{t.id}/standings")
    answer = HALL[kind][1](t, command) if kind in HALL else SHEETS[kind][1](t, command, sheet)
    if isinstance(answer, Refusal):
        return replace(answer, detail=in_game(answer.detail, t.announced.game))
    return answer if kind in HALL else with_colours(t, answer, sheet)


def sheet_of(command: Any) -> GameId | None:
    """The game whose sheet deciding takes."""
    return command.game if type(command) in SHEETS else None
