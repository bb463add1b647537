"""The value of a tie-break, and what it is made of."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal, NamedTuple, NewType

from shared.core.terms import PlayerId, Seq

Quarters = NewType("Quarters", int)
"""Quarter-points: a product of two half-points is one of them, so every value is exact."""

Origin = Literal["round", "record", "opponents", "entry", "own", "ruling"]


class Part(NamedTuple):
    """One round's contribution.

    ``score`` is the adjusted score (half-points) that it was taken from, where it was; ``cut`` says why
    it does not count (None: it counts); ``how`` says what stands for an opponent that was not played.
    ``origin`` says whether it came from this round alone, from the opponent's whole ``record``, from this and those of the
    ``opponents`` there, from the opponent's ``entry`` (the rating), from one's ``own`` entry, or from a ``ruling``.
    ``lines`` are the events of rulings that it came from, also of a ``round`` whose score they changed.
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
    """``quarters`` None: undefined, and last in the order; of a mean or a quotient it is a fraction of them. ``less`` where
    the smaller value is the better.

    The parts are ``known_parts``, or ``explain`` makes them of ``arguments``: few of the rows of a table are ever explained.
    """

    quarters: Quarters | Fraction | None
    known_parts: tuple[Part, ...] = ()
    less: bool = False
    explain: Callable[..., tuple[Part, ...]] | None = None
    arguments: tuple[Any, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts that the value is made of, by round."""
        return self.known_parts if self.explain is None else self.explain(*self.arguments)

    @property
    def key(self) -> tuple[int, int | Fraction]:
        """Sorts ascending, the best first."""
        if self.quarters is None:
            return 1, 0
        return 0, self.quarters if self.less else -self.quarters


def whole(number: int, parts: tuple[Part, ...] = (), *, less: bool = False) -> Value:
    """A count or a rating."""
    return Value(Quarters(4 * number), parts, less)


def added(parts: tuple[Part, ...]) -> Value:
    """The sum of the parts that were not cut."""
    return Value(Quarters(sum(int(p.quarters) for p in parts if p.cut is None)), parts)


def number(quarters: int | Fraction) -> int | float:
    """Quarter-points as a JSON number: every quarter is exact in binary; other fractions, of means, to four decimals, in which
    those of up to seventy rounds differ."""
    if quarters.denominator != 1:
        return round(float(quarters / 4), 4)
    quarters = quarters.numerator
    return quarters // 4 if quarters % 4 == 0 else quarters / 4


def points_number(half_points: int) -> int | float:
    """Half-points as a JSON number."""
    return number(2 * half_points)
