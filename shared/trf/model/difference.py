"""A place of a file that its own results say otherwise, and how points and ranks are held against them."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import NamedTuple

from shared.core.language.messages import Message, MessageFact, say
from shared.trf.model.points import doubled, points_text


class Difference(NamedTuple):
    """A place of the file, from 1, and what is otherwise than its results say."""

    line: int
    column: int
    detail: Message


def rank_detail(who: Message, rank: int | str, half: int, first: int, last: int) -> Message:
    facts: dict[str, MessageFact] = {"rank": rank, "points": points_text(half), "first": first, "last": last}
    return say("{who} has rank {rank}, with {points} points it is from {first} to {last}", who=who, **facts)


def possible_ranks(points: list[int]) -> Callable[[int], tuple[int, int]]:
    """The ranks that a number of points allows, whatever breaks ties."""
    ordered = sorted(points)

    def of(own: int) -> tuple[int, int]:
        return len(ordered) - bisect_right(ordered, own) + 1, len(ordered) - bisect_left(ordered, own)

    return of


def half_points_of(said: str) -> int | None:
    """Half-points that a field says; None for a blank or what is no number of them."""
    twice = doubled(said)
    return int(twice) if twice is not None and twice.denominator == 1 else None
