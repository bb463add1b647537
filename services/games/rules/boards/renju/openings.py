"""The 26 openings of renju: which of them three stones form, in any rotation or reflection of the board."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from services.games.rules.boards.fifteen import ALL, CENTRE, Point, place
from shared.regulations.typed_toml import read_toml

Vector: TypeAlias = tuple[int, int]
"""Columns to the right and lines up."""

SYMMETRIES: tuple[tuple[int, int, int, int], ...] = (
    (1, 0, 0, 1),
    (0, -1, 1, 0),
    (-1, 0, 0, -1),
    (0, 1, -1, 0),
    (-1, 0, 0, 1),
    (1, 0, 0, -1),
    (0, 1, 1, 0),
    (0, -1, -1, 0),
)
"""Rotations and reflections of the board: (a, b, c, d) maps (x, y) to (ax + by, cx + dy)."""


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening. ``relation``: how Black's two stones are placed.

    They are adjacent 连, a knight's move apart 桂, or on a line with one point between them 间. The names of openings with
    间 end in 星 (star), the names of the others in 月 (moon).
    ``barred``: not played in professional games.
    """

    name: str
    kind: Literal["direct", "indirect"]
    relation: Literal["连", "间", "桂"]
    third: Vector
    barred: bool


@dataclass(frozen=True, slots=True)
class OpeningNames:
    """The names of openings in ``openings.toml``. Each row has those whose third stones are on one line of the board.

    ``barred``: those excluded from professional games.
    """

    direct: tuple[tuple[str, ...], ...]
    indirect: tuple[tuple[str, ...], ...]
    barred: tuple[str, ...]


def opening_of(second: Point, third: Point) -> Opening | None:
    """Return the opening with these second and third stones, or None if it has no name. The first stone is on 天元."""
    return _by_stones().get((_from_centre(second), _from_centre(third)))


def opening_by_name(name: str) -> Opening | None:
    """Return an opening by its name, or None. 慧星 is another spelling of 彗星."""
    return next((opening for opening in openings() if opening.name == name.replace("慧", "彗")), None)


def second_stones(opening: Opening | None) -> frozenset[Point]:
    """Return the points of the board where White may place the first stone in ``opening``, or in any opening if it is None."""
    return frozenset(_to_point(s) for (s, _), one in _by_stones().items() if opening is None or one == opening)


@cache
def openings() -> tuple[Opening, ...]:
    """Return all 26 openings, direct ones first."""
    names = read_toml(__package__, "openings.toml", OpeningNames)
    rows: dict[str, tuple[tuple[str, ...], ...]] = {"direct": names.direct, "indirect": names.indirect}
    return tuple(
        Opening(name, kind, _relation(third), third, name in names.barred)
        for kind in _KINDS
        for name, third in zip((n for row in rows[kind] for n in row), _thirds(kind), strict=True)
    )


_KINDS: tuple[Literal["direct", "indirect"], ...] = ("direct", "indirect")
_SECOND: dict[str, Vector] = {"direct": (0, 1), "indirect": (1, 1)}


def _thirds(kind: str) -> Iterator[Vector]:
    """Yield the third stone of each opening of a kind (direct or indirect), in the order of their names.

    A stone that a rotation or reflection maps to an earlier one is left out.
    """
    taken = {(0, 0), _SECOND[kind]}
    if kind == "direct":
        every = ((x, y) for y in range(2, -3, -1) for x in range(3))
    else:
        every = ((x, y) for x in range(2, -3, -1) for y in range(x, -3, -1))
    return (third for third in every if third not in taken)


def _relation(third: Vector) -> Literal["连", "间", "桂"]:
    far, near = max(map(abs, third)), min(map(abs, third))
    return "连" if far == 1 else "桂" if near == 1 else "间"


@cache
def _by_stones() -> dict[tuple[Vector, Vector], Opening]:
    """Return every way to place each opening, by White's and Black's second stones relative to 天元."""
    return {
        (turn(s, _SECOND[opening.kind]), turn(s, opening.third)): opening for opening in openings() for s in SYMMETRIES
    }


def turn(symmetry: tuple[int, int, int, int], vector: Vector) -> Vector:
    a, b, c, d = symmetry
    x, y = vector
    return a * x + b * y, c * x + d * y


def _from_centre(point: Point) -> Vector:
    (column, row), (middle, line) = place(point), place(CENTRE)
    return column - middle, row - line


@cache
def _to_point(vector: Vector) -> Point:
    return next(p for p in ALL if _from_centre(p) == vector)
