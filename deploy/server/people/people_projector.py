"""The thread that keeps the projection of people up to date in an embedded server."""

import threading
import time

from services.standings.people.projection import project, project_outdated
from shared import structured_log
from shared.desk.desk import BEHIND_SECONDS, Desk
from shared.log.port import LogFull, LogUnavailable

LOOK_SECONDS = 1.0
"""How often the log is checked for new events, in seconds, and how often a waiting reader asks for them again."""
_MOST_REST_SECONDS = 60.0
_REST_TIMES = 10
"""The pause after a pass is this many times its duration, because a pass computes the records of whole tournaments."""
_TAIL_AT_ONCE = 1000
_WAITERS = 8
"""Readers that wait at the same time. Further ones get the present records at once, so that they hold no threads."""
_GRACE_SECONDS = 2.0


def rest_after(pass_seconds: float) -> float:
    """Return the pause after a pass, in seconds."""
    return min(max(LOOK_SECONDS, _REST_TIMES * pass_seconds), _MOST_REST_SECONDS)


class PeopleProjector:
    """Projects what a desk's log contains, in a thread from `start` to `end`.

    Several processes may do it for one folder: records are computed from the log alone, and later ones win.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk, self._pos = desk, -1
        self._stop, self._asked = threading.Event(), threading.Event()
        self._done, self._waiters = threading.Condition(), threading.BoundedSemaphore(_WAITERS)
        self._thread = threading.Thread(target=self._run, name="people", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        self._stop.set()
        self._asked.set()
        if self._thread.is_alive():
            self._thread.join(_GRACE_SECONDS)

    def catch_up(self, timeout: float = BEHIND_SECONDS) -> bool:
        """Wait until the projection includes all that the log contains now. Return False if it takes longer."""
        if not self._waiters.acquire(blocking=False):
            return False
        try:
            return self._wait(timeout)
        finally:
            self._waiters.release()

    def _wait(self, timeout: float) -> bool:
        end, until = self._desk.log.end(), time.monotonic() + timeout
        with self._done:
            while self._pos < end and (left := until - time.monotonic()) > 0:
                self._asked.set()
                self._done.wait(min(left, LOOK_SECONDS))
            return self._pos >= end

    def _run(self) -> None:
        while not self._stop.is_set():
            self._asked.clear()
            began = time.monotonic()
            try:
                self._pass()
            except (LogFull, LogUnavailable):
                pass  # The next pass tries again.
            except Exception as problem:
                structured_log.crash("people", problem)
            self._asked.wait(rest_after(time.monotonic() - began))  # a reader ends it

    def _pass(self) -> None:
        """Project the tournaments with events since the last pass."""
        log, folds, pos = self._desk.log, self._desk.folds, self._pos
        end = log.end()
        if pos < 0:
            project_outdated(log, folds)
        elif pos < end:
            changed: set[str] = set()
            while rows := log.tail(pos, _TAIL_AT_ONCE):
                pos = rows[-1].pos
                changed |= {row.stream.partition("/")[2] for row in rows}
            folds.refresh()
            project(log, folds, sorted(changed))
        with self._done:
            self._pos = max(pos, end)
            self._done.notify_all()
