"""Games begun wrongly: with reversed colours 双方棋子颠倒, or from a wrong initial position 原始位置摆错.

A game begun from a wrong position is void and played again (000-A 国际象棋, 不合规则 4; Laws 7.2.1). With reversed colours, the
game's rules decide whether it continues (`ReversedColours`).
"""

from services.games.rules.boards.port.board_game import Progress, ReversedColours
from services.games.rules.commands import TakeBack, TakeStep
from services.games.rules.play.preconditions import RunningGame
from services.games.rules.play.sheet.clocks import initial_reading, most_shown
from services.games.rules.play.sheet.game_state import GameState
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.language.messages import say
from shared.core.terms import Refusal


def refuse_correction(c: TakeStep, game: RunningGame, sheet: Sheet) -> Refusal | None:
    """Return why a step must not record that the players sit with reversed colours, or None.

    Refusals: ``illegal-step`` before the first move, or if the game must be played again. For any other step, None is
    returned.
    """
    row = game.variant.game.reversed_colours
    if row is None or c.step != row.step:
        return None
    if not sheet.plies:
        detail = say(
            "{step} is not possible before the first move: exchange the pieces at the board; the "
            "score sheet is already right",
            step=c.step,
        )
        return Refusal("rule", "illegal-step", detail, row.article, where="step")
    if _continues(row, game, sheet.state(game.variant)) is not False:
        return None
    detail = say(
        "{step}: {new_game}: take the moves back for {reason}",
        step=c.step,
        new_game=row.new_game(game.variant.rules),
        reason=row.reason,
    )
    return Refusal("rule", "illegal-step", detail, row.article, "step", f"/v1/games/{game.game.game}/take-back")


def refuse_new_game(game: RunningGame, c: TakeBack, sheet: Sheet) -> Refusal | None:
    """Return why a game may not be played again for this reason, or None; None also if the reason makes no game void.

    Refusals: ``back-to-the-start`` for any ply except 0, ``colours-stand`` if the game continues with reversed colours.
    """
    if c.reason not in game.variant.game.void:
        return None
    article = game.variant.reasons()[c.reason]
    if c.to_ply != 0:
        detail = say(
            "{reason}: the game is void and must be played again, so all moves must be taken back, to ply 0",
            reason=c.reason,
        )
        return Refusal("rule", "back-to-the-start", detail, article, "to_ply")
    row = game.variant.game.reversed_colours
    if row is None or c.reason != row.reason or not _continues(row, game, sheet.state(game.variant)):
        return None
    detail = say(
        "the game has gone too far to begin again: it must continue with the colours reversed, and an arbiter must "
        "record this by the step {step}",
        step=row.step,
    )
    return Refusal("rule", "colours-stand", detail, article, "reason", f"/v1/games/{game.game.game}/steps")


def _continues(row: ReversedColours, game: RunningGame, state: GameState) -> bool | None:
    """Return whether a game begun with reversed colours continues, or None if the arbiter may decide either way."""
    time, seconds = game.variant.time, 0
    if time is not None:
        # The least time that both have used: a clock that was never read counts for 0.
        first = initial_reading(time)
        seconds = sum(most_shown(time, first, 0, one.moved) - one.clock for one in state.readings.values())
    return row.goes_on(game.variant.rules, Progress(min(state.moved.values()), seconds, time))
