"""Transactions of a database: their lock, their commit, and the errors of its driver as those of the log's port."""

import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from shared.core.language.messages import say
from shared.log.port import CommitUnknown, LogFull, LogUnavailable

_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE}
_FULL_STATES = {"53100"}
"""PostgreSQL's disk_full."""
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
"""Another process held SQLite's lock until the timeout. This is the low byte of the code; the other bytes give the reason."""
_NOT_NOW = ("25006", "57014", "55P03", "40001", "40P01", "53")
"""PostgreSQL may succeed later: it is read-only, timed out, got no lock, conflicts with a transaction, or lacks resources."""


def _errors(*others: type[Exception]) -> tuple[type[Exception], ...]:
    """Return these errors and that of psycopg, which only an engine of PostgreSQL imports: it takes long."""
    psycopg = sys.modules.get("psycopg")
    return others if psycopg is None else (*others, psycopg.Error)


@contextmanager
def translated_errors() -> Iterator[None]:
    """Raise `LogFull` for a full disk, `LogUnavailable` if the database is away or busy, and other errors unchanged."""
    try:
        yield
    except _errors(sa.exc.DBAPIError, sqlite3.OperationalError) as problem:
        cause = getattr(problem, "orig", None) or problem
        full = getattr(cause, "sqlite_errorcode", None) in _FULL or getattr(cause, "sqlstate", None) in _FULL_STATES
        if full:
            raise LogFull(say("the disk that holds the log is full")) from problem
        if getattr(problem, "connection_invalidated", False) or _away(cause):
            raise LogUnavailable(say("the database does not answer")) from problem
        if (getattr(cause, "sqlite_errorcode", None) or 0) & 0xFF in _LOCKED:
            raise LogUnavailable(say("another process holds the database")) from problem
        state = str(getattr(cause, "sqlstate", None) or "")
        if state.startswith(_NOT_NOW):
            raise LogUnavailable(say("the database cannot do this now: {state}", state=state)) from problem
        psycopg = sys.modules.get("psycopg")
        if psycopg is not None and isinstance(problem, psycopg.Error):
            # Callers catch SQLAlchemy's errors, also of statements that were executed on the driver itself.
            raise sa.exc.DBAPIError.instance(None, None, problem, psycopg.Error) from problem
        raise


def is_damage(problem: BaseException | None) -> bool:
    """Return whether an error, of SQLite or of SQLAlchemy, reports damaged pages."""
    code = getattr(getattr(problem, "orig", None) or problem, "sqlite_errorcode", None)
    return (code or 0) & 0xFF in _DAMAGED


@contextmanager
def committing() -> Iterator[None]:
    """Raise `CommitUnknown` if the database is lost during the commit, because it may have succeeded."""
    try:
        yield
    except _errors(sa.exc.DBAPIError) as problem:
        if getattr(problem, "connection_invalidated", False) or _away(getattr(problem, "orig", None) or problem):
            raise CommitUnknown(say("the database was lost while it committed")) from problem
        raise


def _away(cause: object) -> bool:
    """Return whether PostgreSQL cannot be reached (no SQLSTATE) or the connection is ending (classes 08 and 57P)."""
    psycopg = sys.modules.get("psycopg")
    if psycopg is None or not isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    return cause.sqlstate is None or cause.sqlstate.startswith(("08", "57P"))


def begin_immediate(connection: Connection) -> None:
    """Take SQLite's write lock as the first statement of a transaction.

    It is executed on the driver, because SQLAlchemy's own path costs more than the lock.
    """
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
        """Run a ``with`` block in one transaction.

        Raises `port.LogFull` if the disk is full, `port.LogUnavailable` if the database does not answer, and
        `port.CommitUnknown` if the commit may have succeeded.
        """
        with self._lock, translated_errors():
            if self._connection is None:
                self._connection = self._engine.connect()
            transaction = self._connection.begin()
            try:
                yield self._connection
                with committing():
                    transaction.commit()
            except BaseException:
                transaction.rollback()
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
