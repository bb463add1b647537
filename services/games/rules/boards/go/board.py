"""The Go board 棋盘: stones, groups 棋块, liberties 气, captures 提子. Legality is decided in `legality`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import NewType, Self

from shared.core.terms import Side

Point = NewType("Point", int)
"""Row times size plus column, from 0. Row 0 is line 1."""

_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_VERTEX = re.compile(r"([A-HJ-Z])([1-9]\d?)")
LARGEST = len(_LETTERS)
"""The largest board whose vertices have names."""

EMPTY, BLACK, WHITE = 0, 1, 2
STONE: dict[Side, int] = {"black": BLACK, "white": WHITE}


@dataclass(frozen=True, slots=True)
class Group:
    """Stones connected along the lines, and the empty points they touch."""

    colour: int
    stones: frozenset[Point]
    liberties: frozenset[Point]


class Board:
    """Stones on a board of ``size`` lines. ``play`` changes it in place."""

    __slots__ = ("points", "size")

    def __init__(self, size: int) -> None:
        self.size = size
        self.points = bytearray(size * size)
        """`EMPTY`, `BLACK` or `WHITE` by `Point`."""

    @classmethod
    def of(cls, size: int, black: Iterable[Point], white: Iterable[Point] = ()) -> Self:
        """Return a board with these stones on it."""
        board = cls(size)
        for stone, points in ((BLACK, black), (WHITE, white)):
            for point in points:
                board.points[point] = stone
        return board

    def fork(self) -> Self:
        copy = type(self)(self.size)
        copy.points = self.points.copy()
        return copy

    def group(self, point: Point) -> Group:
        """Return the group of the stone on ``point``, or the empty region around it."""
        colour, beside = self.points[point], neighbours(self.size)
        stones, edge, members = [point], set(), {point}
        for stone in stones:
            for near in beside[stone]:
                if self.points[near] == colour:
                    if near not in members:
                        members.add(near)
                        stones.append(near)
                else:
                    edge.add(near)
        liberties = (p for p in edge if self.points[p] == EMPTY)
        return Group(colour, frozenset(members), frozenset(liberties))

    def groups(self) -> dict[Point, Group]:
        """Return each stone's group."""
        by_stone: dict[Point, Group] = {}
        for n, colour in enumerate(self.points):
            if colour != EMPTY and n not in by_stone:
                group = self.group(Point(n))
                by_stone.update(dict.fromkeys(group.stones, group))
        return by_stone

    def taken_by(self, side: Side, point: Point) -> frozenset[Point]:
        """Return the opponent's stones that a stone on this empty point would capture."""
        enemy = STONE[side] ^ 3
        taken: set[Point] = set()
        for near in neighbours(self.size)[point]:
            if self.points[near] == enemy and near not in taken:
                group = self.group(near)
                if group.liberties == {point}:
                    taken |= group.stones
        return frozenset(taken)

    def play(self, side: Side, point: Point) -> frozenset[Point]:
        """Put a stone on an empty point and remove opponent's stones without liberties. Return the captured stones."""
        taken = self.taken_by(side, point)
        self.points[point] = STONE[side]
        self.remove(taken)
        return taken

    def remove(self, stones: frozenset[Point]) -> None:
        for stone in stones:
            self.points[stone] = EMPTY

    def position(self) -> bytes:
        """Return the stones as one comparable value."""
        return bytes(self.points)


@cache
def neighbours(size: int) -> tuple[tuple[Point, ...], ...]:
    """Return the adjacent points of each point on a board of ``size`` lines."""
    return tuple(
        tuple(
            Point((row + down) * size + column + right)
            for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0))
            if 0 <= row + down < size and 0 <= column + right < size
        )
        for row in range(size)
        for column in range(size)
    )


@cache
def handicap_points(stones: int, size: int) -> tuple[Point, ...]:
    """Return the star points 星 of 2 to 9 handicap stones 让子, or ``()`` for another number.

    The order is corners, then sides; from five on, the last of an odd number is in the centre.
    """
    near, middle = 3 if size > 11 else 2, size // 2
    far = size - 1 - near
    corners = [(near, near), (far, far), (far, near), (near, far)]
    sides = [(middle, near), (middle, far), (near, middle), (far, middle)]
    if not 2 <= stones <= len(corners) + len(sides) + 1:
        return ()
    centre = [(middle, middle)] if stones > len(corners) and stones % 2 else []
    places = [*(corners + sides)[: stones - len(centre)], *centre]
    return tuple(Point(row * size + column) for row, column in places)


def point_of(vertex: str, size: int) -> Point | None:
    """Return the point of a GTP vertex (A1 is bottom left, no I), or None if it is not on this board."""
    match = _VERTEX.fullmatch(vertex.upper())
    if match is None:
        return None
    column, row = _LETTERS.index(match[1]), int(match[2]) - 1
    return Point(row * size + column) if column < size and row < size else None


def vertex(point: Point, size: int) -> str:
    row, column = divmod(point, size)
    return f"{_LETTERS[column]}{row + 1}"


def vertices(points: frozenset[Point], size: int) -> list[str]:
    """Return the points' vertices, sorted as text."""
    return sorted(vertex(p, size) for p in points)
