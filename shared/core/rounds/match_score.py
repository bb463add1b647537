"""The score of a match between two sides. Standard library only."""

from typing import NamedTuple

from shared.core.terms import HalfPoints


class MatchScore(NamedTuple):
    """The score of a match.

    ``points`` of the first and the second side in half-points, those of games (局分) in a team event; ``legs``: the
    rounds it was paired in, the last of them ``round``, of this ``stage``; ``open``: games that have no result yet.
    ``absent``: both sides lost the last round of it unplayed 双方弃权. ``over``: no more games of it are due; ``winner`` 0
    where it is not over, was drawn (``drawn``), or nobody is left of it.
    """

    match: int
    first: int
    second: int
    points: tuple[HalfPoints, HalfPoints]
    legs: int
    round: int
    open: int
    stage: str
    places: tuple[int, ...]
    over: bool
    winner: int
    drawn: bool
    absent: bool

    @property
    def loser(self) -> int:
        """Who lost it: 0 where nobody did."""
        return 0 if not self.winner else self.second if self.winner == self.first else self.first
