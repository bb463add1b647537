"""Engines of a service's database, PostgreSQL or SQLite: migrated to the newest schema, or only read."""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from shared.log.sql.erasure import overwrite_past, secure
from shared.log.sql.migration import MIGRATIONS, migrate
from shared.log.sql.transactions import begin_immediate

_BUSY_SECONDS = 30  # SQLite has one writer: the others wait for it and do not fail
_CONNECT_SECONDS = 5  # a database that does not answer is reported long before a caller gives up
_READ_ONLY = "-c default_transaction_read_only=on"
_PATIENCE = "-c lock_timeout=10s -c statement_timeout=60s"
"""So that nobody waits for ever: for another's lock, or for a statement."""
_OTHERS = 0o077


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
        make_private(sa.make_url(url).database)
    else:
        seconds = {"connect_timeout": _CONNECT_SECONDS, "application_name": "arbiter", "options": _PATIENCE}
        # A connection that a restart of the database has cut is replaced before it is used.
        arguments = {"connect_args": seconds, "pool_pre_ping": True}
    writer = sa.create_engine(url, pool_size=1, max_overflow=9, **arguments)
    reader = sa.create_engine(url, pool_size=8, max_overflow=56, isolation_level="AUTOCOMMIT", **arguments)
    if url.startswith("sqlite"):
        for engine in (writer, reader):
            sa.event.listen(engine, "connect", _configure)
        sa.event.listen(writer, "begin", begin_immediate)
    try:
        migrate(writer, migrations)
        if url.startswith("sqlite"):
            overwrite_past(reader)
    except BaseException:
        writer.dispose()
        raise
    return writer, reader


def open_readonly(url: str) -> Engine:
    """An engine that changes nothing of a database, neither its schema nor SQLite's files beside it.

    Whether it can be connected to, and what it holds, shows itself at the first statement.
    """
    arguments: dict[str, Any] = {"isolation_level": "AUTOCOMMIT"}
    path = sa.make_url(url).database
    if url.startswith("sqlite"):
        arguments["creator"] = lambda: _reading(Path(path or ""))
    else:
        seconds = {"connect_timeout": _CONNECT_SECONDS, "application_name": "arbiter", "options": _READ_ONLY}
        arguments |= {"connect_args": seconds, "pool_pre_ping": True, "pool_size": 8, "max_overflow": 56}
    return sa.create_engine(url, **arguments)


def _reading(path: Path) -> sqlite3.Connection:
    """A connection that makes no file: without a WAL nobody writes, and SQLite is told so (it would make one)."""
    written = path.with_name(f"{path.name}-wal").exists()
    uri = f"file:{quote(str(path))}?mode=ro{'' if written else '&immutable=1'}"
    connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, check_same_thread=False)
    try:
        _read_schema(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _read_schema(connection: sqlite3.Connection) -> None:
    """Raise `sqlite3.DatabaseError` if the schema is damaged.

    SQLite quotes the damaged name in its message, and `sqlite3` raises UnicodeDecodeError for bytes that are not UTF-8.
    """
    try:
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1")
    except UnicodeDecodeError as problem:
        raise sqlite3.DatabaseError(problem.object.decode("utf-8", "backslashreplace")) from None


def files_of(path: Path) -> tuple[Path, ...]:
    """A SQLite database, and the files that SQLite keeps beside it."""
    return path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def make_private(database: str | None) -> None:
    """The files of a SQLite database are their owner's alone, from before the first byte is in them.

    SQLite gives the files beside it the mode of the database. What cannot be changed here, opening will say.
    """
    if not database or database == ":memory:":
        return
    path = Path(database)
    with suppress(OSError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    for file in files_of(path):
        with suppress(OSError):
            if file.stat().st_mode & _OTHERS:
                file.chmod(0o600)


def _configure(connection: Any, _record: Any) -> None:
    connection.isolation_level = None
    _read_schema(connection)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
    secure(connection)
