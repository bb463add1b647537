"""The gain of taking on a point: roots 根 and the full exchange 完整的交换 (002-X 25.3, 28.16, 29.1)."""

from dataclasses import dataclass, replace

from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import KING, PAWN, at_home
from shared.core.rulebook.game_rules import PieceWorth

Scale = tuple[int, ...]
"""The worth of a piece by its kind; a king and a pawn have none."""


@dataclass(frozen=True, slots=True)
class Capture:
    """A capture that wins a piece. ``roots`` are the moves that take back as the pieces move, ``sound`` those of them
    that are legal."""

    move: int
    roots: tuple[int, ...]
    sound: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Balance:
    """The balance of what two sides took on one point, in worth. A crossed pawn's worth floats, and one for several pieces or
    the other way wins nothing (25.3): it counts only where nothing was given for it."""

    won: int = 0
    pawns_won: int = 0
    lost: int = 0
    pawns_lost: int = 0

    def wins(self) -> bool:
        """Whether the side that began has won a piece 得子."""
        if not self.lost and not self.pawns_lost:
            return bool(self.won or self.pawns_won)
        return self.won > self.lost > 0

    def with_won(self, man: int, worth: Scale) -> "_Balance":
        if man & 7 == PAWN:
            return replace(self, pawns_won=self.pawns_won + 1)
        return replace(self, won=self.won + worth[man & 7])

    def with_lost(self, man: int, worth: Scale) -> "_Balance":
        if man & 7 == PAWN:
            return replace(self, pawns_lost=self.pawns_lost + 1)
        return replace(self, lost=self.lost + worth[man & 7])


def scale(worth: PieceWorth) -> Scale:
    return 0, 0, worth.advisor, worth.elephant, worth.horse, worth.chariot, worth.cannon, 0


def is_piece(man: int, point: int) -> bool:
    """Whether the man there counts as 子力: not a king, not a pawn before the river (25.3)."""
    return man & 7 != KING and not (man & 7 == PAWN and at_home(point, man >> 3))


def winning_captures(board: Board, point: int, worth: Scale) -> list[Capture]:
    """Every legal capture on ``point`` by which the side to move wins a piece, whoever takes back there."""
    captures = []
    for move in sorted(board.takers(point)):
        if board.leaves_king(move):
            continue
        balance = _Balance().with_won(board.squares[point], worth)
        board.make(move)
        if _holds(board, point, balance, worth):
            roots = tuple(sorted(board.takers(point)))
            captures.append(Capture(move, roots, tuple(root for root in roots if not board.leaves_king(root))))
        board.unmake()
    return captures


def rooted(board: Board, point: int) -> bool:
    """Whether the piece there, of the side not to move, has a root 有根: a man of its own side that may legally take there."""
    board.pass_move()
    sound = any(not board.leaves_king(root) for root in board.takers(point))
    board.pass_move()
    return sound


def _holds(board: Board, point: int, balance: _Balance, worth: Scale) -> bool:
    """The other side's turn: whether what was won stays won, whether and whoever takes back."""
    if not balance.wins():
        return False
    for root in board.takers(point):
        if board.leaves_king(root):
            continue
        lost = balance.with_lost(board.squares[point], worth)
        board.make(root)
        held = lost.wins() or _wins_on(board, point, lost, worth)
        board.unmake()
        if not held:
            return False
    return True


def _wins_on(board: Board, point: int, balance: _Balance, worth: Scale) -> bool:
    """The beginner's turn again: whether taking on wins; the king may take too (27.1)."""
    won = balance.with_won(board.squares[point], worth)
    for move in board.takers(point):
        if board.leaves_king(move):
            continue
        board.make(move)
        held = _holds(board, point, won, worth)
        board.unmake()
        if held:
            return True
    return False
