"""Locks that let one process of a service do what must not be done twice at once, while others stand by."""

import fcntl
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.language.messages import say
from shared.log.distributed import DistributedLog
from shared.log.port import LogUnavailable
from shared.log.sql import worker_state
from shared.log.sql.transactions import translated_errors

_SPACE = 4_242
"""First half of PostgreSQL's two-number locks; tournaments use the one-number ones."""
_AGAIN_SECONDS = 0.25


class Lock:
    """A lock that is held. ``begin`` gives transactions that fail once it is lost."""

    def __init__(self, log: DistributedLog, connection: Connection | None) -> None:
        self._log, self._connection = log, connection

    def listen(self, channel: str) -> None:
        """Hear of what is told on a channel (`wait`); on SQLite nothing is told."""
        if self._connection is not None:
            with self.begin() as connection:
                connection.exec_driver_sql(f"LISTEN {channel}")

    def wait(self, seconds: float) -> bool:
        """Wait until something is told, at most so long; False where nothing can be heard here."""
        if self._connection is None:
            return False
        driver = self._connection.connection.driver_connection
        assert driver is not None
        with translated_errors():
            list(driver.notifies(timeout=seconds, stop_after=1))
        return True

    def begin(self) -> AbstractContextManager[Connection]:
        return self._log.begin() if self._connection is None else self._on(self._connection)

    @contextmanager
    def _on(self, connection: Connection) -> Iterator[Connection]:
        # The lock lives as long as its session: on a new one it would no longer be ours.
        if connection.invalidated:
            raise LogUnavailable(say("the connection that held the lock is lost"))
        with translated_errors(), connection.begin():
            yield connection


@contextmanager
def hold(log: DistributedLog, name: str, stop: threading.Event) -> Iterator[Lock | None]:
    """Wait for a lock of this service's database; None where ``stop`` was set first.

    Raises `port.LogUnavailable`.
    """
    with _postgres(log, name, stop) if log.postgres else _file(log, name, stop) as lock:
        yield lock


@contextmanager
def _postgres(log: DistributedLog, name: str, stop: threading.Event) -> Iterator[Lock | None]:
    number = int.from_bytes(sha256(name.encode()).digest()[:4], "big", signed=True)
    ask = sa.select(sa.func.pg_try_advisory_lock(_SPACE, number))
    with translated_errors():
        connection = log.engine.connect()
    try:
        while not stop.is_set():
            with translated_errors(), connection.begin():
                taken = connection.execute(ask).scalar()
            if taken:
                yield Lock(log, connection)
                return
            stop.wait(_AGAIN_SECONDS)
        yield None
    finally:
        # Ending the session gives the lock back, whatever state it is in.
        connection.invalidate()
        connection.close()


@contextmanager
def _file(log: DistributedLog, name: str, stop: threading.Event) -> Iterator[Lock | None]:
    path = Path(f"{log.engine.url.database}.{name}.lock")
    with path.open("w") as file:
        while not stop.is_set():
            if _flock(file):
                yield Lock(log, None)
                return
            stop.wait(_AGAIN_SECONDS)
        yield None


def _flock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


_LOCK_SECONDS = 3.0


class NotPossible(Exception):
    """Why nothing was rebuilt; nothing was changed."""


@contextmanager
def alone(logs: Sequence[DistributedLog]) -> Iterator[None]:
    """Hold the locks of relay and follower of every service named."""
    stop = threading.Event()
    timer = threading.Timer(_LOCK_SECONDS, stop.set)
    timer.daemon = True
    timer.start()
    try:
        with ExitStack() as stack:
            for log in logs:
                for name in (worker_state.FOLLOWER, worker_state.RELAY):
                    if stack.enter_context(hold(log, name, stop)) is None:
                        raise NotPossible(
                            say("the worker of {source} is still running: stop the workers first", source=log.source)
                        )
            yield
    finally:
        timer.cancel()
