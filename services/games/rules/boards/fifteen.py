"""The board of renju and gomoku 五子棋盘: 15 lines, permanent stones, the rows they form, and positions that are set up."""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple, NewType, Self, TypeVar

from services.games.rules.boards.port.position import SIDES, BadPosition, Position, SetUp
from services.games.rules.boards.port.stone_list import StoneList, parse, places
from shared.core.language.messages import say
from shared.core.terms import Side, other

LINES = 15
POINTS = LINES * LINES

Point = NewType("Point", int)
"""An index into the padded board. `ALL` contains the points of the board itself."""

_EDGE = 6
"""Border around the lines: a row is read for six points in each direction."""
_WIDTH = LINES + _EDGE
_SIZE = _WIDTH * (LINES + 2 * _EDGE)
DIRECTIONS: tuple[int, int, int, int] = (1, _WIDTH, _WIDTH + 1, _WIDTH - 1)
"""Steps along a row 横, a column 竖, and both diagonals 斜."""

EMPTY, OWN, BARRED = 0, 1, 2
"""The states of a point as one side sees it. The border is barred like the opponent's stones."""

_NAME = re.compile(r"([a-o])([1-9]\d?)")


def _index(column: int, row: int) -> Point:
    return Point((row + _EDGE) * _WIDTH + column + _EDGE)


ALL: tuple[Point, ...] = tuple(_index(column, row) for row in range(LINES) for column in range(LINES))
"""Every point, line 1 first."""
CENTRE = _index(LINES // 2, LINES // 2)
"""天元, h8."""


def point_of(name: str) -> Point | None:
    """Return the point named a1 to o15, or None if the name is invalid."""
    match = _NAME.fullmatch(name.lower())
    if match is None or int(match[2]) > LINES:
        return None
    return _index("abcdefghijklmno".index(match[1]), int(match[2]) - 1)


def place(point: Point) -> tuple[int, int]:
    """Return column and row of a point, both from 0."""
    row, column = divmod(point, _WIDTH)
    return column - _EDGE, row - _EDGE


@cache
def name(point: Point) -> str:
    column, row = place(point)
    return f"{'abcdefghijklmno'[column]}{row + 1}"


class Stones:
    """The stones on the board, by the `Side` of their colour."""

    __slots__ = ("_seen", "count")

    def __init__(self) -> None:
        empty = bytearray([BARRED]) * _SIZE
        for point in ALL:
            empty[point] = EMPTY
        self._seen: dict[Side, bytearray] = {side: empty.copy() for side in SIDES}
        self.count = 0

    def fork(self) -> Self:
        copy = type(self)()
        copy._seen = {side: seen.copy() for side, seen in self._seen.items()}
        copy.count = self.count
        return copy

    def seen(self, side: Side) -> bytearray:
        """Return the board as one side sees it: `EMPTY`, `OWN` or `BARRED`. Callers must undo their changes."""
        return self._seen[side]

    def at(self, point: Point) -> Side | None:
        for side in SIDES:
            if self._seen[side][point] == OWN:
                return side
        return None

    def put(self, side: Side, point: Point) -> None:
        """Put a stone on an empty point."""
        self._seen[side][point] = OWN
        self._seen[other(side)][point] = BARRED
        self.count += 1

    def full(self) -> bool:
        return self.count == POINTS

    def row(self, point: Point, step: int) -> list[Point]:
        """Return the unbroken row of one colour through a stone, in one of the `DIRECTIONS`."""
        side = self.at(point)
        assert side is not None
        seen, first, last = self._seen[side], int(point), int(point)
        while seen[first - step] == OWN:
            first -= step
        while seen[last + step] == OWN:
            last += step
        return [Point(p) for p in range(first, last + 1, step)]

    def five(self, point: Point, overline: bool) -> list[Point] | None:
        """Return the row of five 五连 through a stone, or None; the longest if several.

        ``overline``: a row of more than five counts too.
        """
        rows = [self.row(point, step) for step in DIRECTIONS]
        good = [r for r in rows if len(r) == 5 or (overline and len(r) > 5)]
        return max(good, key=len) if good else None

    def any_five(self, black_overline: bool, white_overline: bool) -> tuple[Side, tuple[Point, ...]] | None:
        """Return the colour that already has a row of five on the board, and the row; None if neither has.

        ``black_overline``, ``white_overline``: whether a row of more than five counts for that colour.
        """
        for point in ALL:
            side = self.at(point)
            row = side and self.five(point, black_overline if side == "black" else white_overline)
            if side and row:
                return side, tuple(row)
        return None

    def text(self) -> str:
        """Return the lines from the top: ``X`` black, ``O`` white, ``.`` empty."""
        marks: dict[Side | None, str] = {"black": "X", "white": "O", None: "."}
        lines = ("".join(marks[self.at(_index(n, row))] for n in range(LINES)) for row in reversed(range(LINES)))
        return "/".join(lines)


class FivesPosition(Position):
    """The stones of a game that five in a row wins, and its first row of five."""

    __slots__ = ("_five", "_stones")
    _stones: Stones
    _five: tuple[Side, tuple[Point, ...]] | None

    def _put(self, side: Side, point: Point, overline: bool) -> None:
        """Put a stone on an empty point, and record the first row of five. ``overline``: rows of more than five count too."""
        self._stones.put(side, point)
        row = self._stones.five(point, overline)
        if row is not None and self._five is None:
            self._five = side, tuple(row)

    def five(self) -> list[str] | None:
        """Return the winning row by name, or None."""
        return None if self._five is None else [name(p) for p in self._five[1]]


Rules = TypeVar("Rules")
Start = tuple[Stones, Side]
"""The stones already on the board, and the side to move."""


def make_set_up(game: Callable[[Rules, Start], Position]) -> Callable[[Rules, str], SetUp | None]:
    """Return a function that reads a list of stones as the position from which a game on fifteen lines begins.

    ``game``: builds the position from the rules, and the stones with the side to move. The function returns None for
    the empty board with Black to move, and raises `BadPosition`.
    """

    def set_up(rules: Rules, text: str) -> SetUp | None:
        listed = listed_stones(text)
        return None if listed.start is None else SetUp(game(rules, listed.start), listed.text)

    return set_up


class Listed(NamedTuple):
    """The position that a list of stones states, and the list in canonical form (``text``).

    ``start``: its stones and the side to move, or None for the empty board with Black to move.
    """

    start: Start | None
    text: str


def listed_stones(text: str) -> Listed:
    """Return the stones and the side to move that a list such as ``AB h8 AW i9 PL B`` states. Raises `BadPosition`."""
    listed = parse(text)
    for value, word in ((listed.handicap, "HA"), (listed.komi, "KM")):
        if value is not None:
            raise BadPosition(say("{word} is for Go and not allowed in this game", word=word))
    black, white = places(listed, point_of)
    if not black and not white and listed.to_move in (None, "black"):
        return Listed(None, listed.text())
    if listed.to_move is None:
        raise BadPosition(say("PL must state the side to move, B or W"))
    stones = Stones()
    for point in black:
        stones.put("black", point)
    for point in white:
        stones.put("white", point)
    blacks, whites = (tuple(name(point) for point in sorted(points)) for points in (black, white))
    return Listed((stones, listed.to_move), StoneList(blacks, whites, listed.to_move).text())
