"""The gain of captures on one point: protectors (roots 根) and the full exchange 完整的交换 (002-X 25.3, 28.16, 29.1)."""

from dataclasses import dataclass, replace

from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import KING, PAWN, is_at_home
from shared.core.rulebook.game_rules import PieceWorth

Scale = tuple[int, ...]
"""The worth of a piece by its kind. A king and a pawn have none."""


@dataclass(frozen=True, slots=True)
class Capture:
    """A capture that wins a piece. ``roots``: the moves that could recapture. ``sound``: the roots that are legal moves."""

    move: int
    roots: tuple[int, ...]
    sound: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Balance:
    """The balance of two sides' captures on one point, in worth.

    A crossed pawn has no fixed worth. Exchanging a pawn for several pieces, or several pieces for a pawn, wins nothing
    (25.3). A captured pawn counts only if nothing was lost for it.
    """

    won: int = 0
    pawns_won: int = 0
    lost: int = 0
    pawns_lost: int = 0

    def wins(self) -> bool:
        """Return whether the side that began has won a piece 得子."""
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
    """Return whether the man on a point counts as 子力: not a king, and not a pawn before the river (25.3)."""
    return man & 7 != KING and not (man & 7 == PAWN and is_at_home(point, man >> 3))


def winning_captures(board: Board, point: int, worth: Scale) -> list[Capture]:
    """Return all legal captures on ``point`` by which the side to move wins a piece, whatever recaptures there.

    ``worth``: the worth of a piece by its kind.
    """
    captures = []
    for move in sorted(board.takers(point)):
        if board.leaves_king(move):
            continue
        balance = _Balance().with_won(board.squares[point], worth)
        board.make(move)
        if _keeps_gain(board, point, balance, worth):
            roots = tuple(sorted(board.takers(point)))
            captures.append(Capture(move, roots, tuple(root for root in roots if not board.leaves_king(root))))
        board.unmake()
    return captures


def is_protected(board: Board, point: int) -> bool:
    """Return whether the piece there, of the side not to move, is protected 有根 by a man that may legally recapture."""
    board.pass_move()
    sound = any(not board.leaves_king(root) for root in board.takers(point))
    board.pass_move()
    return sound


def _keeps_gain(board: Board, point: int, balance: _Balance, worth: Scale) -> bool:
    """Return whether the side that began keeps its gain, whether or not the opponent recaptures on ``point``.

    ``balance``: the pieces won and lost there so far.
    """
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
    """Return whether the side that began wins a piece by capturing on ``point`` again. Its king may capture too (27.1).

    ``balance``: the pieces won and lost there so far.
    """
    won = balance.with_won(board.squares[point], worth)
    for move in board.takers(point):
        if board.leaves_king(move):
            continue
        board.make(move)
        held = _keeps_gain(board, point, won, worth)
        board.unmake()
        if held:
            return True
    return False
