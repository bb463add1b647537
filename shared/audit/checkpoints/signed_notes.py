"""Signed and cosigned notes, for code that shows them."""

from dataclasses import dataclass
from typing import NamedTuple, Protocol


@dataclass(frozen=True, slots=True)
class CosignedNote:
    """The last note of a log that a witness has cosigned. ``recent``: the log has hardly grown since."""

    size: int
    note: str
    recent: bool


class SignedHead(NamedTuple):
    """The largest tree head of a log that was ever signed."""

    size: int
    root: bytes


class SignedNotes(Protocol):
    """The signer's memory, read by origin."""

    def cosigned(self, origin: str) -> CosignedNote | None: ...

    def largest_head(self, origin: str) -> SignedHead | None: ...


class NoNotes:
    """An empty memory, for installations that store no notes."""

    def cosigned(self, origin: str) -> CosignedNote | None:
        return None

    def largest_head(self, origin: str) -> SignedHead | None:
        return None
