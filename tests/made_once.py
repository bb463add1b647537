"""What is the same in every house that a test opens is made once a process: an empty database's schema, a route's address.

The first time it is made by the product's own way, and what came of that is used again. A database that is not empty, and
a folder of migrations of a test's own, go that way each time. The disk is not waited for: that it is, only a machine that
loses its power can tell.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy.engine import Connection
from werkzeug.routing import Rule

from shared.log.sql import engines, migration


def begin() -> None:
    """From now on, in this process."""
    _disk()
    _schema()
    _addresses()


def _disk() -> None:
    configure = engines._configure

    def as_before(connection: Any, record: Any) -> None:
        configure(connection, record)
        connection.execute("PRAGMA synchronous=OFF")

    engines._configure = as_before


def _schema() -> None:
    """An empty SQLite database is given the statements that the migrations led to the first time."""
    upgrade, statements = migration._upgrade, []

    def as_before(connection: Connection, folder: Path) -> None:
        raw = connection.connection.driver_connection
        if folder != migration.MIGRATIONS or not isinstance(raw, sqlite3.Connection) or _tables(raw):
            upgrade(connection, folder)
            return
        if not statements:
            upgrade(connection, folder)
            statements.extend(s for s in raw.iterdump() if s not in ("BEGIN TRANSACTION;", "COMMIT;"))
        else:
            for statement in statements:
                raw.execute(statement)

    migration._upgrade = as_before


def _tables(raw: sqlite3.Connection) -> int:
    found: int = raw.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return found


def _addresses() -> None:
    """Werkzeug compiles for each route of each app a function that builds its address: from its path alone."""
    compiled: dict[Any, Callable[..., tuple[str, str]]] = {}
    compile_builder = Rule._compile_builder

    def as_before(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        if rule.defaults:
            return compile_builder(rule, append_unknown)
        key = rule.rule, tuple(rule._trace), append_unknown
        if key not in compiled:
            compiled[key] = compile_builder(rule, append_unknown)
        return compiled[key]

    Rule._compile_builder = as_before
