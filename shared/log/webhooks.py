"""Webhooks: addresses that each new line is sent to. What standings' database keeps of them. All times in Unix seconds.

They stand beside the log and not in it: everybody reads the log for ever, and a webhook has a secret and comes and goes.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol


class Webhook(NamedTuple):
    """An address that the lines of a ``tournament`` (empty: of all) are sent to, signed with ``secret``.

    While the line ``seq`` of ``failing`` is not taken: ``tries`` in vain, ``due`` for the next, ``why`` the last was in vain.
    ``stopped``: nothing is sent until somebody resumes it. ``by``: the handle of who registered it.
    """

    id: str
    tournament: str
    url: str
    secret: str
    by: str
    made: int
    tries: int = 0
    due: int = 0
    failing: str = ""
    seq: int = 0
    why: str = ""
    stopped: int = 0


class WebhookLog(Protocol):
    """The part of a database that keeps them. A position is that of the last line taken; of an unknown tournament 0."""

    def add(self, webhook: Webhook, sent: Mapping[str, int], at_most: int) -> str | None:
        """Keep a new one, which goes on after the lines ``sent``. Else why not: ``again`` where one of this id is there,
        ``there`` where its tournament has that address, ``many`` where it has ``at_most`` already."""

    def of(self, tournament: str) -> list[Webhook]:
        """Those of a tournament (empty: those of all), oldest first."""

    def every(self) -> list[Webhook]:
        """All that there are, oldest first."""

    def sent(self, id: str) -> dict[str, int]:
        """Tournament -> the last line that the receiver has taken."""

    def remove(self, tournament: str, id: str) -> bool:
        """Forget one with its secret, of which SQLite's files keep no byte; False where there is none."""

    def resume(self, tournament: str, id: str) -> bool:
        """Let one try again at once, from the line that failed; False where there is none."""

    def taken(self, id: str, tournament: str, seq: int) -> bool:
        """The receiver has taken a line: go on after it. False where the webhook was removed."""

    def failed(self, webhook: Webhook) -> None:
        """Keep what is said of its failing line."""

    def watch(self, changed: Callable[[], None]) -> None:
        """Call ``changed``, which must not wait, when one was added or resumed through this object."""
