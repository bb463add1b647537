"""The schema of a service's database: migrated to the newest of Alembic's migrations, or rejected with one line."""

import ast
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Connection, Engine

from shared.core.language.messages import Message, in_turn, say, together
from shared.log.port import BadDatabase
from shared.log.sql.tables import METADATA, WORKER
from shared.log.sql.transactions import translated_errors

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parent / "migrations"
"""Alembic's folder: ``env.py``, and ``versions`` with one file per migration."""
_IDENTIFIER = re.compile(r"^(revision|down_revision)\b[^=\n]*=(.*)$", re.MULTILINE)
"""An assignment at the top of a migration's file: its own name, or that of the one it follows."""
_REVISION = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Alembic's table. A new SQLite database gets the newest tables and this one without importing Alembic, which takes longer."""
_LOCK = 4_242_001
_NEWER = say("start the version of Arbiter that wrote it: check it out and run `make setup`")
_RESTORE = {
    "sqlite": say("restore its last backup, or start in another folder with `arbiter serve --data FOLDER`"),
    "postgresql": say("restore its backup with `pg_restore` (deploy/docs/backup.md), or name an empty database"),
}


@dataclass(frozen=True, slots=True)
class Schema:
    """The migration that a database is at (None: it has no tables), and the newest migration."""

    revision: str | None
    newest: str


def migrate(engine: Engine, folder: Path = MIGRATIONS) -> None:
    """Migrate the schema to its newest version. Processes that start at the same time wait for each other.

    Raises `BadDatabase` for a database that is newer, damaged or not Arbiter's, `LogUnavailable` and `LogFull`.
    """
    try:
        with translated_errors(), engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.exec_driver_sql("SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0")
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
            _upgrade(connection, folder)
    except (sa.exc.DBAPIError, sqlite3.Error) as problem:
        _refuse(
            engine, say("{database} cannot be opened: {problem}", database=_name_of(engine), problem=_reason(problem))
        )


def _upgrade(connection: Connection, folder: Path) -> None:
    held = schema_of(connection, folder)
    if held.revision == held.newest:
        return
    if held.revision is None and folder == MIGRATIONS and connection.dialect.name == "sqlite":
        _create(connection, held.newest)
        return
    from alembic import command

    config = _config(folder)
    config.attributes["connection"] = connection
    try:
        with translated_errors():
            command.upgrade(config, "head")
    except (sa.exc.DBAPIError, sqlite3.Error) as problem:
        why = say(
            "{database} cannot be migrated from {held} to {newest} and was not changed: {problem}",
            database=_name_of(connection),
            held=held.revision or say("nothing"),
            newest=held.newest,
            problem=_reason(problem),
        )
        _refuse(connection, why)


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


def look(engine: Engine, folder: Path = MIGRATIONS) -> Schema:
    """Return the schema of a database without changing it. Raises like `migrate`."""
    try:
        with translated_errors(), engine.connect() as connection:
            return schema_of(connection, folder)
    except (sa.exc.DBAPIError, sqlite3.Error) as problem:
        _refuse(
            engine, say("{database} cannot be opened: {problem}", database=_name_of(engine), problem=_reason(problem))
        )


def schema_of(connection: Connection, folder: Path = MIGRATIONS) -> Schema:
    """Return the schema of a database. Raises `BadDatabase` for one that this version does not know."""
    known, tables = _predecessors(folder), set(sa.inspect(connection).get_table_names())
    heads = sorted(known.keys() - known.values())
    if len(heads) > 1:
        raise BadDatabase(
            say(
                "the migrations {names} both follow the same one: make one of them follow the other",
                names=together(heads),
            )
        )
    (head,), revision = heads, _revision(connection, tables)
    if revision is not None and revision not in known:
        why = say(
            "{database} is at migration {revision}, unknown to this version (its newest is {newest})",
            database=_name_of(connection),
            revision=repr(revision),
            newest=head,
        )
        _refuse(connection, why, _NEWER)
    if revision == head and (missing := sorted(set(METADATA.tables) - tables)):
        why = say(
            "{database} is at migration {newest}, but has no table {table}",
            database=_name_of(connection),
            newest=head,
            table=missing[0],
        )
        _refuse(connection, why)
    return Schema(revision, head)


def _revision(connection: Connection, tables: set[str]) -> str | None:
    """Return the migration that a database is at, or None if it is empty. Raises `BadDatabase`."""
    if "alembic_version" not in tables:
        if tables:
            why = say(
                "{database} has tables ({table} …) but no migration (alembic_version): it is not a log of Arbiter",
                database=_name_of(connection),
                table=min(tables),
            )
            _refuse(connection, why)
        return None
    revisions = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all()
    if len(revisions) != 1:
        why = say(
            "{database} lists {count} migrations in alembic_version instead of one",
            database=_name_of(connection),
            count=len(revisions),
        )
        _refuse(connection, why)
    return str(revisions[0])


@cache
def _predecessors(folder: Path) -> Mapping[str, str | None]:
    """Return each migration of a folder, with the one that it follows.

    The files are read and not executed: importing Alembic costs more than opening a database that needs no migration.
    """
    found = {}
    for file in folder.glob("versions/[!_]*.py"):
        identifiers = {
            name: ast.literal_eval(value.strip()) for name, value in _IDENTIFIER.findall(file.read_text("utf-8"))
        }
        found[identifiers["revision"]] = identifiers["down_revision"]
    return found


def _config(folder: Path) -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    return config


def _refuse(bind: Engine | Connection, problem: Message, remedy: Message | None = None) -> NoReturn:
    """Raise `BadDatabase` with the fault of a database and its remedy."""
    raise BadDatabase(in_turn((problem, remedy or _RESTORE[bind.dialect.name])))


def _name_of(bind: Engine | Connection) -> Message:
    url = bind.engine.url
    address = url.database if bind.dialect.name == "sqlite" else url.render_as_string(hide_password=True)
    return say("the database {address}", address=str(address))


def _reason(problem: Exception) -> str:
    """Return the first line of the driver's message."""
    return str(getattr(problem, "orig", None) or problem).partition("\n")[0]
