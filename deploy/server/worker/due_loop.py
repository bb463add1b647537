"""Who answers what the rules call for: looks for what is due at the start, and after each line of the log."""

import threading

from shared.desk.desk import Desk
from shared.log.distributed import DistributedLog
from shared.log.port import LogUnavailable

_LOOK_SECONDS = 1.0
"""How often it looks where no line says so: a command that could not be followed stays due."""


class Findings:
    """Runs in a thread of a service's worker; the web processes do the same for what they write themselves."""

    def __init__(self, desk: Desk, log: DistributedLog, stop: threading.Event) -> None:
        self._desk, self._log, self._stop = desk, log, stop
        self._changed = threading.Event()
        self._pos: int | None = None
        self._open: set[str] = set()

    def run(self) -> None:
        """Until ``stop``; while the database is away or the log's end not seen, it waits."""
        watched = False
        while not self._stop.is_set():
            self._changed.clear()
            try:
                if not watched:
                    self._log.subscribe(self._changed.set)
                    watched = True
                if self._log.unready() is None:
                    self._look()
            except LogUnavailable:
                pass  # It comes back; the relay and the follower say so while it does not.
            self._changed.wait(_LOOK_SECONDS)

    def _look(self) -> None:
        """Every tournament once, then those that have new lines and those in which something stayed due."""
        if self._pos is None:
            end = self._log.end()
            self._open = {stream.partition("/")[2] for stream in self._log.streams("tournaments/")}
            self._pos = end
        self._desk.folds.refresh()
        for row in self._log.tail(self._pos):
            self._pos = row.pos
            self._open.add(row.stream.partition("/")[2])
        self._open = {t for t in self._open if self._desk.queue_due(t)}
