"""Touch-move 摸子 in chess: the articles, and castling that begins with the king.

Articles: 000-A is the campus event's text; "Laws" are FIDE's Laws of Chess.
"""

from collections.abc import Sequence
from dataclasses import replace

from services.games.rules.boards.chess.position import ChessPosition
from services.games.rules.boards.port.touch_move import Articles, Due, judge, own_squares
from shared.core.state.grounds import ground

ARTICLES = Articles(
    own="000-A 国际象棋, 摸子 1; Laws 4.3.1",
    opponents="000-A 国际象棋, 摸子 2; Laws 4.3.2",
    own_first="000-A 国际象棋, 摸子 3; Laws 4.3.3",
    opponents_first="000-A 国际象棋, 摸子 4, 5; Laws 4.3.3",
    unmovable="000-A 国际象棋, 犯规 4",
    uncapturable="000-A 国际象棋, 犯规 5",
    accident="000-A 国际象棋, 摸子 6; Laws 4.2",
    free=", 4.5",
)
CASTLES, CASTLES_NOT = "Laws 4.4.1", "Laws 4.4.3"
ROOK_FIRST = "000-A 国际象棋, 摸子 1; Laws 4.4.2"


def due(position: ChessPosition, touched: Sequence[str]) -> Due:
    """Return the moves due after touches in chess.

    King, then rook: castling on that side, else a move of the king (Laws 4.4.1, 4.4.3). Rook, then king: a move of the
    rook alone (摸子 1; Laws 4.4.2), because castling is a move of the king.
    """
    own, options = own_squares(position.men(), position.to_move()), position.options()
    pieces = judge(touched, own, options, ARTICLES)
    if len(touched) < 2:
        return pieces
    first, second = touched[:2]
    if position.castling(second, first):
        return replace(pieces, article=ROOK_FIRST)
    castling = position.castling(first, second)
    if castling is None:
        return pieces
    king = [one.move for one in options if one.origin == first]
    if castling in king:
        return Due((castling,), CASTLES, (ground("king_then_rook", move=castling),), pieces.futile)
    moves = tuple(sorted(king))
    then = ground("king_moves", moves=moves) if moves else ground("king_stays")
    return Due(moves, CASTLES_NOT, (ground("illegal", move=castling), then), pieces.futile)
