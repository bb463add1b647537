"""Errors of the database drivers, in the words of the log's port."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import sqlalchemy as sa

from shared.core.language.messages import say
from shared.log.port import CommitUnknown, LogFull, LogUnavailable

_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE}
_FULL_STATES = {"53100"}
"""PostgreSQL's disk_full."""
_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
"""SQLite's lock is another's, for as long as anybody waits for it. The code's low byte: the others say why."""
_NOT_NOW = ("25006", "57014", "55P03", "40001", "40P01", "53")
"""What PostgreSQL may do later: read-only now, timed out, a lock not had, a conflict with another transaction, no resources."""


@contextmanager
def translated_errors() -> Iterator[None]:
    """A full disk as `LogFull`, a database that does not answer or cannot now as `LogUnavailable`; all else as it is."""
    try:
        yield
    except (sa.exc.DBAPIError, sqlite3.OperationalError, psycopg.Error) as problem:
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
        if isinstance(problem, psycopg.Error):
            # What was said on the driver itself is told in SQLAlchemy's words, as everything else.
            raise sa.exc.DBAPIError.instance(None, None, problem, psycopg.Error) from problem
        raise


@contextmanager
def committing() -> Iterator[None]:
    """Around a commit: a database that is lost then as `CommitUnknown`, since it may have been made."""
    try:
        yield
    except (sa.exc.DBAPIError, psycopg.Error) as problem:
        if getattr(problem, "connection_invalidated", False) or _away(getattr(problem, "orig", None) or problem):
            raise CommitUnknown(say("the database was lost while it committed")) from problem
        raise


def _away(cause: object) -> bool:
    """No connection to PostgreSQL (no SQLSTATE), or one that is ending (classes 08 and 57P)."""
    if not isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    return cause.sqlstate is None or cause.sqlstate.startswith(("08", "57P"))
