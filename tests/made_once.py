"""What is the same in every house that a test opens is made once a process: an empty database's schema, a route's address.

The first time it is made by the product's own way, and what came of that is used again. A database that is not empty, and
a folder of migrations of a test's own, go that way each time. The disk is not waited for: that it is, only a machine that
loses its power can tell.
"""

import sqlite3
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
    """Werkzeug reads each route of each app anew, and compiles for it a function that builds its address: from its path alone."""
    compiled: dict[tuple[str, bool], Rule] = {}
    compile = Rule.compile

    def as_before(rule: Rule) -> None:
        key = rule.rule, rule.merge_slashes
        own = rule.defaults or rule.host or rule.subdomain
        model = None if own else compiled.get(key)
        if model is not None:
            rule._parts, rule._trace, rule._converters = model._parts, model._trace, model._converters
            rule.arguments |= model.arguments
            rule._build = model._build.__func__.__get__(rule, None)
            rule._build_unknown = model._build_unknown.__func__.__get__(rule, None)
            return
        compile(rule)
        if not own:
            compiled[key] = rule

    Rule.compile = as_before
