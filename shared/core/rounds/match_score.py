"""The score of a match between two sides. Standard library only."""

from typing import NamedTuple

from shared.core.terms import HalfPoints


class MatchScore(NamedTuple):
    """The score of a match.

    ``points``: half-points of the first and the second side; in a team event, game points (局分). ``legs``: the number of rounds
    it was paired in, the last of them ``round``, of this ``stage``. ``open``: the number of games without a result.
    ``absent``: both sides lost its last round unplayed 双方弃权. ``over``: no more games of it are due. ``winner`` is 0
    if it is not over, was drawn (``drawn``), or both sides are out.
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
        """Return the side that lost it, or 0."""
        return 0 if not self.winner else self.second if self.winner == self.first else self.first
