"""The groups of players of a report file who may not meet."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ForbiddenGroup:
    """Players who may not meet each other in the rounds from ``first`` to ``last``."""

    players: tuple[int, ...]
    first: int
    last: int
