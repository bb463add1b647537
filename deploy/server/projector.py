"""The thread that keeps a projection of tournaments up to date in an embedded server, or in standings' worker."""

import threading
import time
from collections.abc import Iterable
from typing import NamedTuple, Protocol

from services.standings.people import projection as people
from services.standings.tables.calendar import projection as calendar
from shared import structured_log
from shared.desk.desk import BEHIND_SECONDS, Desk
from shared.desk.views import Folds
from shared.log.port import Cursor, Log, LogFull, LogUnavailable, covers, moved

LOOK_SECONDS = 1.0
"""How often the log is checked for new events, in seconds, and how often a waiting reader asks for them again."""
_MOST_REST_SECONDS = 60.0
_REST_TIMES = 10
"""The pause after a pass is this many times its CPU time, because a pass computes the records of whole tournaments."""
_TAIL_AT_ONCE = 1000
_WAITERS = 8
"""Readers that wait at the same time. Further ones get the present records at once, so that they hold no threads."""
_GRACE_SECONDS = 2.0


def rest_after(pass_seconds: float) -> float:
    """Return the pause after a pass, in seconds."""
    return min(max(LOOK_SECONDS, _REST_TIMES * pass_seconds), _MOST_REST_SECONDS)


class Project(Protocol):
    """Stores the records of these tournaments as they are now."""

    def __call__(self, log: Log, folds: Folds, tournaments: Iterable[str], /) -> None: ...


class ProjectOutdated(Protocol):
    """Stores the records of all tournaments that are outdated, and returns their number."""

    def __call__(self, log: Log, folds: Folds, /) -> int: ...


class Projection(NamedTuple):
    """A projection of tournaments: its name in the log of the process, and the functions that store it."""

    name: str
    project: Project
    project_outdated: ProjectOutdated


PEOPLE = Projection("people", people.project, people.project_outdated)
CALENDAR = Projection("calendar", calendar.project, calendar.project_outdated)


class Projector:
    """Projects what a desk's log contains, in a thread from `start` to `end`.

    Several processes may do it for one database: records are computed from the log alone, and later ones win.
    """

    def __init__(self, desk: Desk, projection: Projection) -> None:
        self._desk, self._projection = desk, projection
        self._done_to: Cursor | None = None
        """The cursor up to which events are projected, or None before the first pass."""
        self._stop, self._asked = threading.Event(), threading.Event()
        self._done, self._waiters = threading.Condition(), threading.BoundedSemaphore(_WAITERS)
        self._thread = threading.Thread(target=self._run, name=projection.name, daemon=True)

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
            while not self._includes(end) and (left := until - time.monotonic()) > 0:
                self._asked.set()
                self._done.wait(min(left, LOOK_SECONDS))
            return self._includes(end)

    def _includes(self, end: Cursor) -> bool:
        return self._done_to is not None and covers(self._done_to, end)

    def _run(self) -> None:
        while not self._stop.is_set():
            self._asked.clear()
            began = time.thread_time()
            try:
                self._pass()
            except (LogFull, LogUnavailable):
                pass  # The next pass tries again.
            except Exception as problem:
                structured_log.crash(self._projection.name, problem)
            self._asked.wait(rest_after(time.thread_time() - began))  # a reader ends it

    def _pass(self) -> None:
        """Project the tournaments with events since the last pass."""
        log, folds, done = self._desk.log, self._desk.folds, self._done_to
        end = log.end()
        if done is None:
            self._projection.project_outdated(log, folds)
            done = end
        elif not covers(done, end):
            changed: set[str] = set()
            while rows := log.tail(done, _TAIL_AT_ONCE):
                done = moved(done, rows)
                changed |= {row.stream.partition("/")[2] for row in rows}
            folds.refresh()
            self._projection.project(log, folds, sorted(changed))
        with self._done:
            self._done_to = done
            self._done.notify_all()
