"""The legality of a stone: occupied points, ko 劫, forbidden points 禁着点, superko."""

from dataclasses import dataclass
from typing import Literal, Self, TypeAlias

from services.games.rules.boards.go.board import EMPTY, STONE, Board, Point, neighbours
from shared.core.terms import Side, other

Fault: TypeAlias = Literal["occupied", "ko", "suicide", "superko"]


@dataclass(frozen=True, slots=True)
class Faults:
    """The empty points that are illegal for one side under simple ko."""

    ko: frozenset[Point]
    suicide: frozenset[Point]


class Game:
    """A board and its past: the ko point, and every earlier position.

    ``board``: the stones before the first move. By default the board is empty.
    """

    __slots__ = ("_ko", "_past", "board", "captured")

    def __init__(self, size: int, board: Board | None = None) -> None:
        self.board = Board(size) if board is None else board
        self.captured: dict[Side, int] = {"black": 0, "white": 0}
        """Number of stones that each side has captured."""
        self._ko: tuple[Side, Point] | None = None
        """The side that may not recapture now, and the point."""
        self._past = {self.board.position()}

    def fork(self) -> Self:
        copy = type(self)(self.board.size)
        copy.board, copy.captured = self.board.fork(), self.captured.copy()
        copy._ko, copy._past = self._ko, self._past.copy()
        return copy

    def fault(self, side: Side, point: Point) -> Fault | None:
        """Return why this side may not play here, under simple ko, or None."""
        if self.board.points[point] != EMPTY:
            return "occupied"
        if self._ko == (side, point):
            return "ko"
        if self._without_liberty(side, point):
            return "suicide"
        return None

    def repeats(self, side: Side, point: Point) -> bool:
        """Return whether a stone on this empty point would repeat an earlier position (positional superko)."""
        tried = self.board.fork()
        tried.play(side, point)
        return tried.position() in self._past

    def faults(self, side: Side) -> Faults:
        """Return all empty points that are illegal for a side: by simple ko, and as suicide."""
        ko, suicide = set(), set()
        groups = self.board.groups()
        beside, own = neighbours(self.board.size), STONE[side]
        for n, stone in enumerate(self.board.points):
            point = Point(n)
            if stone != EMPTY:
                continue
            if self._ko == (side, point):
                ko.add(point)
                continue
            around = [groups.get(near) for near in beside[n]]
            if all(g is not None and (len(g.liberties) > 1) == (g.colour != own) for g in around):
                suicide.add(point)
        return Faults(frozenset(ko), frozenset(suicide))

    def superko(self, side: Side) -> frozenset[Point]:
        """Return the points that only positional superko forbids."""
        faults = self.faults(side)
        legal = (Point(n) for n, stone in enumerate(self.board.points) if stone == EMPTY)
        return frozenset(p for p in legal if p not in faults.ko | faults.suicide and self.repeats(side, p))

    def play(self, side: Side, point: Point) -> frozenset[Point]:
        """Place a stone of ``side`` on a point on which `fault` finds nothing wrong. Return the captured stones."""
        taken = self.board.play(side, point)
        self.captured[side] += len(taken)
        self._ko = None
        if len(taken) == 1:
            group = self.board.group(point)
            if len(group.stones) == 1 and group.liberties == taken:
                self._ko = other(side), next(iter(taken))
        self._past.add(self.board.position())
        return taken

    def pass_turn(self) -> None:
        """Pass. A point closed by a ko may then be played again."""
        self._ko = None

    def _without_liberty(self, side: Side, point: Point) -> bool:
        for near in neighbours(self.board.size)[point]:
            if self.board.points[near] == EMPTY:
                return False
            group = self.board.group(near)
            if (len(group.liberties) > 1) == (group.colour == STONE[side]):
                return False
        return True
