"""Answers to readers without a token: few are made at once, expensive ones one at a time, so that commands do not wait."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum

EXPENSIVE_MILLISECONDS = 20.0
"""CPU time from which an answer is expensive. Below it, a command waits no longer for such an answer than for the network."""
_HELD = 4096  # routes and tournaments remembered: a stranger who names many does not fill the memory

QUEUES = "arbiter.queues"
"""In the environ of a server that can bring a request again when its turn comes."""
TURN = "arbiter.turn"
"""In the environ of a request that such a server brings again: a `Turn`."""

NAMED = "arbiter.named"
"""In the environ of a request with a token that nobody has checked. Without a valid one, the server brings it again."""

Key = tuple[str, str]
"""A route and a tournament."""


class Turn(Enum):
    """The end of a request's wait: its turn came, or did not come in time."""

    TAKEN = "taken"
    MISSED = "missed"


class Queued:
    """The body of an answer that is still to be made: the request of a reader at address ``home`` waits for its turn."""

    def __init__(self, home: str) -> None:
        self.home = home

    def __iter__(self) -> Iterator[bytes]:
        return iter(())


class Unnamed(Queued):
    """The body of an answer that is still to be made: the token of the request is not valid, so its reader has none."""


class ComputingPlaces:
    """The places of the threads that compute answers for readers without a token; a thread that waits leaves its place."""

    def __init__(self, number: int) -> None:
        self._free = threading.Semaphore(number)
        self._thread = threading.local()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Compute in a place, after waiting for one."""
        with self._free:
            self._thread.inside = True
            try:
                yield
            finally:
                self._thread.inside = False

    @contextmanager
    def left(self) -> Iterator[None]:
        """Wait for another thread or process without a place, if this thread has one."""
        if not getattr(self._thread, "inside", False):
            yield
            return
        self._free.release()
        try:
            yield
        finally:
            self._free.acquire()


COMPUTING = ComputingPlaces(4)
"""Those of this process. A command waits for the interpreter at most once for each place, each time it needs it."""


class AnswerCosts:
    """The CPU time that answers used, by route and tournament, of one process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._used: OrderedDict[Key, float] = OrderedDict()

    def is_expensive(self, key: Key) -> bool:
        """Return whether an answer is expensive. One that was never measured is: it could be anything."""
        with self._lock:
            return self._used.get(key, EXPENSIVE_MILLISECONDS) >= EXPENSIVE_MILLISECONDS

    def note(self, key: Key, milliseconds: float, turn: Turn | None) -> None:
        """Record what an answer used.

        Only an answer that was made in its turn lowers the figure, to half at most: a stranger cannot have a route taken for
        cheap by one cheap question and then send many expensive ones at once.
        """
        with self._lock:
            before = self._used.pop(key, 0.0)
            self._used[key] = max(milliseconds, before / 2 if turn is Turn.TAKEN else before)
            if len(self._used) > _HELD:
                self._used.popitem(last=False)
