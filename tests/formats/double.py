"""The double knock-out 双败淘汰: its matches in order, and the sides that come to each (002-X 11.1; services/pairing/README.md).

The second bracket plays in turn a round against the losers of the first, which come in from the other end, and one among its
own winners. Both winners meet in the final. It is repeated if the side that had lost before has won it.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple, Protocol

NOBODY = 0


class Ended(Protocol):
    """The outcome of a match; 0: nobody."""

    @property
    def winner(self) -> int: ...

    @property
    def loser(self) -> int: ...


class Feed(NamedTuple):
    """The winner or the loser of match ``of``; with ``of`` 0 the seed ``seed``."""

    of: int
    won: bool = True
    seed: int = 0


class Place(NamedTuple):
    """A match: its level, and the two that come to it. ``again``: it repeats the match before."""

    level: int
    feeds: tuple[Feed, Feed]
    again: bool = False


class Seat(NamedTuple):
    """A side that comes to a match, or nobody: the match that it comes from, as winner (true) or loser, and those from which
    nobody came."""

    side: int
    source: tuple[int, bool] | None = None
    empty: tuple[tuple[int, bool], ...] = ()


@cache
def places(order: tuple[int, ...], before: int) -> dict[int, Place]:
    """Return all matches by number, the first is ``before`` + 1; ``order``: the seeds from top to bottom."""
    found: dict[int, Place] = {}

    def meet(feeds: Sequence[Feed]) -> tuple[list[Feed], list[Feed]]:
        numbers = range(before + len(found) + 1, before + len(found) + 1 + len(feeds) // 2)
        for number, pair in zip(numbers, zip(feeds[::2], feeds[1::2], strict=True), strict=True):
            found[number] = Place(1 + max(found[feed.of].level if feed.of else 0 for feed in pair), pair)
        return [Feed(n) for n in numbers], [Feed(n, won=False) for n in numbers]

    upper, lower = meet([Feed(0, seed=seed) for seed in order])
    lower = meet(lower)[0] if len(lower) > 1 else lower
    while len(upper) > 1:
        upper, down = meet(upper)
        lower = meet([feed for pair in zip(lower, reversed(down), strict=True) for feed in pair])[0]
        lower = meet(lower)[0] if len(lower) > 1 else lower
    (winner,), (loser,) = meet([upper[0], lower[0]])
    found[winner.of + 1] = Place(found[winner.of].level + 1, (winner, loser), again=True)
    return found


def coming(
    plan: Mapping[int, Place],
    number: int,
    seeds: Sequence[int],
    ended: Mapping[int, Ended],
    as_played: Mapping[int, Ended],
) -> tuple[Seat, Seat]:
    """Return the two that come to a match, by the outcomes of the matches played.

    ``as_played`` are the outcomes by which the final is judged to be the first loss of a side.
    """
    place = plan[number]
    if place.again:
        lower = coming(plan, number - 1, seeds, as_played, as_played)[1].side
        final = ended.get(number - 1)
        if final is None or not final.winner or final.winner != lower:
            return Seat(NOBODY), Seat(NOBODY)
    first, second = (_seat(plan, feed, seeds, ended, as_played) for feed in place.feeds)
    return first, second


def _seat(
    plan: Mapping[int, Place],
    feed: Feed,
    seeds: Sequence[int],
    ended: Mapping[int, Ended],
    as_played: Mapping[int, Ended],
) -> Seat:
    if not feed.of:
        return Seat(seeds[feed.seed - 1] if feed.seed <= len(seeds) else NOBODY)
    if feed.of in ended:
        side = ended[feed.of].winner if feed.won else ended[feed.of].loser
        source = feed.of, feed.won
        return Seat(side, source) if side else Seat(NOBODY, None, (source,))
    # A match that was not played: a side alone in it goes on, of two it is open.
    two = coming(plan, feed.of, seeds, ended, as_played)
    here = [seat for seat in two if seat.side]
    empty = two[0].empty + two[1].empty if feed.won else ()
    if len(here) == 2:
        empty += tuple(seat.source for seat in here if seat.source)
    one = here[0] if len(here) == 1 and feed.won else Seat(NOBODY)
    return one._replace(empty=empty)
