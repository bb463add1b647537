"""Acceleration: points that count only for the pairing (C.04.7)."""

from dataclasses import dataclass

from shared.core.events.event import Official
from shared.core.terms import HalfPoints, PlayerId, TextRef


@dataclass(frozen=True, slots=True)
class VirtualPoints:
    """Half-points added to a player's score for the pairing, in the rounds from ``first`` to ``last``."""

    player: PlayerId
    first: int
    last: int
    points: HalfPoints


@dataclass(frozen=True, slots=True)
class VirtualPointsGiven(Official):
    """All virtual points of every round. The last such event is in force."""

    given: tuple[VirtualPoints, ...]
    reason: TextRef | None = None
