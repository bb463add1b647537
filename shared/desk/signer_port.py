"""Who signs checkpoints, as the desk asks it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shared.core.state.entities import CheckpointRestart
from shared.core.state.tournament import TournamentState
from shared.desk.requests import DeskError


@dataclass(frozen=True, slots=True)
class History:
    """What a log says of itself, to be compared with what was signed of it before.

    ``root_at(size)`` is its root after so many lines, ValueError where it has fewer; ``restarts`` are those that stand in it.
    ``published``: the lines under the last publication, whose checkpoint was signed; 0 where there is none, or where the log
    is of an edition whose signer remembered nothing.
    """

    root_at: Callable[[int], bytes]
    restarts: Sequence[CheckpointRestart] = ()
    published: int = 0

    def published_head(self) -> tuple[int, bytes] | None:
        """Size and root that the last publication was signed on; None without one, or where the log has not so many lines."""
        try:
            return (self.published, self.root_at(self.published)) if self.published else None
        except ValueError:
            return None


def history_of(t: TournamentState, root_at: Callable[[int], bytes]) -> History:
    """What the log of a tournament says, as far as it is folded."""
    published = t.publications[-1].basis if t.publications and t.offices > 1 else 0
    return History(root_at, t.restarts, published)


Sign = Callable[[str, int, bytes, History], str]
"""A signed note of (origin, size, root). Raises `NotSigned` where an earlier note says otherwise of this log."""


class NotSigned(DeskError):
    """The log is not the one that was signed before: shorter, or changed. The text has both sizes."""
