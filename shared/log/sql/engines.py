"""Engines of a service's database, PostgreSQL or SQLite, migrated to the newest schema."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from shared.log.port import LogAway, LogFull

_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE}
_FULL_STATES = {"53100"}
"""PostgreSQL's disk_full."""
_HEAD = "0003"
_BUSY_SECONDS = 30
_CONNECT_SECONDS = 5
_MIGRATION_LOCK = 4_242_001


def open_engines(path: Path) -> tuple[Engine, Engine]:
    """(writer, reader) on one SQLite file."""
    return open_url(f"sqlite:///{path}")


def open_url(url: str) -> tuple[Engine, Engine]:
    """(writer, reader) on a database, migrated to the newest schema.

    The writer's commits are flushed to the disk; on SQLite it takes the write lock as the first
    statement of its transactions. The reader's statements stand alone and never wait.
    Raises `port.LogAway` where the database cannot be reached.
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
    _migrate(writer)
    return writer, reader


def _configure(connection: Any, _record: Any) -> None:
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """SQLite's write lock, as the first statement (on the driver: SQLAlchemy's own path costs more than the lock)."""
    connection.connection.cursor().execute("BEGIN IMMEDIATE")


def _migrate(engine: Engine) -> None:
    """Bring the schema to its newest version; processes that start at once wait for each other."""
    with translated_errors(), engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
        if sa.inspect(connection).has_table("alembic_version"):
            version = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
            if version == _HEAD:
                return
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


@contextmanager
def translated_errors() -> Iterator[None]:
    """A full disk as `LogFull`, a database that does not answer as `LogAway`; everything else as it is."""
    try:
        yield
    except (sa.exc.DBAPIError, sqlite3.OperationalError, psycopg.Error) as problem:
        cause = getattr(problem, "orig", None) or problem
        full = getattr(cause, "sqlite_errorcode", None) in _FULL or getattr(cause, "sqlstate", None) in _FULL_STATES
        if full:
            raise LogFull("the disk that holds the log is full") from problem
        if getattr(problem, "connection_invalidated", False) or _away(cause):
            raise LogAway("the database does not answer") from problem
        if isinstance(problem, psycopg.Error):
            # What was said on the driver itself is told in SQLAlchemy's words, as everything else.
            raise sa.exc.DBAPIError.instance(None, None, problem, psycopg.Error) from problem
        raise


def _away(cause: object) -> bool:
    """No connection to PostgreSQL (no SQLSTATE), or one that is ending (classes 08 and 57P)."""
    if not isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    return cause.sqlstate is None or cause.sqlstate.startswith(("08", "57P"))


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
        """One transaction; raises `port.LogFull` when the disk is full, `port.LogAway` when nobody answers."""
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
