"""Commands whose callers wait until their events have come back through the log."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from shared.log.port import Row

_LOOK_SECONDS = 0.25
"""How often a caller checks the log itself, in seconds, in case a notification was lost."""


class Awaited:
    """One caller's wait for a command: the ``seq`` of its last event, 0 before it ``came``."""

    __slots__ = ("_end", "came", "seq")

    def __init__(self, seconds: float) -> None:
        self.seq = 0
        self.came = threading.Event()
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """The seconds until the wait ends."""
        return max(0.0, self._end - time.monotonic())

    def wait(self, refresh: Callable[[], None]) -> int | None:
        """Return the ``seq`` of the command's last event, or None if it does not come in time."""
        while not self.seq and (left := self.left) > 0:
            if not self.came.wait(min(left, _LOOK_SECONDS)):
                refresh()
        return self.seq or None


class AwaitedCommands:
    """The waits of a process. Each caller is woken by its own events only, as there may be many callers.

    Several callers may wait for one command: a client that gets no answer sends it again with the same idempotency key.
    """

    def __init__(self) -> None:
        self._waits: dict[str, list[Awaited]] = {}
        self._changing = threading.Lock()

    @contextmanager
    def expect(self, command: str, seconds: float) -> Iterator[Awaited]:
        """Yield a wait that begins before the command is decided, so that its events are recognised."""
        awaited = Awaited(seconds)
        with self._changing:
            self._waits.setdefault(command, []).append(awaited)
        try:
            yield awaited
        finally:
            with self._changing:
                waits = self._waits[command]
                waits.remove(awaited)
                if not waits:
                    del self._waits[command]

    def arrive(self, rows: Iterable[Row]) -> None:
        """Wake the callers whose events are among these rows of the log."""
        came = set()
        with self._changing:
            for row in rows:
                for awaited in self._waits.get(row.command, ()):
                    awaited.seq = row.seq
                    came.add(awaited)
        for awaited in came:
            awaited.came.set()
