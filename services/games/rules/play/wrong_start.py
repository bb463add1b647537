"""Games begun wrongly: with the colours reversed 双方棋子颠倒, or from another initial position 原始位置摆错.

A game begun from another position is void and played anew (000-A 国际象棋, 不合规则 4; Laws 7.2.1). Of reversed colours the game
says whether it goes on with them (`ReversedColours`).
"""

from services.games.rules.boards.port.board_game import Progress, ReversedColours
from services.games.rules.boards.port.position import SIDES
from services.games.rules.commands import TakeBack, TakeStep
from services.games.rules.play.preconditions import RunningGame
from services.games.rules.play.sheet.clocks import at_first, most
from services.games.rules.play.sheet.game_state import GameState
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.language.messages import say
from shared.core.terms import Refusal, Side, TimeControl


def not_correctable(c: TakeStep, game: RunningGame, sheet: Sheet) -> Refusal | None:
    """Why the sheet may not say by this step that the seats hold each other's pieces, and the game be played on so.

    Refusals: ``illegal-step`` before the first move, and where the game is to be played anew. None: it may, and for any
    other step.
    """
    row = game.variant.game.reversed_colours
    if row is None or c.step != row.step:
        return None
    if not sheet.plies:
        detail = say(
            "{step}: no move was made; the pieces are changed at the board, and the sheet is right", step=c.step
        )
        return Refusal("rule", "illegal-step", detail, row.article, where="step")
    if _goes_on(row, game, sheet.state(game.variant)) is not False:
        return None
    detail = say(
        "{step}: {new_game}: take the moves back for {reason}",
        step=c.step,
        new_game=row.new_game(game.variant.rules),
        reason=row.reason,
    )
    return Refusal("rule", "illegal-step", detail, row.article, "step", f"/v1/games/{game.game.game}/take-back")


def not_played_anew(game: RunningGame, c: TakeBack, sheet: Sheet) -> Refusal | None:
    """Why a game may not be played anew for this reason; None where it may, and for a reason that makes no game void.

    Refusals: ``back-to-the-start`` for any other ply than 0, ``colours-stand`` where reversed colours are played on with.
    """
    if c.reason not in game.variant.game.void:
        return None
    article = game.variant.reasons()[c.reason]
    if c.to_ply != 0:
        detail = say(
            "{reason}: the game is void and is played again: all moves are taken back, to ply 0", reason=c.reason
        )
        return Refusal("rule", "back-to-the-start", detail, article, "to_ply")
    row = game.variant.game.reversed_colours
    if row is None or c.reason != row.reason or not _goes_on(row, game, sheet.state(game.variant)):
        return None
    detail = say(
        "so far on, the game goes on with the colours reversed: an arbiter says so by the step {step}", step=row.step
    )
    return Refusal("rule", "colours-stand", detail, article, "reason", f"/v1/games/{game.game.game}/steps")


def _goes_on(row: ReversedColours, game: RunningGame, state: GameState) -> bool | None:
    """Whether a game begun with reversed colours goes on; None where the arbiter may have either."""
    time = game.variant.time
    moves = min(map(state.movers.count, SIDES))
    seconds = 0 if time is None else sum(_time_used(state, time, side) for side in SIDES)
    return row.goes_on(game.variant.rules, Progress(moves, seconds, time))


def _time_used(state: GameState, time: TimeControl, side: Side) -> int:
    """The seconds that a side has used at the least: none where its clock was never read."""
    reading = state.readings.get(side)
    return 0 if reading is None else most(time, at_first(time), 0, reading.moved) - reading.clock
