"""The event about the key that a service signs with."""

from dataclasses import dataclass

from shared.core.events.event import Official
from shared.core.terms import TextRef


@dataclass(frozen=True, slots=True)
class KeyAnnounced(Official):
    """A service signs with this ``key`` from the next record on.

    The service itself writes the event, signed by its previous key. If that key is lost, another service writes it, with a
    ``reason``.
    """

    key: str
    reason: TextRef | None = None
