"""Forbidden points 禁手: three-three 三三, four-four 四四 and overline 长连 (000-A 五子棋, D, 8, 9).

Everything is read from the eleven points of a line around the stone. Points farther away do not change a five 五连, a
four 四 or a straight four 活四 through it. If overlines are allowed, more than five in a row are a five too.
"""

from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias, get_args

from services.games.rules.boards.fifteen import ALL, DIRECTIONS, EMPTY, OWN, Point, Stones, name
from shared.core.rulebook.game_rules import RenjuRules
from shared.core.terms import Side

Forbidden: TypeAlias = Literal["double_three", "double_four", "overline"]
Reading: TypeAlias = Forbidden | Literal["five"]
ALL_KINDS: frozenset[Forbidden] = frozenset(get_args(Forbidden))

ARTICLES: dict[Forbidden, str] = {
    "double_three": "000-A 五子棋, D, 8 三三禁手",
    "double_four": "000-A 五子棋, D, 8 四四禁手",
    "overline": "000-A 五子棋, D, 8 长连禁手",
}

_REACH = 5
_LINE = 2 * _REACH + 1


@dataclass(frozen=True, slots=True)
class _Line:
    """The shape that a stone in the middle makes on one line.

    ``run``: the length of its row. ``fours``: 冲四 and 活四 together, a straight four counting as one. ``keys``: distances
    of the points on which one more stone makes a straight four; such a point makes a three 活三.
    """

    run: int
    fours: int
    keys: tuple[int, ...]


@cache
def kinds(rules: RenjuRules) -> frozenset[Forbidden]:
    """Return the kinds of forbidden points 禁手 that these rules have."""
    forbidden: dict[Forbidden, bool] = {
        "double_three": rules.double_three_forbidden,
        "double_four": rules.double_four_forbidden,
        "overline": rules.overline_forbidden,
    }
    return frozenset(kind for kind, is_forbidden in forbidden.items() if is_forbidden)


def reading(stones: Stones, side: Side, point: Point, forbidden: frozenset[Forbidden] = ALL_KINDS) -> Reading | None:
    """Return the shape that a stone of ``side`` on an empty point makes, or None.

    It is a five, which is never forbidden (000-A G), or one of the ``forbidden`` kinds.
    """
    return _reading(stones.seen(side), point, forbidden)


def forbidden_points(
    stones: Stones, side: Side, forbidden: frozenset[Forbidden] = ALL_KINDS
) -> tuple[dict[str, Forbidden], list[str]]:
    """Return all empty points of the ``forbidden`` kinds, and the points that make a five, by name."""
    seen, points, fives = stones.seen(side), dict[str, Forbidden](), list[str]()
    for point in ALL:
        if seen[point] != EMPTY:
            continue
        kind = _reading(seen, point, forbidden)
        if kind == "five":
            fives.append(name(point))
        elif kind is not None:
            points[name(point)] = kind
    return points, fives


def _reading(seen: bytearray, point: int, forbidden: frozenset[Forbidden]) -> Reading | None:
    overline, fours, threes, exact = False, 0, [], "overline" in forbidden
    for step in DIRECTIONS:
        line = _line(bytes(seen[point - _REACH * step : point + _REACH * step + 1 : step]), exact)
        if line.run == 5 or (line.run > 5 and not exact):
            return "five"
        overline = overline or line.run > 5
        fours += line.fours
        if line.keys:
            threes.append([point + away * step for away in line.keys])
    if overline:
        return "overline"
    if fours >= 2 and "double_four" in forbidden:
        return "double_four"
    if len(threes) < 2 or "double_three" not in forbidden:
        return None
    return "double_three" if _alive(seen, point, threes, forbidden) >= 2 else None


def _alive(seen: bytearray, point: int, threes: list[list[int]], forbidden: frozenset[Forbidden]) -> int:
    """Return how many threes through ``point`` are live.

    A three is live if a further stone makes it a straight four, and this stone neither is forbidden nor makes a five (图
    1.12).
    """
    seen[point] = OWN
    alive = sum(any(_reading(seen, key, forbidden) is None for key in keys) for keys in threes)
    seen[point] = EMPTY
    return alive


@cache
def _line(around: bytes, exact: bool) -> _Line:
    """Return the shape of eleven points in a line (``around``) with an own stone on the middle one.

    At most 3 ** 10 such lines exist. ``exact``: more than five in a row are not a five.
    """
    line = bytearray(around)
    line[_REACH] = OWN
    fives = [n for n in _empty(line) if _makes_five(line, n, exact)]
    straight = len(fives) == 2 and fives[1] - fives[0] == 5
    keys = tuple(n - _REACH for n in _empty(line) if _straight(line, n, exact))
    first, last = _run(line)
    return _Line(last - first + 1, 1 if straight else len(fives), keys)


def _empty(line: bytearray) -> list[int]:
    return [n for n, seen in enumerate(line) if seen == EMPTY]


def _run(line: bytearray) -> tuple[int, int]:
    """Return the indexes of the first and the last stone of the unbroken run through the middle of the line."""
    first = last = _REACH
    while first > 0 and line[first - 1] == OWN:
        first -= 1
    while last < _LINE - 1 and line[last + 1] == OWN:
        last += 1
    return first, last


def _straight(line: bytearray, key: int, exact: bool) -> bool:
    """Return whether a stone on ``key`` makes four in a row with the middle that become a five at either end.

    ``exact``: more than five in a row are not a five.
    """
    first, last = _run_with(line, key)
    if last - first != 3:
        return False
    ends_open = line[first - 1] == line[last + 1] == EMPTY
    return ends_open and not (exact and OWN in (line[first - 2], line[last + 2]))


def _makes_five(line: bytearray, key: int, exact: bool) -> bool:
    first, last = _run_with(line, key)
    return last - first == 4 or (last - first > 4 and not exact)


def _run_with(line: bytearray, key: int) -> tuple[int, int]:
    """Return the first and the last index of the run through the middle after a stone on ``key``.

    If ``key`` does not join this run, both are the middle.
    """
    line[key] = OWN
    first, last = _run(line)
    line[key] = EMPTY
    return (first, last) if first <= key <= last else (_REACH, _REACH)
