"""Touch-move 摸子 in chess and xiangqi: the articles of each, and castling begun with the king.

Articles: 002-X is 象棋竞赛规则 of 1999; 000-A is the campus event's text; "Laws" are FIDE's Laws of Chess.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from services.games.rules.boards.chess.position import ChessPosition
from services.games.rules.boards.xiangqi.position import XiangqiPosition
from services.games.rules.play.touch_move import Articles, Due, judge, told
from shared.core.terms import Side

CHESS = Articles(
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
XIANGQI = Articles(
    own="002-X 5.1; 000-A 3.1",
    opponents="002-X 5.2; 000-A 3.2",
    own_first="002-X 5.3; 000-A 3.3",
    opponents_first="002-X 5.4, 5.5; 000-A 3.4, 3.5",
    unmovable="002-X 9.1.5; 000-A 4.4",
    uncapturable="002-X 9.1.6; 000-A 4.5",
    accident="002-X 5.6; 000-A 3.6",
)


def chess(position: ChessPosition, touched: Sequence[str]) -> Due:
    """What is due in chess. King, then rook, is castling on that side, else a move of the king (Laws 4.4.1, 4.4.3);
    rook, then king, is a move of the rook's own (摸子 1; Laws 4.4.2): castling is one of the king's."""
    own, options = _own(position.men(), position.to_move()), position.options()
    found = judge(touched, own, options, CHESS)
    if len(touched) < 2:
        return found
    first, second = touched[:2]
    if position.castling(second, first):
        return replace(found, article=ROOK_FIRST)
    castling = position.castling(first, second)
    if castling is None:
        return found
    king = [one.move for one in options if one.origin == first]
    if castling in king:
        return Due((castling,), CASTLES, f"king, then rook: {castling}", found.futile)
    moves = tuple(sorted(king))
    grounds = (
        f"{castling} is not legal; {f'the king moves: {told(moves)}' if moves else 'no move of the king is: any move'}"
    )
    return Due(moves, CASTLES_NOT, grounds, found.futile)


def xiangqi(position: XiangqiPosition, touched: Sequence[str]) -> Due:
    """What is due in xiangqi."""
    return judge(touched, _own(position.men(), position.to_move()), position.options(), XIANGQI)


def _own(men: Mapping[str, Side], side: Side) -> frozenset[str]:
    return frozenset(square for square, whose in men.items() if whose == side)
