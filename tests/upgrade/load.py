"""Callers that send each request once, and count what became of it."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any

from deploy.server.settings import SERVICES
from shared.core.terms import Role
from tests.faults.callers import Caller
from tests.faults.history import Entry, History

CALLERS, AT_ONCE = 8, 4
_READS = ("", "", "/standings")
_SECONDS = 120


class Requests:
    """The requests of all callers: those under way, the number sent, and those that no service answered."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._under_way: set[int] = set()
        self.sent = 0
        self.statuses: Counter[int] = Counter()
        self.refused: list[str] = []

    @contextmanager
    def sending(self) -> Iterator[None]:
        with self._changed:
            self.sent += 1
            number = self.sent
            self._under_way.add(number)
        try:
            yield
        finally:
            with self._changed:
                self._under_way.discard(number)
                self._changed.notify_all()

    def answered(self, path: str, status: int, content: bytes) -> None:
        """Count an answer. ``status``: 0 if none came."""
        with self._changed:
            self.statuses[status] += 1
            if status == 0 or status == 429 or status >= 500:
                self.refused.append(f"{path}: {status} {content.decode('utf-8', 'replace')[:300]}")
                print(self.refused[-1], flush=True)

    def wait_until_answered(self) -> None:
        """Wait until every request that is under way now has its answer."""
        with self._changed:
            begun = set(self._under_way)
            assert self._changed.wait_for(lambda: not begun & self._under_way, _SECONDS), "requests are not answered"

    def wait_for(self, more: int) -> None:
        """Wait until ``more`` requests were sent."""
        with self._changed:
            goal = self.sent + more
            assert self._changed.wait_for(lambda: self.sent >= goal, _SECONDS), "nothing is sent any more"


class PlainCaller(Caller):
    """A caller that sends each command once, and reads in between."""

    def __init__(self, name: str, rng: Random, address: tuple[str, int], keys: Path, load: "Load") -> None:
        super().__init__(name, rng, address, keys, load.history)
        self._requests = load.requests

    def _rules(self, t: str) -> None:
        for _ in range(3):
            service = self.rng.choice([f"/services/{name}" for name in SERVICES] + [""])
            self._call(f"{service if (path := self.rng.choice(_READS)) == '' else ''}/v1/tournaments/{t}{path}")
        super()._rules(t)

    def _call(
        self, path: str, body: Any = None, role: Role = "arbiter", more: dict[str, str] | None = None
    ) -> tuple[int, int | None, bytes]:
        if self._connection is None:
            self._connection = HTTPConnection(*self._address, timeout=_SECONDS)
        with self._requests.sending():
            status, seq, content = super()._call(path, body, role, more)
        self._requests.answered(path, status, content)
        return status, seq, content

    def _unanswered(self, entry: Entry, problem: str, keyed: bool) -> None:
        self._done(entry, "unknown", problem or "no answer")


class Load:
    """Eight callers that write to four tournaments until `end`, with pauses of ``rest`` seconds."""

    def __init__(self, address: tuple[str, int], keys: Path, seed: int, rest: float = 0.0) -> None:
        self._rest = rest
        self.history, self.requests, self.tournaments = History(), Requests(), list[str]()
        self._seed, self._stop, self._failures = seed, threading.Event(), list[BaseException]()
        self._opener, *self._callers = (
            PlainCaller(name, Random(f"{seed} {name}"), address, keys, self)
            for name in ("opener", *(f"c{n}" for n in range(CALLERS)))
        )
        self._threads = [threading.Thread(target=self._write, args=(one,), name=one.name) for one in self._callers]

    def renew(self) -> None:
        """Create four tournaments and send the callers there, so that tables stay small."""
        first = len(self.tournaments)
        for n in range(first, first + AT_ONCE):
            self._opener.announces(f"cup.{self._seed}.{n}", [caller.name for caller in self._callers])
            self.tournaments.append(f"cup.{self._seed}.{n}")
        self._opener.close()  # the gateway closes a connection that is not used for 75 s
        for number, caller in enumerate(self._callers):
            caller.goes_to(self.tournaments[first + number % AT_ONCE], number // AT_ONCE)

    def __enter__(self) -> "Load":
        self.renew()
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(_SECONDS)
        assert not self._failures, self._failures

    def _write(self, caller: PlainCaller) -> None:
        try:
            caller.write(self._stop, self._rest)
        except BaseException as problem:
            self._failures.append(problem)
