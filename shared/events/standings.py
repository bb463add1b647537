"""What standings says."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StandingsPublished:
    """A table as published. ``digest`` (hex) and ``checkpoint`` (signed note) are filled in by the desk."""

    tiebreaks: tuple[str, ...]
    rules: str
    round: int
    final: bool
    digest: str = ""
    checkpoint: str = ""
