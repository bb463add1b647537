"""Threats with check: mate by checks alone 杀 (002-X 28.1, 28.2)."""

from collections.abc import Iterator

from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import NEAR

Line = tuple[int, ...]
"""Moves of both sides in turn. Empty: no such line exists."""


def checks(board: Board) -> list[int]:
    """Return the legal moves of the side to move that give check, sorted."""
    other = 1 - board.turn
    near = NEAR[board.king(other)]
    moves = sorted(board.legal_moves())
    return [move for move in moves if (move & 127 in near or move >> 7 in near) and board.checks_after(move, other)]


def mate(board: Board, within: int) -> Line:
    """Return a line by which the side to move mates 将死, each of its moves a check, in at most ``within`` checks.

    Without such a mate, the line is empty.
    """
    for depth in range(1, within + 1):
        line = _mate(board, depth)
        if line:
            return line
    return ()


def mating_checks(board: Board, within: int) -> Iterator[int]:
    """Yield each check with which the side to move begins a mate by checks alone, the shortest mates first.

    ``within``: the maximum number of checks.
    """
    yielded = set[int]()
    for depth in range(1, within + 1):
        for check in checks(board):
            if check not in yielded and _mates_by(board, check, depth):
                yielded.add(check)
                yield check


def mates_if_free(board: Board, check: int, within: int) -> bool:
    """Return whether the side to move mates with this check and further ones, at most ``within`` checks together.

    If the side to move is itself in check, its duty to answer this check and the danger to its own king are ignored.
    """
    if check not in board.moves_of(check >> 7) or not board.checks_after(check, 1 - board.turn):
        return False
    if board.is_in_check(board.turn):
        return _mates_regardless(board, check, within)
    return not board.leaves_king(check) and any(_mates_by(board, check, depth) for depth in range(1, within + 1))


def _mates_by(board: Board, check: int, within: int) -> bool:
    board.make(check)
    line = _mating_line(board, within)
    board.unmake()
    return line is not None


def _mates_regardless(board: Board, check: int, within: int) -> bool:
    board.make(check)
    own = board.king(1 - board.turn)
    answers = [answer for answer in board.legal_moves() if answer & 127 != own]
    mated = not answers or (within > 1 and all(_checked_on(board, answer, within - 1) for answer in answers))
    board.unmake()
    return mated


def _checked_on(board: Board, answer: int, within: int) -> bool:
    board.make(answer)
    other = 1 - board.turn
    king = board.king(other)
    more = [move for move in board.pseudo_moves() if move & 127 != king and board.checks_after(move, other)]
    mated = any(_mates_regardless(board, check, within) for check in more)
    board.unmake()
    return mated


def _mate(board: Board, within: int) -> Line:
    for check in checks(board):
        board.make(check)
        line = _mating_line(board, within)
        board.unmake()
        if line is not None:
            return (check, *line)
    return ()


def _mating_line(board: Board, within: int) -> Line | None:
    """Return the moves from the check just given to mate, or None if an answer prevents mate.

    ``within``: the maximum number of checks, this one included. The line is empty if this check is mate.
    """
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
