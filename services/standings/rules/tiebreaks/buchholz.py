"""Buchholz and Sonneborn-Berger with their cuts (C.07 8, 9.1, 14, 16)."""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from services.standings.rules.table.records import Field, is_void, is_vur
from services.standings.rules.tiebreaks import reasons
from services.standings.rules.tiebreaks.tiebreak import Compute, Edition
from services.standings.rules.tiebreaks.value import Part, Quarters, Value
from shared.core.scoring import RoundScore
from shared.core.terms import HalfPoints, PlayerId

_NEW = tuple.__new__
"""Half the cost of a named tuple's own constructor, where a table spends its time."""

Weighed = tuple[int, int, int, bool]
"""Score, contribution in quarter-points, round, and whether it is a VUR: ascending, the order of cuts (C.07 14.1)."""


_contribution = itemgetter(1)


class OtherSides(NamedTuple):
    """A player's rounds by what they had on their other side, weighed for the one sum and for the other.

    ``unplayed``: of rounds in which no opponent was met, by number, where the score came from; ``vur``: whether one
    was voluntarily unplayed.
    """

    rounds: Sequence[RoundScore]
    unplayed: Mapping[int, str]
    vur: bool
    scores: list[Weighed]
    products: list[Weighed]


def buchholz(low: int = 0, high: int = 0) -> Compute[Field]:
    """Sum of the opponents' adjusted scores, less the ``low`` lowest and the ``high`` highest (C.07 8.1, 14)."""

    def of(field: Field, player: PlayerId, edition: Edition) -> Value:
        sides = other_sides(field, player, edition)
        return _value(sides, sides.scores, low, high)

    return of


def sonneborn_berger(low: int = 0) -> Compute[Field]:
    """Sum of the opponents' adjusted scores, each times the own points of that round (C.07 9.1)."""

    def of(field: Field, player: PlayerId, edition: Edition) -> Value:
        sides = other_sides(field, player, edition)
        return _value(sides, sides.products, low, 0)

    return of


def dummy(field: Field, player: PlayerId, r: RoundScore, edition: Edition) -> tuple[HalfPoints, str]:
    """The score of the dummy opponent of an unplayed round, and how it came about (C.07 16.4).

    The own score; in the edition of 2026 not above the scheduled opponent's adjusted score (16.4.1), or,
    where there was none, a draw in every round so far (16.4.2).
    """
    own = field.own[player]
    if edition == "2024":
        return own, reasons.OWN_SCORE
    if r.opponent:
        cap, why = field.adjusted[r.opponent], reasons.SCHEDULED
    else:
        cap, why = HalfPoints(field.points.draw * field.rounds), reasons.DRAWS
    return (cap, why) if cap < own else (own, reasons.OWN_SCORE)


def other_sides(field: Field, player: PlayerId, edition: Edition) -> OtherSides:
    """The other side of each round that counts; in a round robin a bye has none. Where the regulations count nothing for
    what has no opponent, the opponents met alone, with the points that they have. Kept with the field."""
    cached: OtherSides | None = field.cache.get((player, edition))
    if cached is None:
        cached = field.cache[player, edition] = _other_sides(field, player, edition)
    return cached


def _other_sides(field: Field, player: PlayerId, edition: Edition) -> OtherSides:
    c07 = field.tournament.regulations.ranking.unmet == "c07"
    adjusted, rounds, unplayed, any_vur = field.adjusted if c07 else field.own, [], {}, False
    scores: list[Weighed] = []
    products: list[Weighed] = []
    for r in field.scores[player].rounds:
        if (r.kind == "played" and r.counted) or field.met(r):
            score, vur = adjusted[r.opponent], False
        elif not c07 or is_void(r) or (field.round_robin and not r.opponent):
            continue
        else:
            score, unplayed[r.round] = dummy(field, player, r, edition)
            vur = is_vur(r, field.points)
            any_vur = any_vur or vur
        number = r.round
        rounds.append(r)
        scores.append((score, 2 * score, number, vur))
        products.append((score, score * r.points, number, vur))
    scores.sort()
    products.sort()
    return OtherSides(rounds, unplayed, any_vur, scores, products)


def _value(sides: OtherSides, weighed: list[Weighed], low: int, high: int) -> Value:
    left = weighed
    if sides.vur and (low or high):
        left = weighed.copy()
        _cut(left, low, high)
    elif low or high:
        left = weighed[low : max(low, len(weighed) - high)]
    return _NEW(Value, (sum([c[1] for c in left]), (), False, _parts, (sides, weighed, low, high)))


def _cut(left: list[Weighed], low: int, high: int) -> dict[int, str]:
    """Leave out the lowest, those of voluntarily unplayed rounds first (C.07 16.5), then the highest (14.3).

    What is left out is taken from ``left``, and told by its round with the reason.
    """
    cut = {}
    for _ in range(min(low, len(left))):
        lowest, why = left[0], reasons.LOWEST
        unplayed = min([c for c in left if c[3]], key=_contribution, default=None)
        if unplayed is not None and unplayed[1] >= lowest[1]:
            lowest, why = unplayed, reasons.UNPLAYED
        left.remove(lowest)
        cut[lowest[2]] = why
    for _ in range(min(high, len(left))):
        cut[left.pop()[2]] = reasons.HIGHEST
    return cut


def _parts(sides: OtherSides, weighed: list[Weighed], low: int, high: int) -> tuple[Part, ...]:
    cut, by_round = _cut(weighed.copy(), low, high), {c[2]: c for c in weighed}
    parts = []
    for r in sides.rounds:
        score, quarters, number, _ = by_round[r.round]
        how = sides.unplayed.get(number)
        parts.append(Part(number, r.opponent, Quarters(quarters), score, cut.get(number), how, "record"))
    return tuple(parts)
