"""Steps that are not moves: a swap, offered fifth stones, sealed predictions and moves, dead stones."""

from services.games.rules.boards.port.board_game import Step
from services.games.rules.boards.port.position import IllegalMove
from services.games.rules.boards.registry import PLY_STEPS
from services.games.rules.commands import TakeStep
from services.games.rules.play import adjournment, clock_adjustment
from services.games.rules.play.claims.flags import step_overtime
from services.games.rules.play.claims.resignation import confirm
from services.games.rules.play.clock_state import follows_state
from services.games.rules.play.preconditions import (
    RunningGame,
    game_end,
    game_with_sheet,
    refuse_game_over,
    refuse_other_side,
)
from services.games.rules.play.sheet.sheet import Sheet
from services.games.rules.play.wrong_start import refuse_correction
from shared.core.events import ColoursCorrected, Decision, GameStarted, Official, StepTaken
from shared.core.language.messages import say
from shared.core.readings.authority import permit
from shared.core.state.tournament import Tournament
from shared.core.terms import Ply, Refusal

CLOCKS = {
    "set_clock": clock_adjustment.set_clock,
    "start_clocks": clock_adjustment.start_clocks,
    "byo_yomi": clock_adjustment.byo_yomi,
}
"""The functions that decide commanded clock steps."""


def take(t: Tournament, c: TakeStep, sheet: Sheet) -> Decision | Refusal:
    """Take a step that the game waits for. The first of a game starts it, and the last may end it.

    Refusals: ``no-such-step`` in this game, ``illegal-step``, ``role-may-not``, and those of `confirm`,
    `refuse_correction`, `adjournment.take`, those of `CLOCKS`, `game_with_sheet`, `refuse_other_side` and `refuse_game_over`.
    """
    if c.step == "confirm_resignation":
        return confirm(t, c, sheet)
    game = game_with_sheet(t, c.game)
    if isinstance(game, Refusal):
        return game
    step = _row(t, c, game)
    if isinstance(step, Refusal):
        return step
    refusal = refuse_other_side(t, c.actor, game.game, c.side) or refuse_game_over(t, game.game)
    if refusal is not None:
        return refusal
    if step.clock:
        return CLOCKS[c.step](t, c, sheet, game)
    if step.sealing:
        return adjournment.take(t, c, sheet, game)
    return refuse_correction(c, game, sheet) or _take(t, c, sheet, game, step)


def _take(t: Tournament, c: TakeStep, sheet: Sheet, game: RunningGame, step: Step) -> Decision | Refusal:
    position = sheet.position(game.variant)
    black = position.holder("black")
    taken = position.step(c.side, c.step, c.values)
    if isinstance(taken, IllegalMove):
        detail = say("{step}: {reason}", step=c.step, reason=taken.reason)
        return Refusal("rule", "illegal-step", detail, taken.article, where="step")
    line = StepTaken(Ply(len(sheet.plies) + (c.step in PLY_STEPS)), c.side, c.step, taken.values)
    brought: list[Official] = [GameStarted(c.game)] if game.game.started is None else []
    brought += step_overtime(t, game, position, step, line, len(brought))
    guessed = not line.ply and position.holder("black") != black and t.regulations.decisions >= 2
    if step.from_start or guessed:
        brought.append(ColoursCorrected(c.game, position.holder("black") != "black"))
    end = position.end()
    if end is not None:
        brought.append(game_end(t, c.game, end.termination, end.winner, end.article))
    return Decision(brought=tuple(brought), lines=(line,), game=c.game)


def _row(t: Tournament, c: TakeStep, game: RunningGame) -> Step | Refusal:
    """Return the step as declared by the game. Refusals: ``no-such-step``, ``role-may-not``."""
    step = game.variant.game.steps_by_name.get(c.step)
    if step is None or not _commanded(t, step):
        names = sorted(one.name for one in game.variant.game.steps if _commanded(t, one))
        detail = say(
            "unknown step; games of {name} have the steps {names}",
            name=game.variant.name,
            names=tuple(names) or say("none"),
        )
        return Refusal("invalid", "no-such-step", detail, where="step")
    return step if step.act is None else permit(t, c.actor, step.act) or step


def _commanded(t: Tournament, step: Step) -> bool:
    """Return whether this step can be commanded. In decision edition 1 no clock is set."""
    return step.commanded and (follows_state(t) or not step.clock)
