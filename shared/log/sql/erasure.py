"""SQLite keeps nothing of what was erased: pages are overwritten, and the write-ahead log is cut.

``secure_delete`` zeroes what is deleted, but not the copies that a page keeps of rows which a neighbour has taken over
(measured: 1 of 2,600 erased texts stayed in the file). Therefore all pages of the table are given back, each zeroed.
"""

import sqlite3
from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

_CUT_MS = 2_000
"""How long cutting the log waits for readers; it is cut with the next commit then."""
_OVERWRITES = 1
"""SQLite's ``user_version`` of a database in which whatever was erased is overwritten."""


def secure(connection: Any) -> None:
    """Have what is deleted overwritten, over a driver's connection."""
    connection.execute("PRAGMA secure_delete=ON")


def rewrite(connection: Connection, table: sa.Table) -> None:
    """Give back every page of a table, and write the rows that are left anew; in the caller's transaction."""
    rows = [row._asdict() for row in connection.execute(sa.select(table).order_by(*table.primary_key))]
    connection.execute(sa.delete(table))  # without a condition SQLite clears the pages themselves
    if rows:
        connection.execute(sa.insert(table), rows)


def cut_wal(engine: Engine) -> bool:
    """Move what the write-ahead log holds into the database, and leave no byte of it; False where a reader is in the way."""
    with engine.connect() as connection:
        cursor: Any = connection.connection.cursor()
        (before,) = cursor.execute("PRAGMA busy_timeout").fetchone()
        cursor.execute(f"PRAGMA busy_timeout={_CUT_MS}")
        try:
            busy, _, _ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError:
            return False
        finally:
            cursor.execute(f"PRAGMA busy_timeout={before}")
    return not busy


def shrink(engine: Engine) -> bool:
    """Give the free pages of a database back to the file system; False where another process uses it now."""
    with suppress(sqlite3.OperationalError), engine.connect() as connection:
        connection.connection.cursor().execute("VACUUM")
        return cut_wal(engine)
    return False


def overwrite_past(engine: Engine) -> None:
    """Once for each database: write it anew without what earlier versions had only marked as deleted.

    Where others use it now, that is left to the next time it is opened.
    """
    with suppress(sqlite3.OperationalError), engine.connect() as connection:
        cursor: Any = connection.connection.cursor()
        if cursor.execute("PRAGMA user_version").fetchone() == (_OVERWRITES,):
            return
        cursor.execute("VACUUM")
        cursor.execute(f"PRAGMA user_version={_OVERWRITES}")
    cut_wal(engine)
