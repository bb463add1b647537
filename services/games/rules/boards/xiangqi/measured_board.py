"""A board whose moves are counted against a search budget."""

from services.games.rules.boards.port.search_budget import Effort
from services.games.rules.boards.xiangqi.board import Board


class MeasuredBoard(Board):
    """A board on which every move made is spent of an effort."""

    __slots__ = ("_effort",)

    def __init__(self, board: Board, effort: Effort) -> None:
        super().__init__(board.squares.copy(), board.turn, board.quiet)
        self._effort = effort

    def make(self, move: int) -> None:
        self._effort.spend()
        super().make(move)

    def fork(self) -> "MeasuredBoard":
        return MeasuredBoard(self, self._effort)
