"""Long decisions outside the writer thread, each in its own child process, so that no tournament waits for another."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from shared.core.language.messages import say
from shared.desk.computations.child_process import ChildProcess
from shared.desk.requests import Behind

Result = TypeVar("Result")

_NICE = 2
"""The niceness of a pairing: it yields to writing, and takes precedence over previews and audits."""
_KEPT = 1
"""Number of idle processes kept for the next computation. Starting one takes about a second."""
_WAITING = 3
"""Maximum number of requests that wait for the computation of their own tournament."""
_TURN_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class ComputationLimits:
    """The limits of a computation: ``seconds``, and ``memory`` bytes that its process may map.

    ``at_once``: the maximum number of computations of all tournaments together.
    """

    seconds: float = 60.0
    memory: int = 4 << 30
    at_once: int = 8


COMPUTING = ComputationLimits()


class Computations:
    """The computations of a process: one at a time for each tournament, in parallel for several tournaments."""

    def __init__(self, limits: ComputationLimits) -> None:
        self.limits = limits
        self._idle: list[ChildProcess] = []
        self._busy: set[ChildProcess] = set()
        self._waiting: Counter[str] = Counter()
        self._changed = threading.Condition()
        self._running: set[str] = set()
        self._ended = False

    def run(self, tournament: str, function: Callable[..., Result], *arguments: Any) -> Result:
        """Run a picklable function and return its result, or raise its exception.

        Raises `Exhausted` if it exceeded the limits. Raises `Behind`, with the PID, if the process died twice. Raises `Behind` if
        too many are computed at once or the service ends.
        """
        with self._turn(tournament), self._child() as child:
            return child.run(function, *arguments)

    @contextmanager
    def _turn(self, tournament: str) -> Iterator[None]:
        """Let only one ``with`` block of a tournament run at a time. Up to three others wait at most 5 seconds.

        Raises `Behind` after this time, and at once if more than three wait.
        """
        full = say("the next round of {tournament} is being computed; ask again when it is", tournament=tournament)
        end = time.monotonic() + _TURN_SECONDS
        with self._changed:
            if self._waiting[tournament] > _WAITING:
                raise Behind(full)
            self._waiting[tournament] += 1
        try:
            with self._changed:
                if not self._changed.wait_for(lambda: tournament not in self._running, end - time.monotonic()):
                    raise Behind(full)
                self._running.add(tournament)
            try:
                yield
            finally:
                with self._changed:
                    self._running.discard(tournament)
                    self._changed.notify_all()
        finally:
            with self._changed:
                self._waiting[tournament] -= 1
                if not self._waiting[tournament]:
                    del self._waiting[tournament]

    @contextmanager
    def _child(self) -> Iterator[ChildProcess]:
        """Provide a child process that computes nothing else inside the ``with`` block. Raises `Behind` if all are busy."""
        with self._changed:
            if self._ended:
                raise Behind(say("the service is ending"))
            if len(self._busy) >= self.limits.at_once:
                raise Behind(say("this service is already computing as many pairings as it allows: try again later"))
            child = self._idle.pop() if self._idle else self._new_child()
            self._busy.add(child)
        try:
            yield child
        finally:
            with self._changed:
                self._busy.discard(child)
                is_reused = not self._ended and len(self._idle) < _KEPT
                if is_reused:
                    self._idle.append(child)
            if not is_reused:
                child.end()

    def _new_child(self) -> ChildProcess:
        return ChildProcess(seconds=self.limits.seconds, memory=self.limits.memory, nice=_NICE)

    def end(self) -> None:
        """End the processes without waiting for their results."""
        with self._changed:
            self._ended = True
            children = [*self._idle, *self._busy]
        for child in children:
            child.end()
