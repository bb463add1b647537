"""What pairing says of a pairing in force: it is withdrawn, void or upheld."""

from dataclasses import dataclass

from shared.core.events.event import Official
from shared.core.terms import TextRef


@dataclass(frozen=True, slots=True)
class PairingWithdrawn(Official):
    """A published pairing is taken back: its games count nothing.

    ``played``: a game of it had begun or was ruled on; the chief arbiter voids it, always for a ``reason``. Results, losses
    ruled on in its games, and fouls counted within one game or match, then count nothing; other rulings on players remain in
    force, fouls counted over the whole event included.
    """

    round: int
    pairing: int
    reason: TextRef | None = None
    played: bool = False


@dataclass(frozen=True, slots=True)
class PairingUpheld(Official):
    """A pairing remains in force although other sides would be seated by now.

    It settles one difference: in the ``pairing``-th pairing of the tournament, the sides ``seated`` and the sides ``due``
    (entries, or teams). ``match``: the number of the match; 0: the sides that begin a stage or its finals.
    """

    pairing: int
    match: int
    seated: tuple[int, ...]
    due: tuple[int, ...]
    reason: TextRef
