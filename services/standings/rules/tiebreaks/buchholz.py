"""Buchholz and Sonneborn-Berger with their cuts (C.07 8, 9.1, 14, 16)."""

from dataclasses import dataclass, field
from operator import itemgetter

from services.standings.rules.records import Field, is_void, is_vur
from services.standings.rules.tiebreaks import reasons
from services.standings.rules.tiebreaks.tiebreak import Compute, Edition
from services.standings.rules.tiebreaks.value import Part, Quarters, Value
from shared.core.readings.scoring import RoundScore
from shared.core.terms import HalfPoints, PlayerId

_NEW = tuple.__new__
"""The tuple constructor: half the cost of a named tuple's own, and a table spends its time here."""

Weighed = tuple[int, int, int, bool]
"""Score, contribution in quarter-points, round, and whether it is a VUR.

Ascending order is the order of cuts (C.07 14.1).
"""


_contribution = itemgetter(1)


@dataclass(slots=True)
class OtherSides:
    """A player's ``rounds``, and for each the score of the opponent that a tie-break uses (``scores``, in half-points).

    A round without a game uses a substitute score. ``unplayed``: round number -> how this score is determined. ``vurs``:
    the numbers of voluntarily unplayed rounds. ``sums``: the contribution of each round to the sum of scores (Buchholz).
    ``products``: its contribution if each score is multiplied by the player's own points in that round
    (Sonneborn-Berger). Both begin with the contribution that is cut first, and are computed when first needed.
    """

    rounds: list[RoundScore]
    scores: list[int]
    unplayed: dict[int, str]
    vurs: set[int]
    sums: list[Weighed] | None = field(default=None, compare=False)
    products: list[Weighed] | None = field(default=None, compare=False)

    def contributions(self, by_points: bool) -> list[Weighed]:
        """Return the contribution of each round, the one that is cut first at the beginning.

        ``by_points``: each is multiplied by the own points of the round (Sonneborn-Berger).
        """
        known = self.products if by_points else self.sums
        if known is None:
            vurs = self.vurs
            known = sorted(
                (score, score * (r.points if by_points else 2), r.round, r.round in vurs)
                for r, score in zip(self.rounds, self.scores, strict=True)
            )
            if by_points:
                self.products = known
            else:
                self.sums = known
        return known

    def total(self, by_points: bool) -> int:
        """Return the sum of all contributions, in quarter-points. ``by_points`` as in `contributions`."""
        if by_points:
            return sum([score * r.points for r, score in zip(self.rounds, self.scores, strict=True)])
        return 2 * sum(self.scores)


def buchholz(low: int = 0, high: int = 0) -> Compute[Field]:
    """Return a tie-break: the sum of the opponents' adjusted scores (C.07 8.1).

    The ``low`` lowest and the ``high`` highest scores are left out (C.07 14).
    """

    def of(field: Field, player: PlayerId, edition: Edition) -> Value:
        return _value(other_sides(field, player, edition), False, low, high)

    return of


def sonneborn_berger(low: int = 0) -> Compute[Field]:
    """Return a tie-break: the sum of the opponents' adjusted scores, each times the own points of that round (C.07 9.1).

    The ``low`` lowest contributions are left out (C.07 14).
    """

    def of(field: Field, player: PlayerId, edition: Edition) -> Value:
        return _value(other_sides(field, player, edition), True, low, 0)

    return of


def dummy(field: Field, player: PlayerId, r: RoundScore, edition: Edition) -> tuple[HalfPoints, str]:
    """Return the score of the dummy opponent of an unplayed round in half-points, and the reason (C.07 16.4).

    The score is the player's own. In the 2026 edition it is at most the scheduled opponent's adjusted score (16.4.1). If
    no opponent was scheduled, it is at most the score of a draw in every round so far (16.4.2).
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
    """Return a player's rounds that count for Buchholz and Sonneborn-Berger, with the opponent's score of each.

    An unplayed round has the score of its dummy opponent (`dummy`), but is left out if it is a bye in a round robin. If
    the regulations do not follow C.07 for unplayed rounds, only opponents met are included, with unadjusted scores. The
    result is cached in the field.
    """
    cached: OtherSides | None = field.cache.get((player, edition))
    if cached is None:
        cached = field.cache[player, edition] = _other_sides(field, player, edition)
    return cached


def _other_sides(field: Field, player: PlayerId, edition: Edition) -> OtherSides:
    c07 = field.tournament.regulations.ranking.unmet == "c07"
    adjusted = field.adjusted if c07 else field.own
    sides = OtherSides([], [], {}, set())
    rounds, scores = sides.rounds, sides.scores
    for r in field.scores[player].rounds:
        if (r.kind == "played" and r.counted) or field.counts_as_game(r):
            scores.append(adjusted[r.opponent])
        elif not c07 or is_void(r) or (field.round_robin and not r.opponent):
            continue
        else:
            score, sides.unplayed[r.round] = dummy(field, player, r, edition)
            scores.append(score)
            if is_vur(r, field.points):
                sides.vurs.add(r.round)
        rounds.append(r)
    return sides


def _value(sides: OtherSides, by_points: bool, low: int, high: int) -> Value:
    if not (low or high):
        total = sides.total(by_points)
    else:
        left = sides.contributions(by_points)
        if sides.vurs:
            left = left.copy()
            _cut(left, low, high)
        else:
            left = left[low : max(low, len(left) - high)]
        total = sum([c[1] for c in left])
    return _NEW(Value, (total, (), False, _parts, (sides, by_points, low, high)))


def _cut(left: list[Weighed], low: int, high: int) -> dict[int, str]:
    """Remove the ``low`` lowest contributions and then the ``high`` highest ones from ``left`` (C.07 14.3).

    In place of the lowest, a voluntarily unplayed round is removed if its contribution is not smaller (16.5). Return the
    reason for each removed round, by its number.
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


def _parts(sides: OtherSides, by_points: bool, low: int, high: int) -> tuple[Part, ...]:
    contributions = sides.contributions(by_points)
    cut, by_round = _cut(contributions.copy(), low, high), {c[2]: c for c in contributions}
    parts = []
    for r in sides.rounds:
        score, quarters, number, _ = by_round[r.round]
        how = sides.unplayed.get(number)
        parts.append(Part(number, r.opponent, Quarters(quarters), score, cut.get(number), how, "record"))
    return tuple(parts)
