"""Buchholz and Sonneborn-Berger with their cuts, and fore Buchholz (C.07 8, 9.1, 14, 16)."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from services.standings.rules.field import Field, is_void, is_vur
from services.standings.rules.value import Part, Quarters, Value
from shared.scoring import RoundScore
from shared.terms import HalfPoints, PlayerId

Edition = Literal["2024", "2026"]
Calculation = Callable[[Field, PlayerId, Edition], Value]

_NEW = tuple.__new__
"""Half the cost of a named tuple's own constructor, where a table spends its time."""


class Opposite(NamedTuple):
    """What a round had on its other side: the ``score`` that it gives, and what was made against it, in half-points.

    ``how`` says where the score came from if not from an opponent who was met.
    """

    round: int
    opponent: PlayerId
    score: HalfPoints
    points: HalfPoints
    vur: bool
    how: str | None


Weighed = tuple[int, int, int, bool]
Cut = tuple[tuple[int, str], ...]
"""Rounds left out, each with the reason."""


def buchholz(low: int = 0, high: int = 0) -> Calculation:
    """Sum of the opponents' adjusted scores, less the ``low`` lowest and the ``high`` highest (C.07 8.1, 14)."""

    def of(field: Field, player: PlayerId, edition: Edition) -> Value:
        found = opposites(field, player, edition)
        return _value(found, [2 * o.score for o in found], low, high)

    return of


def sonneborn_berger(low: int = 0) -> Calculation:
    """Sum of the opponents' adjusted scores, each times the own points of that round (C.07 9.1)."""

    def of(field: Field, player: PlayerId, edition: Edition) -> Value:
        found = opposites(field, player, edition)
        return _value(found, [o.score * o.points for o in found], low, 0)

    return of


def dummy(field: Field, player: PlayerId, r: RoundScore, edition: Edition) -> tuple[HalfPoints, str]:
    """The score of the dummy opponent of an unplayed round, and how it came about (C.07 16.4).

    The own score; in the edition of 2026 not above the scheduled opponent's adjusted score (16.4.1), or,
    where there was none, a draw in every round so far (16.4.2).
    """
    own = field.own[player]
    if edition == "2024":
        return own, "dummy opponent: own score"
    if r.opponent:
        cap, why = field.adjusted[r.opponent], "dummy opponent: not above the scheduled opponent's score"
    else:
        cap, why = HalfPoints(field.points.draw * field.rounds), "dummy opponent: not above draws throughout"
    return (cap, why) if cap < own else (own, "dummy opponent: own score")


def opposites(field: Field, player: PlayerId, edition: Edition) -> tuple[Opposite, ...]:
    """The other side of each round that counts; in a round robin a bye has none. Kept with the field."""
    kept: tuple[Opposite, ...] | None = field.kept.get((player, edition))
    if kept is None:
        adjusted, found = field.adjusted, []
        for r in field.scores[player].rounds:
            if r.kind == "played" and r.counted:
                found.append(_NEW(Opposite, (r.round, r.opponent, adjusted[r.opponent], r.points, False, None)))
            elif not (is_void(r) or (field.round_robin and not r.opponent)):
                found.append(_unplayed(field, player, r, edition))
        kept = field.kept[player, edition] = tuple(found)
    return kept


def _unplayed(field: Field, player: PlayerId, r: RoundScore, edition: Edition) -> Opposite:
    if field.met(r):
        return Opposite(r.round, r.opponent, field.adjusted[r.opponent], r.points, False, None)
    score, how = dummy(field, player, r, edition)
    return Opposite(r.round, r.opponent, score, r.points, is_vur(r, field.points), how)


def _value(found: tuple[Opposite, ...], quarters: list[int], low: int, high: int) -> Value:
    total = sum(quarters)
    cut: Cut = ()
    if low or high:
        left: list[Weighed] = sorted([(o.score, q, o.round, o.vur) for o, q in zip(found, quarters, strict=True)])
        cut = _cut(left, low, high)
        total = sum([c[1] for c in left])
    return Value(Quarters(total), telling=(_parts, (found, tuple(quarters), cut)))


def _cut(left: list[Weighed], low: int, high: int) -> Cut:
    """Leave out the lowest, those of voluntarily unplayed rounds first (C.07 16.5), then the highest (14.3).

    ``left`` holds score, contribution, round and whether it is a VUR, ascending; what is left out is taken from it.
    """
    cut = []
    for _ in range(min(low, len(left))):
        lowest, why = left[0], "lowest"
        unplayed = min([c for c in left if c[3]], key=_by_contribution, default=None)
        if unplayed is not None and unplayed[1] >= lowest[1]:
            lowest, why = unplayed, "voluntarily unplayed round"
        left.remove(lowest)
        cut.append((lowest[2], why))
    for _ in range(min(high, len(left))):
        cut.append((left.pop()[2], "highest"))
    return tuple(cut)


def _by_contribution(c: Weighed) -> tuple[int, int, int]:
    return c[1], c[0], c[2]


def _parts(found: tuple[Opposite, ...], quarters: tuple[Quarters, ...], cut: Cut) -> tuple[Part, ...]:
    why = dict(cut)
    return tuple(
        Part(o.round, o.opponent, q, o.score, why.get(o.round), o.how, "record")
        for o, q in zip(found, quarters, strict=True)
    )
