"""Who signs checkpoints, as the desk asks it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shared.core.entities import CheckpointRestart
from shared.desk.requests import DeskError


@dataclass(frozen=True, slots=True)
class History:
    """What a log says of itself, to be compared with what was signed of it before.

    ``root_at(size)`` is its root after so many lines, ValueError where it has fewer; ``restarts`` are those that stand in it.
    """

    root_at: Callable[[int], bytes]
    restarts: Sequence[CheckpointRestart] = ()


Sign = Callable[[str, int, bytes, History], str]
"""A signed note of (origin, size, root). Raises `NotSigned` where an earlier note says otherwise of this log."""


class NotSigned(DeskError):
    """The log is not the one that was signed before: shorter, or changed. The text has both sizes."""
