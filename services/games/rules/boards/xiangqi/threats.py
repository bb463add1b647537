"""Threats that a side makes with check: mate by checks alone 杀 (002-X 28.1, 28.2)."""

from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import NEAR

Line = tuple[int, ...]
"""Moves of both sides in turn; empty: there is none."""


def checks(board: Board) -> list[int]:
    """The legal moves of the side to move that give check, in order."""
    other = 1 - board.turn
    near = NEAR[board.king(other)]
    moves = sorted(board.legal_moves())
    return [move for move in moves if (move & 127 in near or move >> 7 in near) and board.checks_after(move, other)]


def mate(board: Board, within: int) -> Line:
    """A line by which the side to move mates 将死, each of its moves a check, within so many checks."""
    for depth in range(1, within + 1):
        line = _mate(board, depth)
        if line:
            return line
    return ()


def _mate(board: Board, within: int) -> Line:
    for check in checks(board):
        board.make(check)
        line = _mating_line(board, within)
        board.unmake()
        if line is not None:
            return (check, *line)
    return ()


def _mating_line(board: Board, within: int) -> Line | None:
    """The line after a check that nothing answers; None where an answer holds."""
    if within == 1:
        return None if board.can_move() else ()
    longest: Line = ()
    for answer in sorted(board.legal_moves()):
        board.make(answer)
        line = _mate(board, within - 1)
        board.unmake()
        if not line:
            return None
        if len(line) >= len(longest):
            longest = (answer, *line)
    return longest
