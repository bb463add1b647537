"""Locks of a service's database: workers share them on PostgreSQL, and a rebuild takes them alone."""

import fcntl
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.language.messages import Message, say
from shared.log.distributed import DistributedLog
from shared.log.port import LogUnavailable
from shared.log.sql import owners, worker_state
from shared.log.sql.owners import Claims, Fenced
from shared.log.sql.schema import application_name
from shared.log.sql.statements import run
from shared.log.sql.transactions import translated_errors

_SPACE = 4_242
"""First half of PostgreSQL's two-number locks; tournaments use the one-number ones."""
_AGAIN_SECONDS = 0.25


class Lock:
    """A lock that is held. ``begin`` gives transactions that fail once it, or one of the ``claims``, is lost."""

    def __init__(self, log: DistributedLog, connection: Connection | None, claims: Claims | None = None) -> None:
        self._log, self._connection, self.claims = log, connection, claims

    def owns(self, partition: int) -> bool:
        """Return whether the holder works on a partition. Without claims, it works on all."""
        return self.claims is None or partition in self.claims.epochs

    @property
    def partitions(self) -> Collection[int]:
        """The partitions of the claims."""
        return () if self.claims is None else self.claims.epochs.keys()

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
            if self.claims is not None:
                owners.fence(connection, self.claims)
            yield connection


@contextmanager
def hold(log: DistributedLog, name: str, stop: threading.Event, claims: Claims | None = None) -> Iterator[Lock | None]:
    """Wait for a lock of this service's database. Yield None if ``stop`` was set first.

    With ``claims``, workers share the lock on PostgreSQL, and only `alone` and workers of an earlier version take it
    exclusively. Raises `port.LogUnavailable`.
    """
    with _postgres(log, name, stop, claims) if log.postgres else _file(log, name, stop, claims) as lock:
        yield lock


@contextmanager
def _postgres(log: DistributedLog, name: str, stop: threading.Event, claims: Claims | None) -> Iterator[Lock | None]:
    number = int.from_bytes(sha256(name.encode()).digest()[:4], "big", signed=True)
    take = sa.func.pg_try_advisory_lock if claims is None else sa.func.pg_try_advisory_lock_shared
    ask = sa.select(take(_SPACE, number))
    with translated_errors():
        connection = log.engine.connect()
    try:
        if claims is not None:  # so that a claim finds the sessions of the former owner
            with translated_errors(), connection.begin():
                run(
                    connection,
                    "SELECT set_config('application_name', %s, false)",
                    (f"{application_name()} {claims.member}",),
                )
        while not stop.is_set():
            with translated_errors(), connection.begin():
                taken = connection.execute(ask).scalar()
            if taken:
                yield Lock(log, connection, claims)
                return
            stop.wait(_AGAIN_SECONDS)
        yield None
    finally:
        # Ending the session gives the lock back, whatever state it is in.
        connection.invalidate()
        connection.close()


@contextmanager
def _file(log: DistributedLog, name: str, stop: threading.Event, claims: Claims | None) -> Iterator[Lock | None]:
    path = Path(f"{log.engine.url.database}.{name}.lock")
    with path.open("w") as file:
        while not stop.is_set():
            if _flock(file):
                yield Lock(log, None, claims)
                return
            stop.wait(_AGAIN_SECONDS)
        yield None


def halt(log: DistributedLog, part: str, why: Message, claims: Claims) -> bool:
    """Note why a part must not continue with its partitions. Return False, and note nothing, if it has lost one of them."""
    try:
        with log.begin() as connection:
            if log.postgres:
                owners.fence(connection, claims)
            worker_state.halt(connection, part, why, claims.epochs)
    except Fenced:
        return False
    return True


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
    """Hold the locks of relay and follower of every service named, which no worker of these services holds meanwhile."""
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
