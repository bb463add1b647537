"""Averages over the opponents met over the board: of their Buchholz (C.07 8.2), and of their performances (10.4, 10.5)."""

from fractions import Fraction

from services.standings.rules.records import Field, is_over_the_board
from services.standings.rules.tiebreaks.buchholz import buchholz
from services.standings.rules.tiebreaks.rating import perfect_performance, performance
from services.standings.rules.tiebreaks.tiebreak import Compute, Edition
from services.standings.rules.tiebreaks.value import Part, Quarters, Value
from shared.core.terms import PlayerId


def average_over_opponents(
    name: str, compute: Compute[Field], *, whole: bool = False, fore: bool = False
) -> Compute[Field]:
    """Return a tie-break: the mean of the opponents' values of another tie-break, ``compute``, each as often as met.

    ``whole``: round to an integer, .5 up. ``fore``: compute the opponents' values with the games of the last round as
    draws. The value is undefined for a player who has met no opponent, or an opponent without a value. ``name``: the key
    of these values in the field's cache.
    """

    def of(field: Field, player: PlayerId, edition: Edition) -> Value:
        parts, total = [], Fraction(0)
        for r in field.scores[player].rounds:
            if is_over_the_board(r):
                quarters = _kept(field.fore if fore else field, r.opponent, edition)
                if quarters is None:
                    return Value(None)
                total += quarters
                parts.append(Part(r.round, r.opponent, quarters, origin="opponents"))
        if not parts:
            return Value(None)
        mean = total / len(parts)
        return Value(Quarters(4 * ((mean / 4 + Fraction(1, 2)).__floor__())) if whole else mean, tuple(parts))

    def _kept(field: Field, opponent: PlayerId, edition: Edition) -> Quarters | Fraction | None:
        key = (name, opponent, edition)
        if key not in field.cache:
            field.cache[key] = compute(field, opponent, edition).quarters
        known: Quarters | Fraction | None = field.cache[key]
        return known

    return of


average_buchholz = average_over_opponents("BH", buchholz())
average_fore_buchholz = average_over_opponents("BH", buchholz(), fore=True)
average_performance = average_over_opponents("TPR", performance, whole=True)
average_perfect_performance = average_over_opponents("PTP", perfect_performance, whole=True)
