"""What standings says."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StandingsPublished:
    """A table as published. ``digest`` (hex) and ``checkpoint`` (signed note) are filled in by the desk.

    ``order``: where who goes on follows from the table (groups), everybody of it from the first on, who share a place
    together; else empty.
    """

    tiebreaks: tuple[str, ...]
    rules: str
    round: int
    final: bool
    digest: str = ""
    checkpoint: str = ""
    order: tuple[tuple[int, ...], ...] = ()
