"""Events of pairing besides rounds: a pairing in force is withdrawn or upheld, and acceleration (C.04.7)."""

from dataclasses import dataclass
from typing import Annotated

from shared.core.events.event import Official
from shared.core.terms import HalfPoints, PlayerId, TextRef
from shared.core.values.bounds import SEQ, Count, NumberOrNobody, RoundNumber


@dataclass(frozen=True, slots=True)
class PairingWithdrawn(Official):
    """A published pairing is withdrawn: its games no longer count.

    ``played``: a game of it had begun or was ruled on; the chief arbiter voids it, always for a ``reason``. Results, losses
    ruled on in its games, and fouls counted within one game or match, then count nothing. Other rulings on players remain in
    force, including fouls counted over the whole event.
    """

    round: RoundNumber
    pairing: Count
    reason: TextRef | None = None
    played: bool = False


@dataclass(frozen=True, slots=True)
class PairingUpheld(Official):
    """A pairing remains in force although other sides would be seated now.

    It settles one difference: in the ``pairing``-th pairing of the tournament, the sides ``seated`` and the sides ``due``
    (entries, or teams). ``match``: the number of the match (0: the sides that begin a stage or its finals).
    """

    pairing: Count
    match: Annotated[int, SEQ]
    seated: tuple[NumberOrNobody, ...]
    due: tuple[NumberOrNobody, ...]
    reason: TextRef


@dataclass(frozen=True, slots=True)
class VirtualPoints:
    """Half-points added to a player's score for the pairing, in the rounds from ``first`` to ``last``."""

    player: PlayerId
    first: RoundNumber
    last: RoundNumber
    points: HalfPoints


@dataclass(frozen=True, slots=True)
class VirtualPointsGiven(Official):
    """All virtual points of every round. The last such event is in force."""

    given: tuple[VirtualPoints, ...]
    reason: TextRef | None = None
