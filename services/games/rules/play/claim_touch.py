"""Claims of touch-move 摸子: the side to move has touched pieces, and must move or take them (000-A 3; 002-X 5; Laws 4)."""

from typing import cast

from services.games.rules.boards import touch_articles as touch_games
from services.games.rules.boards.chess.position import ChessPosition
from services.games.rules.boards.port import other
from services.games.rules.boards.xiangqi.position import XiangqiPosition
from services.games.rules.play.claim_port import Asked, Found, Ruled, no_move
from services.games.rules.play.touch_move import Due, FutileKind
from shared.core.terms import Refusal

SQUARES_AT_MOST = 32
"""Squares of one claim: as many as there are pieces."""
NOT_STATED = "no arbiter states that these pieces were touched to be moved"
WORDS: dict[FutileKind, str] = {"unmovable_touch": "cannot move", "uncapturable_touch": "no piece can take it"}
RELEASED = "no piece was touched to be moved: any legal move"


def touch(asked: Asked) -> Ruled | Refusal:
    """The pieces that the side to move has touched, by their squares, in the order touched.

    It holds where an arbiter states it: adjusting 摆正 with consent, or an obvious accident, is no touch, and he alone
    has seen which it was (002-X 5.6; 000-A 3.6; Laws 4.2). What he states replaces what he stated for the same move; no
    squares: nothing was touched. Refusals: ``move-not-asked``, ``own-move``, ``squares-missing``, ``too-many-squares``,
    ``empty-square``.
    """
    position = cast(ChessPosition | XiangqiPosition, asked.position)
    articles = touch_games.CHESS if isinstance(position, ChessPosition) else touch_games.XIANGQI
    refusal = no_move(asked, articles.own) or _fault(asked, position, articles.own)
    if refusal is not None:
        return refusal
    if not asked.stated:
        return Ruled(False, articles.own, NOT_STATED, squares=asked.squares)
    if not asked.squares:
        return Ruled(True, articles.accident, RELEASED)
    touched = tuple(dict.fromkeys(asked.squares))
    if isinstance(position, ChessPosition):
        due = touch_games.chess(position, touched)
    else:
        due = touch_games.xiangqi(position, touched)
    return _ruled(asked, due)


def _fault(asked: Asked, position: ChessPosition | XiangqiPosition, article: str) -> Refusal | None:
    due, men = position.to_move(), position.men()
    if asked.side == due:
        return Refusal("rule", "own-move", f"it is {due}'s move; {other(due)} claims a touch", article, "side")
    if not asked.squares and not asked.stated:
        return Refusal("invalid", "squares-missing", "name the squares touched, in order (e2)", article, "squares")
    if len(asked.squares) > SQUARES_AT_MOST:
        return Refusal(
            "invalid", "too-many-squares", f"at most {SQUARES_AT_MOST} squares are named", article, "squares"
        )
    for n, square in enumerate(asked.squares):
        if square not in men:
            return Refusal("invalid", "empty-square", f"no piece stands on {square!r}", article, f"squares[{n}]")
    return None


def _ruled(asked: Asked, due: Due) -> Ruled:
    """The moves due; a move announced with a wrong claim comes before them. A futile touch is found once a move."""
    offender, announced = asked.position.to_move(), asked.said.must_play
    new = [one for one in due.futile if one.square not in asked.said.touched]
    found = tuple(Found(one.kind, offender, one.article) for one in new)
    grounds = "; ".join([due.grounds, *(f"{one.square}: {WORDS[one.kind]}" for one in due.futile)])
    if announced is not None:
        grounds += f"; {announced} was announced and must be played"
    moves = due.moves if announced is None else ()
    return Ruled(True, due.article, grounds, squares=asked.squares, due=moves, found=found)
