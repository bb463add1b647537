"""Engines of a service's database, PostgreSQL or SQLite, migrated to the newest schema."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from shared.log.sql.driver_errors import translated_errors
from shared.log.sql.migration import MIGRATIONS, migrate

_BUSY_SECONDS = 30
_CONNECT_SECONDS = 5


def open_engines(path: Path) -> tuple[Engine, Engine]:
    """(writer, reader) on one SQLite file."""
    return open_url(f"sqlite:///{path}")


def open_url(url: str, migrations: Path = MIGRATIONS) -> tuple[Engine, Engine]:
    """(writer, reader) on a database, migrated to the newest schema.

    The writer's commits are flushed to the disk; on SQLite it takes the write lock as the first
    statement of its transactions. The reader's statements stand alone and never wait.
    ``migrations`` is Alembic's folder. Raises `port.LogUnavailable` where the database cannot be reached, `port.BadDatabase`
    where it cannot be brought to the newest schema.
    """
    if url.startswith("sqlite"):
        arguments: dict[str, Any] = {"connect_args": {"timeout": _BUSY_SECONDS}}
    else:
        seconds = {"connect_timeout": _CONNECT_SECONDS, "application_name": "arbiter"}
        # A connection that a restart of the database has cut is replaced before it is used.
        arguments = {"connect_args": seconds, "pool_pre_ping": True}
    writer = sa.create_engine(url, pool_size=1, max_overflow=9, **arguments)
    reader = sa.create_engine(url, pool_size=8, max_overflow=56, isolation_level="AUTOCOMMIT", **arguments)
    if url.startswith("sqlite"):
        for engine in (writer, reader):
            sa.event.listen(engine, "connect", _configure)
        sa.event.listen(writer, "begin", _begin)
    try:
        migrate(writer, migrations)
    except BaseException:
        writer.dispose()
        raise
    return writer, reader


def _configure(connection: Any, _record: Any) -> None:
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """SQLite's write lock, as the first statement (on the driver: SQLAlchemy's own path costs more than the lock)."""
    connection.connection.cursor().execute("BEGIN IMMEDIATE")


class OneConnection:
    """A connection kept open for transactions one after the other, whichever thread asks.

    Taking it from a pool and giving it back would cost as much as a small commit.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._connection: Connection | None = None

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """One transaction; raises `port.LogFull` when the disk is full, `port.LogUnavailable` when nobody answers."""
        with self._lock, translated_errors():
            if self._connection is None:
                self._connection = self._engine.connect()
            try:
                with self._connection.begin():
                    yield self._connection
            except BaseException:
                if self._connection.invalidated:
                    self._connection.close()
                    self._connection = None
                raise

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
        self._engine.dispose()
