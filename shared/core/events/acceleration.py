"""Acceleration: points that are counted for the pairing alone (C.04.7)."""

from dataclasses import dataclass

from shared.core.events.event import Official
from shared.core.terms import HalfPoints, PlayerId, TextRef


@dataclass(frozen=True, slots=True)
class VirtualPoints:
    """Half-points that a player is paired with beside those won, in the rounds from ``first`` to ``last``."""

    player: PlayerId
    first: int
    last: int
    points: HalfPoints


@dataclass(frozen=True, slots=True)
class VirtualPointsGiven(Official):
    """All virtual points, of every round; the last such event holds."""

    given: tuple[VirtualPoints, ...]
    reason: TextRef | None = None
