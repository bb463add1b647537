"""The commands of games, one row each: the roles that may give it, its event or sheet event, and its deciding function."""

from dataclasses import replace

from services.games.rules import commands as co
from services.games.rules import reconstruct
from services.games.rules.boards.registry import variant_of
from services.games.rules.hall import results
from services.games.rules.play import calls, facts, moves, set_up, statements, steps, take_back
from services.games.rules.play.claims import claim_decisions, claims, draw_offers
from services.games.rules.play.sheet.sheet import Sheet
from shared.core import events as ev
from shared.core.events import (
    ColoursCorrected,
    ColoursSettled,
    Decision,
    FileRead,
    GameEnded,
    GameStarted,
    MovePlayed,
    ResultReported,
)
from shared.core.readings.authority import DECIDE_CLAIM
from shared.core.readings.colours import colours_of
from shared.core.state.entities import Game
from shared.core.state.grounds import with_game_colours
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal, Seq
from shared.desk.rules_port import CommandRow

REPORT, FEED = "report results", "feed moves"
ROWS = (
    CommandRow(co.ReportResults, REPORT, ev.ResultReported, results.report, reconstruct.report),
    CommandRow(co.Correct, "correct results", ev.ResultCorrected, results.correct, reconstruct.correction),
    CommandRow(co.CallArbiter, "call an arbiter", ev.CallMade, calls.call_arbiter),
    CommandRow(co.StateResult, "state a result", ev.StatementMade, statements.state_result),
    CommandRow(co.StartGame, FEED, ev.GameStarted, set_up.start),
    CommandRow(co.PlayMoves, FEED, (ev.MovePlayed, ev.FileRead), moves.play, reconstruct.moves, sheet=True),
    CommandRow(co.TakeBack, "take moves back", ev.MovesTakenBack, take_back.take_back, sheet=True),
    CommandRow(co.TakeStep, FEED, ev.StepTaken, steps.take, reconstruct.step, sheet=True),
    CommandRow(co.MakeOffer, FEED, ev.OfferMade, draw_offers.offer, sheet=True),
    CommandRow(co.MakeClaim, "make a claim", ev.ClaimMade, claims.claim, sheet=True),
    CommandRow(co.DecideClaim, DECIDE_CLAIM, ev.ClaimSettled, claim_decisions.decide_claim, sheet=True),
    CommandRow(co.EndByAgreement, REPORT, ev.GameEnded, draw_offers.agree, sheet=True),
    # It belongs to a ruling, and rulings are accepted after the final table too.
    CommandRow(co.CheckFacts, "check facts", ev.FactsChecked, facts.check, sheet=True, after_final=True),
)


def finish_answer(t: Tournament, answer: ev.Decision | Refusal, sheet: Sheet | None) -> ev.Decision | Refusal:
    """Return the answer to a command in its final form.

    In a refusal, the sides are named as in the tournament's game, such as Red for White in xiangqi. A decision gets
    `ColoursSettled` if it changes which side has Black's pieces. ``sheet``: None for a command without a score sheet.
    """
    if isinstance(answer, Refusal):
        return replace(answer, detail=with_game_colours(answer.detail, t.announced.game))
    return answer if sheet is None else add_settled_colours(t, answer, sheet)


def add_settled_colours(t: Tournament, decision: Decision, sheet: Sheet) -> Decision:
    """Return the decision with `ColoursSettled` if the colours on the sheet after it differ from those in the log.

    Both states are compared, whatever changed them: a step, the first stone without a guess, or moves taken back.
    """
    if t.regulations.decisions < 3 or not decision.lines or decision.game is None:
        return decision
    game = _with_events(t, t.games[decision.game], decision)
    recorded = colours_of(t, game).black
    if recorded is not None and all(isinstance(line, MovePlayed | FileRead) for line in decision.lines):
        return decision  # neither a move nor the note of a file exchanges colours: this spares playing each move twice
    variant = variant_of(t, game)
    assert variant is not None, "a game with a sheet has rules"
    after = sheet.fork()
    for line in decision.lines:
        after.evolve(line)
    position = after.state(variant).position
    black = position.holder("black") if position.colours_settled() else None
    if black == recorded:
        return decision
    ends = sum(isinstance(event, GameEnded | ResultReported) for event in decision.brought[-1:])
    before, end = decision.brought[: len(decision.brought) - ends], decision.brought[len(decision.brought) - ends :]
    return replace(decision, brought=(*before, ColoursSettled(game.game, black), *end))


def _with_events(t: Tournament, game: Game, decision: Decision) -> Game:
    """Return the game after the decision's events, as far as its colours depend on them."""
    for event in (*decision.events, *decision.brought):
        match event:
            case GameStarted():
                game = game._replace(started=Seq(t.seq + 1), position=event.position)
            case ColoursCorrected():
                game = game._replace(reversed=Seq(t.seq + 1) if event.reversed else None)
    return game
