"""The schema of a service's database: migrated to the newest of Alembic's migrations, or rejected with one line.

A SQLite database is migrated when it is opened. A database of PostgreSQL is migrated by `arbiter migrate` alone, while processes
of the version before still run. Its table ``schema_version`` lists the migration that it is at. Its table ``alembic_version``
lists the oldest migration whose processes may use it. Migrations that only add (expand) leave the latter as it is, until
`arbiter migrate --contract`. So a process works with a database if ``alembic_version`` lists a migration that it knows and the
database has the newest migration that it knows.
"""

import sqlite3
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Connection, Engine

from shared.core.language.messages import say
from shared.log.port import LogUnavailable
from shared.log.sql.schema import (
    APPLICATION,
    EXPANDED,
    MIGRATIONS,
    Schema,
    look,
    migrations,
    name_of,
    reason,
    refuse,
    schema_of,
)
from shared.log.sql.tables import METADATA, WORKER
from shared.log.sql.transactions import translated_errors

if TYPE_CHECKING:
    from alembic.config import Config

_REVISION = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Alembic's table. A new SQLite database gets the newest tables and this one without importing Alembic, which takes longer."""
_LOCK = 4_242_001
_NO_LOCK = "55P03"
"""PostgreSQL's lock_not_available."""
_LOCK_SECONDS, _ATTEMPTS, _AGAIN_SECONDS = 2, 15, 2.0
"""A migration waits two seconds for a table, because every later statement on that table waits behind it. Then it gives way."""


def prepare(engine: Engine, folder: Path = MIGRATIONS) -> None:
    """Make a database ready for this process: SQLite is migrated, and an empty database of PostgreSQL gets its tables.

    Raises `BadDatabase` for any other database of PostgreSQL that is not ready, and like `migrate`.
    """
    schema = None if engine.dialect.name == "sqlite" else look(engine, folder)
    if schema is None or schema.revision is None:
        migrate(engine, folder)
    elif not schema.ready:
        why = say(
            "{database} is at migration {revision}, but this version needs {newest}",
            database=name_of(engine),
            revision=schema.revision,
            newest=schema.newest,
        )
        refuse(engine, why, say("run `arbiter migrate` before you start it"))


def migrate(engine: Engine, folder: Path = MIGRATIONS, contract: bool = False) -> None:
    """Migrate the schema. Processes that do so at the same time wait for each other.

    On PostgreSQL, only migrations that the version before can work with are applied, unless ``contract``. Raises `BadDatabase`
    for a database that is newer, damaged or not Arbiter's, or whose tables stay locked, `LogUnavailable` and `LogFull`.
    """
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            with translated_errors(), engine.begin() as connection:
                if engine.dialect.name == "postgresql":
                    connection.exec_driver_sql("SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0")
                    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
                    connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{_LOCK_SECONDS}s'")
                _upgrade(connection, folder, contract)
            return
        except LogUnavailable as problem:
            if getattr(getattr(problem.__cause__, "orig", None), "sqlstate", None) != _NO_LOCK:
                raise
            if attempt == _ATTEMPTS:
                why = say(
                    "{database} was not changed: other transactions held its tables in {count} attempts of {seconds} s",
                    database=name_of(engine),
                    count=_ATTEMPTS,
                    seconds=_LOCK_SECONDS,
                )
                refuse(engine, why, say("end the long transactions that pg_stat_activity lists, and try again"))
            time.sleep(_AGAIN_SECONDS)
        except (sa.exc.DBAPIError, sqlite3.Error) as problem:
            why = say("{database} cannot be opened: {problem}", database=name_of(engine), problem=reason(problem))
            refuse(engine, why)


def _upgrade(connection: Connection, folder: Path, contract: bool) -> None:
    held, postgres = schema_of(connection, folder), connection.dialect.name == "postgresql"
    if contract and held.revision is not None:
        _require_no_former_process(connection, held.newest)
    if held.revision is None and folder == MIGRATIONS and not postgres:
        _create(connection, held.newest)
        return
    everything = contract or held.revision is None or not postgres
    goal = held.newest if everything else _before_contract(held, folder)
    if held.revision is None or (held.revision != goal and held.revision in migrations(folder)):
        _apply(connection, folder, held, goal)
    if postgres and everything and held.oldest != goal:
        _REVISION.create(connection, checkfirst=True)
        connection.execute(_REVISION.delete())
        connection.execute(_REVISION.insert(), {"version_num": goal})


def _apply(connection: Connection, folder: Path, held: Schema, goal: str) -> None:
    from alembic import command

    config = _config(folder)
    config.attributes["connection"] = connection
    try:
        with translated_errors():
            if connection.dialect.name == "postgresql":
                config.attributes["version_table"] = EXPANDED
                if held.revision is not None:
                    command.stamp(config, held.revision)
            command.upgrade(config, goal)
    except (sa.exc.DBAPIError, sqlite3.Error) as problem:
        why = say(
            "{database} cannot be migrated from {held} to {newest} and was not changed: {problem}",
            database=name_of(connection),
            held=held.revision or say("nothing"),
            newest=goal,
            problem=reason(problem),
        )
        refuse(connection, why)


def _before_contract(held: Schema, folder: Path) -> str:
    """Return the newest migration that the version before can work with: the one before the first that contracts."""
    known, goal = migrations(folder), held.newest
    at: str | None = held.newest
    while at is not None and at != held.revision:
        if known[at].contracts:
            goal = known[at].follows or goal
        at = known[at].follows
    return goal


def _require_no_former_process(connection: Connection, newest: str) -> None:
    """Raise `BadDatabase` if a process of a version before is connected. Processes name their newest migration to PostgreSQL."""
    if connection.dialect.name != "postgresql":
        return
    names = connection.exec_driver_sql(
        "SELECT application_name FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    ).scalars()
    former = [name for name in names if name.split()[:1] == [APPLICATION] and (name.split()[1:] or [""])[0] < newest]
    if former:
        why = say(
            "{database} is used by {count} connections of processes of a former version ({name})",
            database=name_of(connection),
            count=len(former),
            name=former[0],
        )
        refuse(connection, why, say("replace these processes first"))


def _create(connection: Connection, newest: str) -> None:
    """Create the tables and rows that all migrations together create."""
    for statement in _statements():
        connection.exec_driver_sql(statement)
    connection.execute(_REVISION.insert(), {"version_num": newest})
    connection.execute(WORKER.insert(), {"id": 1, "asked": 0, "answered": 0, "beat": 0, "at": 0})


@cache
def _statements() -> tuple[str, ...]:
    """Return the SQL that creates every table and index on SQLite."""
    dialect = sqlite.dialect()
    found: list[str] = []
    engine = sa.create_mock_engine("sqlite://", lambda sql, *_, **__: found.append(str(sql.compile(dialect=dialect))))
    for tables in (METADATA, _REVISION.metadata):
        tables.create_all(engine, checkfirst=False)
    return tuple(found)


def _config(folder: Path) -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    return config
