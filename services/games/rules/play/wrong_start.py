"""Chess begun wrongly: with the colours reversed 双方棋子颠倒, or from another initial position 原始位置摆错.

A game begun from another position is void and played anew (000-A 国际象棋, 不合规则 4; Laws 7.2.1). Of reversed colours the
Chinese text has the clocks decide (不合规则 5): once over a quarter of the first time limit is used the game goes on,
before that the arbiter may have it played anew; house: the time of both sides together, against both limits. FIDE counts
moves (Laws 7.3): before the tenth of both sides a new game, from then on it goes on. Where the clocks do not say, both
ways are the arbiter's.
"""

from services.games.rules.boards.chess.position import COLOURS
from services.games.rules.boards.port import SIDES
from services.games.rules.boards.registry import ANEW
from services.games.rules.play.clocks import at_first, most
from services.games.rules.play.commands import TakeBack
from services.games.rules.play.game_state import Reached
from services.games.rules.play.preconditions import Running
from services.games.rules.play.sheet import Sheet
from shared.core.game_rules import ChessRules
from shared.core.terms import Refusal, Side, TimeControl

QUARTER = 4


def corrected(game: Running, sheet: Sheet) -> Refusal | None:
    """Whether the sheet may say that the seats hold each other's pieces, and chess be played on so.

    Refusals: ``illegal-step`` before the first move, and where the game is to be played anew. None: it may, and in any
    other game.
    """
    rules = game.kind.rules
    if not isinstance(rules, ChessRules):
        return None
    if not sheet.plies:
        detail = "correct_colours: no move was made; the pieces are changed at the board, and the sheet is right"
        return Refusal("rule", "illegal-step", detail, COLOURS, where="step")
    if _plays_on(game, sheet.reached(game.kind)) is not False:
        return None
    detail = (
        f"correct_colours: before move {rules.colours_until_moves} of both sides a new game is played: "
        "take the moves back for wrong_colours"
    )
    return Refusal("rule", "illegal-step", detail, COLOURS, "step", f"/v1/games/{game.game.game}/take-back")


def anew(game: Running, c: TakeBack, sheet: Sheet) -> Refusal | None:
    """Whether a game may be played anew for this reason; None for a reason that makes no game void, too.

    Refusals: ``back-to-the-start`` for any other ply than 0, ``colours-stand`` where reversed colours are played on with.
    """
    if c.reason not in ANEW:
        return None
    article = game.kind.reasons()[c.reason]
    if c.to_ply != 0:
        detail = f"{c.reason}: the game is void and played anew: all moves are taken back, to ply 0"
        return Refusal("rule", "back-to-the-start", detail, article, "to_ply")
    if c.reason != "wrong_colours" or not _plays_on(game, sheet.reached(game.kind)):
        return None
    detail = "so far on, the game goes on with the colours reversed: an arbiter says so by the step correct_colours"
    return Refusal("rule", "colours-stand", detail, article, "reason", f"/v1/games/{game.game.game}/steps")


def _plays_on(game: Running, reached: Reached) -> bool | None:
    """Whether a game begun with reversed colours goes on; None where the arbiter may have either."""
    rules, time = game.kind.rules, game.kind.time
    if not isinstance(rules, ChessRules) or rules.colours_until_moves is None:
        return None
    if rules.colours_until_moves:
        return min(map(reached.movers.count, SIDES)) >= rules.colours_until_moves
    first = time.periods[0].seconds if time is not None and time.periods else 0
    if time is None or not first:
        return None
    used = sum(_used(reached, time, side) for side in SIDES)
    return True if used * QUARTER > first * len(SIDES) else None


def _used(reached: Reached, time: TimeControl, side: Side) -> int:
    """The seconds that a side has used at the least: none where its clock was never read."""
    reading = reached.readings.get(side)
    return 0 if reading is None else most(time, at_first(time), 0, reading.moved) - reading.clock
