"""The value of a tie-break, and the parts it consists of."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal, NamedTuple, NewType

from shared.core.terms import PlayerId, Seq

Quarters = NewType("Quarters", int)
"""Quarter-points: the product of two values in half-points is in quarter-points, so every value is exact."""

Origin = Literal["round", "record", "opponents", "entry", "own", "ruling"]


class Part(NamedTuple):
    """One round's contribution to a value.

    ``score``: the adjusted score (half-points) it was taken from, if any. ``cut``: why it does not count (None: it
    counts). ``how``: how a substitute for the result was determined, if one counts.

    ``origin``: the source of the part. It is this ``round`` alone, the opponent's whole ``record``, that record and
    those of the ``opponents`` in it, the opponent's ``entry`` (the rating), the player's ``own`` entry, or a
    ``ruling``. ``lines``: the events of rulings it comes from, also for a ``round`` whose score they changed.
    """

    round: int
    opponent: PlayerId
    quarters: Quarters | Fraction
    score: int | None = None
    cut: str | None = None
    how: str | None = None
    origin: Origin = "round"
    lines: tuple[Seq, ...] = ()


class Value(NamedTuple):
    """The value of a tie-break. ``quarters`` is in quarter-points; None means undefined and last in the order.

    A mean or a quotient is a fraction. ``less``: the smaller value is better. The parts are ``known_parts``, or
    ``explain`` makes them from ``arguments``, because few rows of a table are ever explained.
    """

    quarters: Quarters | Fraction | None
    known_parts: tuple[Part, ...] = ()
    less: bool = False
    explain: Callable[..., tuple[Part, ...]] | None = None
    arguments: tuple[Any, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the value, by round."""
        return self.known_parts if self.explain is None else self.explain(*self.arguments)

    @property
    def key(self) -> tuple[int, int | Fraction]:
        """The sort key: ascending, the best first."""
        if self.quarters is None:
            return 1, 0
        return 0, self.quarters if self.less else -self.quarters


def count_value(number: int, parts: tuple[Part, ...] = (), *, less: bool = False) -> Value:
    """Return the value of a tie-break that is the whole number ``number``. ``less``: smaller is better."""
    return Value(Quarters(4 * number), parts, less)


def sum_parts(parts: tuple[Part, ...]) -> Value:
    """Return the value that is the sum of these parts, without those that are cut."""
    return Value(Quarters(sum(int(p.quarters) for p in parts if p.cut is None)), parts)


def number(quarters: int | Fraction) -> int | float:
    """Return quarter-points as a JSON number.

    Every quarter is exact in binary. Other fractions, of means, have four decimals, which keeps those of up to seventy
    rounds distinct.
    """
    if quarters.denominator != 1:
        return round(float(quarters / 4), 4)
    quarters = quarters.numerator
    return quarters // 4 if quarters % 4 == 0 else quarters / 4


def points_number(half_points: int) -> int | float:
    """Return half-points as a JSON number."""
    return number(2 * half_points)
