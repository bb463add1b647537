"""Commands whose callers wait until their events have come back through the log."""

import threading
import time
from collections.abc import Callable, Iterable

from shared.log.port import Row

_LOOK_SECONDS = 0.25
"""How often a caller checks the log itself, in seconds, in case a notification was lost."""


class _Awaited:
    """The ``seq`` of a command's last event, 0 before it ``came``."""

    __slots__ = ("came", "seq")

    def __init__(self) -> None:
        self.seq = 0
        self.came = threading.Event()


class AwaitedCommands:
    """The awaited commands of a process by ID. Each caller is woken by its own events only, as there may be many callers."""

    def __init__(self) -> None:
        self._commands: dict[str, _Awaited] = {}

    def expect(self, command: str) -> None:
        """Register a command before it is decided, so that its events are recognised."""
        self._commands[command] = _Awaited()

    def forget(self, command: str) -> None:
        """Stop expecting a command."""
        self._commands.pop(command, None)

    def arrive(self, rows: Iterable[Row]) -> None:
        """Wake the callers whose events are among these rows of the log."""
        came = set()
        for row in rows:
            awaited = self._commands.get(row.command)
            if awaited is not None:
                awaited.seq = row.seq
                came.add(awaited)
        for awaited in came:
            awaited.came.set()

    def wait(self, command: str, timeout: float, refresh: Callable[[], None]) -> int | None:
        """Return the ``seq`` of an expected command's last event, waiting at most ``timeout`` seconds, or None."""
        end, awaited = time.monotonic() + timeout, self._commands[command]
        while not awaited.seq and (left := end - time.monotonic()) > 0:
            if not awaited.came.wait(min(left, _LOOK_SECONDS)):
                refresh()
        return awaited.seq or None
