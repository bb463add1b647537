"""The schema that a service's database has, as far as a process needs to know it, without changing it."""

import ast
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple, NoReturn

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from shared.core.language.messages import Message, in_turn, say, together
from shared.log.port import BadDatabase
from shared.log.sql.tables import METADATA
from shared.log.sql.transactions import translated_errors

MIGRATIONS = Path(__file__).parent / "migrations"
"""Alembic's folder: ``env.py``, and ``versions`` with one file per migration."""
_IDENTIFIER = re.compile(r"^(revision|down_revision|contract)\b[^=\n]*=(.*)$", re.MULTILINE)
"""An assignment at the top of a migration's file: its own name, that of the one it follows, or ``contract = True``."""
EXPANDED = "schema_version"
"""Alembic's table on PostgreSQL. There, ``alembic_version`` has another meaning (`migration`)."""
APPLICATION = "arbiter"
"""First word of the name of this version's connections at PostgreSQL."""
_NEWER = say("start the version of Arbiter that wrote it: check it out and run `make setup`")
_RESTORE = {
    "sqlite": say("restore its last backup, or start in another folder with `arbiter serve --data FOLDER`"),
    "postgresql": say("restore its backup with `pg_restore` (deploy/docs/backup.md), or name an empty database"),
}


@dataclass(frozen=True, slots=True)
class Schema:
    """The migration that a database is at (None: it has no tables), and the newest migration.

    ``oldest``: the oldest migration whose processes may use it. ``ready``: whether this version can use it as it is.
    """

    revision: str | None
    newest: str
    oldest: str | None
    ready: bool


def look(engine: Engine, folder: Path = MIGRATIONS) -> Schema:
    """Return the schema of a database without changing it. Raises `BadDatabase` or `LogUnavailable`."""
    try:
        with translated_errors(), engine.connect() as connection:
            return schema_of(connection, folder)
    except (sa.exc.DBAPIError, sqlite3.Error) as problem:
        refuse(engine, say("{database} cannot be opened: {problem}", database=name_of(engine), problem=reason(problem)))


def schema_of(connection: Connection, folder: Path = MIGRATIONS) -> Schema:
    """Return the schema of a database. Raises `BadDatabase` for one that this version does not know."""
    known, tables = migrations(folder), set(sa.inspect(connection).get_table_names())
    heads = sorted(known.keys() - {one.follows for one in known.values()})
    if len(heads) > 1:
        raise BadDatabase(
            say(
                "the migrations {names} both follow the same one: make one of them follow the other",
                names=together(heads),
            )
        )
    (head,), oldest = heads, _revision(connection, tables)
    if oldest is not None and oldest not in known:
        why = say(
            "{database} is at migration {revision}, unknown to this version (its newest is {newest})",
            database=name_of(connection),
            revision=repr(oldest),
            newest=head,
        )
        refuse(connection, why, _NEWER)
    revision = _revision(connection, tables, EXPANDED) if EXPANDED in tables else oldest
    usable = [head]
    while known[usable[-1]].contracts:
        usable.append(known[usable[-1]].follows or head)
    ready = revision in usable or (revision is not None and revision not in known)
    if ready and (missing := sorted(set(METADATA.tables) - tables)):
        why = say(
            "{database} is at migration {newest}, but has no table {table}",
            database=name_of(connection),
            newest=head,
            table=missing[0],
        )
        refuse(connection, why)
    return Schema(revision, head, oldest, ready)


def _revision(connection: Connection, tables: set[str], table: str = "alembic_version") -> str | None:
    """Return the migration that a table lists, or None if the database is empty. Raises `BadDatabase`."""
    if table not in tables:
        if tables:
            why = say(
                "{database} has tables ({table} …) but no migration (alembic_version): it is not a log of Arbiter",
                database=name_of(connection),
                table=min(tables),
            )
            refuse(connection, why)
        return None
    revisions = (
        connection.execute(sa.select(sa.column("version_num", sa.String)).select_from(sa.table(table))).scalars().all()
    )
    if len(revisions) != 1:
        why = say(
            "{database} lists {count} migrations in {table} instead of one",
            database=name_of(connection),
            count=len(revisions),
            table=table,
        )
        refuse(connection, why)
    return str(revisions[0])


class Migration(NamedTuple):
    """A migration's file: the one that it ``follows``, and whether it ``contracts``: the version before cannot work with it."""

    follows: str | None
    contracts: bool


@cache
def migrations(folder: Path) -> Mapping[str, Migration]:
    """Return the migrations of a folder by name.

    The files are read and not executed: importing Alembic costs more than opening a database that needs no migration.
    """
    found = {}
    for file in folder.glob("versions/[!_]*.py"):
        identifiers = {
            name: ast.literal_eval(value.strip()) for name, value in _IDENTIFIER.findall(file.read_text("utf-8"))
        }
        found[identifiers["revision"]] = Migration(identifiers["down_revision"], identifiers.get("contract", False))
    return found


def application_name() -> str:
    """Return the name of this version's connections at PostgreSQL, with its newest migration."""
    return f"{APPLICATION} {max(migrations(MIGRATIONS))}"


def refuse(bind: Engine | Connection, problem: Message, remedy: Message | None = None) -> NoReturn:
    """Raise `BadDatabase` with the fault of a database and its remedy."""
    raise BadDatabase(in_turn((problem, remedy or _RESTORE[bind.dialect.name])))


def name_of(bind: Engine | Connection) -> Message:
    url = bind.engine.url
    address = url.database if bind.dialect.name == "sqlite" else url.render_as_string(hide_password=True)
    return say("the database {address}", address=str(address))


def reason(problem: Exception) -> str:
    """Return the first line of the driver's message."""
    return str(getattr(problem, "orig", None) or problem).partition("\n")[0]
