"""Positions that neither side can win 双方均无可能取胜的简单局势 (002-X 4.2.1; 000-A 2, 和 1)."""

from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import ADVISOR, CANNON, ELEPHANT, KING

DRAWN = "002-X 4.2.1; 000-A 2, 和 1"

_AT_HOME = (KING, ADVISOR, ELEPHANT)
"""Kinds that never cross the river, so they never give check."""


def can_win(board: Board, side: int) -> bool:
    """Return whether any moves of both sides could still lead to a win of ``side``.

    It cannot win without a piece that crosses the river. Nor can it with one cannon and nothing else on the board but
    the kings: the kings may not face each other, so a king is never its screen.
    """
    attackers = [man & 7 for man in board.men[side].values() if man & 7 not in _AT_HOME]
    if attackers == [CANNON]:
        return len(board.men[side]) + len(board.men[1 - side]) > 3
    return bool(attackers)


def drawn_material(board: Board) -> bool:
    """Return whether neither side can win."""
    return not can_win(board, 0) and not can_win(board, 1)
