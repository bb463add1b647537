"""What every service says of itself: the key that it signs with."""

from dataclasses import dataclass

from shared.core.events.event import Official
from shared.core.terms import TextRef


@dataclass(frozen=True, slots=True)
class KeyAnnounced(Official):
    """A service signs with this ``key`` from the next record on.

    Written by the service itself, and signed by its key before; or, with a ``reason``, by another where that key is lost.
    """

    key: str
    reason: TextRef | None = None
