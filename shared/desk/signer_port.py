"""The signer of checkpoints, as the command handler sees it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shared.core.language.messages import Message
from shared.core.state.entities import CheckpointRestart
from shared.core.state.tournament import TournamentState
from shared.desk.requests import DeskError


@dataclass(frozen=True, slots=True)
class History:
    """The history of a log, which is compared with the checkpoints signed before.

    ``root_at(size)`` returns its root after ``size`` events, and raises ValueError if it has fewer. ``restarts``: the checkpoint
    restarts in it. ``published``: the number of events under the last publication, whose checkpoint was signed. It is 0 without
    a publication, or if the edition of the log has a signer without a memory.
    """

    root_at: Callable[[int], bytes]
    restarts: Sequence[CheckpointRestart] = ()
    published: int = 0

    def published_head(self) -> tuple[int, bytes] | None:
        """Return size and root signed for the last publication, or None without one, or if the log is shorter."""
        try:
            return (self.published, self.root_at(self.published)) if self.published else None
        except ValueError:
            return None


def history_of(t: TournamentState, root_at: Callable[[int], bytes]) -> History:
    """Return the history of a tournament's log, as far as it is replayed."""
    published = t.publications[-1].basis if t.publications and t.offices > 1 else 0
    return History(root_at, t.restarts, published)


Departure = Callable[[TournamentState, int, Callable[[int], bytes]], Message | None]
"""Returns why a log (its state, its size, and ``root_at``) does not continue its last signed checkpoint, or None."""


def never_behind(t: TournamentState, size: int, root_at: Callable[[int], bytes]) -> None:
    """Return None: this process has no memory of signed checkpoints."""


Sign = Callable[[str, int, bytes, History], str]
"""Returns a signed note of (origin, size, root). Raises `NotSigned` if an earlier note contradicts this log."""


class NotSigned(DeskError):
    """The log is not signed, because it is shorter than, or differs from, the log signed before. The text has both sizes."""
