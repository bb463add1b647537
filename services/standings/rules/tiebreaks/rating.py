"""Tie-breaks by ratings of the opponents met over the board (C.07 10), in whole rating points."""

from bisect import bisect_left
from typing import NamedTuple

from services.standings.rules.records import Field, is_over_the_board
from services.standings.rules.tiebreaks import reasons
from services.standings.rules.tiebreaks.tiebreak import Compute, Edition
from services.standings.rules.tiebreaks.value import Part, Quarters, Value
from shared.core.terms import PlayerId

_DP = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184, 193,
    202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589,
    677, 800,
)  # fmt: skip
"""Rating difference for a score of 0.50, 0.51 … 1.00 (FIDE B.02 8.1a). Below 0.50 it is negative."""

_PD_UPTO = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188, 197,
    206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619,
    735,
)  # fmt: skip
"""Largest rating difference at which 0.50, 0.51 … 0.99 is expected; 1.00 above (FIDE B.02 8.1b)."""


class _Met(NamedTuple):
    """An opponent met: rating, round, ID, and the score against them in halves of a game."""

    rating: int
    round: int
    opponent: PlayerId
    halves: int


def expected_hundredths(difference: int) -> int:
    """Return the expected score, in hundredths of a point, at a rating difference (B.02 8.1b, without the limit of 400)."""
    hundredths = 50 + bisect_left(_PD_UPTO, abs(difference))
    return hundredths if difference >= 0 else 100 - hundredths


def difference(hundredths: int) -> int:
    """Return the rating difference for a score in hundredths of a point per game (B.02 8.1a)."""
    return _DP[hundredths - 50] if hundredths >= 50 else -_DP[50 - hundredths]


def average(low: int = 0, high: int = 0) -> Compute[Field]:
    """Return a tie-break: the average rating of opponents, .5 up (C.07 10.1).

    The ``low`` lowest and the ``high`` highest ratings are left out (C.07 14).
    """

    def of(field: Field, player: PlayerId, edition: Edition) -> Value:
        met = sorted(_opponents_met(field, player))
        left = met[low : len(met) - high]
        if not left:
            return Value(None)
        highest = met[len(met) - high :] if high else []
        return _value(_mean(left), met, tuple(m.round for m in met[:low]), tuple(m.round for m in highest))

    return of


def performance(field: Field, player: PlayerId, edition: Edition) -> Value:
    """Compute the tournament performance rating: the average plus the difference for the score (C.07 10.2)."""
    met = _opponents_met(field, player)
    if not met:
        return Value(None)
    halves, games = sum(m.halves for m in met), len(met)
    hundredths = (100 * halves + games) // (2 * games)
    return _value(_mean(met) + difference(hundredths), met)


def perfect_performance(field: Field, player: PlayerId, edition: Edition) -> Value:
    """Compute the perfect performance: the lowest rating whose expected score reaches the player's score (C.07 10.3).

    With 0 points it is 800 below the lowest rating of an opponent.
    """
    met = _opponents_met(field, player)
    if not met:
        return Value(None)
    halves, ratings = sum(m.halves for m in met), [m.rating for m in met]
    low, high = min(ratings) - 800, max(ratings) + 800
    if halves == 0:
        return _value(low, met)
    while low < high:
        middle = (low + high) // 2
        if sum(expected_hundredths(middle - r) for r in ratings) >= 50 * halves:
            high = middle
        else:
            low = middle + 1
    return _value(low, met)


def _mean(met: list[_Met]) -> int:
    total, games = sum(m.rating for m in met), len(met)
    return (2 * total + games) // (2 * games)


def _opponents_met(field: Field, player: PlayerId) -> list[_Met]:
    """Return the opponents met over the board.

    The list is empty if a player of the tournament is unrated and no rating is published for unrated players (C.07 10).
    """
    if not _has_all_ratings(field):
        return []
    players, points = field.tournament.players, field.points
    halves = {points.win: 2, points.draw: 1}
    return [
        _Met(players[r.opponent].rating or field.unrated or 0, r.round, r.opponent, halves.get(r.points, 0))
        for r in field.scores[player].rounds
        if is_over_the_board(r)
    ]


def own_rating(reverse: bool) -> Compute[Field]:
    """Return a tie-break: the own rating, the highest first, or in reverse order (C.07 10.6).

    It is undefined if any player is unrated and no rating for unrated players was published.
    """

    def of(field: Field, player: PlayerId, edition: Edition) -> Value:
        rating = field.tournament.players[player].rating or field.unrated
        if rating is None or not _has_all_ratings(field):
            return Value(None, less=reverse)
        quarters = Quarters(4 * rating)
        return Value(quarters, (Part(0, PlayerId(0), quarters, origin="own"),), less=reverse)

    return of


def _has_all_ratings(field: Field) -> bool:
    """Return whether every player has a rating, or one is published for unrated players (C.07 10)."""
    return field.unrated is not None or field.all_rated


def _value(rating: int, met: list[_Met], lowest: tuple[int, ...] = (), highest: tuple[int, ...] = ()) -> Value:
    return Value(Quarters(4 * rating), explain=_parts, arguments=(tuple(met), lowest, highest))


def _parts(met: tuple[_Met, ...], lowest: tuple[int, ...], highest: tuple[int, ...]) -> tuple[Part, ...]:
    cut = {**dict.fromkeys(lowest, reasons.LOWEST), **dict.fromkeys(highest, reasons.HIGHEST)}
    return tuple(
        Part(m.round, m.opponent, Quarters(4 * m.rating), cut=cut.get(m.round), origin="entry")
        for m in sorted(met, key=lambda m: m.round)
    )
