"""The statements that every log on a SQL database shares."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Connection

from shared.core.language.messages import Message
from shared.core.terms import GAMES
from shared.log.port import Cursor, KeptAnswer, NewRow, News, RevokedRow, Row, Text
from shared.log.sql.tables import ERASED, EVENTS, KEPT, LEDGER, REVOKED, SHEETS, TEXTS

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

_COLUMNS = ("pos", "stream", "seq", "source", "sourceseq", "command", "n", "line")


def rows(result: Iterable[Any]) -> list[Row]:
    return [Row(*r) for r in result]


def select_lines(table: sa.Table) -> sa.Select[Any]:
    return sa.select(*(table.c[name] for name in _COLUMNS))


def _columns(table: sa.Table) -> tuple[str, ...]:
    """Return the columns of a `Row`. Only the ledger has partitions."""
    return (*_COLUMNS, "partition") if table is LEDGER else _COLUMNS


def run(connection: Connection, statement: str, values: Sequence[Any] = ()) -> Any:
    """Execute a statement with parameters ``%s`` on the driver, and return the driver's cursor.

    Every batch executes these statements, and SQLAlchemy's own path costs more than a small statement.
    """
    cursor: Any = connection.connection.cursor()
    if connection.dialect.name != "postgresql":
        statement = statement.replace("%s", "?")
    return cursor.execute(statement, values)


def commit_without_flush(connection: Connection) -> None:
    """Let the commit of this transaction not wait for the disk, because what it writes can be read from Kafka again.

    PostgreSQL writes its log in order, so a later commit that waits makes this one permanent too.
    """
    if connection.dialect.name == "postgresql":
        run(connection, "SET LOCAL synchronous_commit = off")


@contextmanager
def one_trip(connection: Connection) -> Iterator[None]:
    """Send the statements that `run` executes in this block to PostgreSQL together. Results may be fetched after it."""
    driver: Any = connection.connection.driver_connection
    if connection.dialect.name != "postgresql":
        yield
        return
    with driver.pipeline():
        yield


_KNOWN = "(SELECT partition FROM owners UNION ALL SELECT -1) AS known"
_LEDGER_TAIL = f"""
SELECT newer.* FROM {_KNOWN}
LEFT JOIN unnest(%s::int[], %s::bigint[]) AS read (number, upto) ON number = known.partition
CROSS JOIN LATERAL (
    SELECT {", ".join(_columns(LEDGER))} FROM ledger
    WHERE ledger.partition = known.partition AND pos > coalesce(upto, 0) ORDER BY pos LIMIT %s
) AS newer
ORDER BY pos LIMIT %s
"""  # noqa: S608
_LEDGER_END = f"SELECT partition, (SELECT max(pos) FROM ledger AS l WHERE l.partition = known.partition) FROM {_KNOWN}"  # noqa: S608


def tail_of(connection: Connection, table: sa.Table, after: Cursor, limit: int | None = None) -> Any:
    """Return official events of a table that follow ``after``, by ``pos``, as a cursor for `rows`."""
    if table is LEDGER and connection.dialect.name == "postgresql":
        return run(connection, _LEDGER_TAIL, (list(after), list(after.values()), limit, limit))
    # One process after the other writes to this database, so all events are committed in the order of ``pos``.
    official = "AND stream BETWEEN 'tournaments/' AND 'tournaments0'" if table is EVENTS else ""
    columns = ", ".join(_columns(table))
    statement = f"SELECT {columns} FROM {table.name} WHERE pos > %s {official} ORDER BY pos LIMIT %s"  # noqa: S608
    return run(connection, statement, (max(after.values(), default=0), -1 if limit is None else limit))


def end_of(connection: Connection, table: sa.Table) -> Cursor:
    """Return the cursor after the last events of a table."""
    if table is LEDGER and connection.dialect.name == "postgresql":
        return {partition: pos for partition, pos in run(connection, _LEDGER_END) if pos is not None}
    (last,) = run(connection, f"SELECT coalesce(max(pos), 0) FROM {table.name}").fetchone()  # noqa: S608
    return {-1: last}


def own_tail_of(connection: Connection, after: int, limit: int) -> Any:
    """Return own events with ``pos`` above ``after``, by ``pos``, as a cursor for `rows`."""
    return run(
        connection,
        f"SELECT {', '.join(_COLUMNS)} FROM events WHERE pos > %s ORDER BY pos LIMIT %s",  # noqa: S608
        (after, limit),
    )


def by_commands(connection: Connection, commands: Sequence[str]) -> list[Row]:
    """Return own events that these commands wrote, by command and ``n``."""
    chosen = select_lines(EVENTS).where(EVENTS.c.command.in_(commands))
    return rows(connection.execute(chosen.order_by(EVENTS.c.command, EVENTS.c.n)))


_ENDS = """
WITH RECURSIVE found (stream) AS (
    SELECT min(stream) FROM {table} WHERE stream > %s
    UNION ALL
    SELECT (SELECT min(stream) FROM {table} WHERE stream > found.stream) FROM found WHERE {inside}
)
SELECT stream, (SELECT max(seq) FROM {table} WHERE stream = found.stream) FROM found WHERE {inside} LIMIT {most}
"""
"""Finds each stream in the index by the one before, so the cost grows with the streams and not with their events."""


def ends_of(
    connection: Connection, table: sa.Table, prefix: str, after: str = "", most: int | None = None
) -> dict[str, int]:
    """Return the streams with this prefix that follow ``after``, sorted, at most ``most``, each with its last ``seq``."""
    if connection.dialect.name != "postgresql":
        # Streams are ordered by their bytes.
        inside, limit = "stream < %s", prefix[:-1] + chr(ord(prefix[-1]) + 1)
        statement = _ENDS.format(table=table.name, inside=inside, most=-1 if most is None else most)
        return dict(run(connection, statement, (max(prefix, after), limit, limit)).fetchall())
    if table is LEDGER:  # All its streams have the same prefix.
        found = run(connection, _ENDS.format(table="ledger", inside="stream IS NOT NULL", most="ALL"), ("",)).fetchall()
    else:
        chosen = sa.select(table.c.stream, sa.func.max(table.c.seq)).group_by(table.c.stream)
        there = table.c.stream.startswith(prefix, autoescape=True)
        found = connection.execute(chosen.where(there, *_by_index(table)))
    return dict(sorted((stream, seq) for stream, seq in found if stream > after)[:most])


def of_stream(table: sa.Table, stream: str) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the conditions for the events of a stream, such that the table's index finds them."""
    return table.c.stream == stream, *_by_index(table)


def _by_index(table: sa.Table) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the condition on the column with which the index of followed sheets begins."""
    return (table.c.source == GAMES,) if table is SHEETS else ()


def sheet_ends(connection: Connection, sheets: Collection[str], table: sa.Table = EVENTS) -> dict[str, int]:
    """Return the number of events on each of these score sheets (streams)."""
    chosen = sa.select(table.c.stream, sa.func.max(table.c.seq).label("last")).where(
        table.c.stream.in_(sheets), *_by_index(table)
    )
    written = {row.stream: int(row.last) for row in connection.execute(chosen.group_by(table.c.stream))}
    return dict.fromkeys(sheets, 0) | written


def insert_new(connection: Connection, table: sa.Table, values: Sequence[dict[str, Any]]) -> None:
    """Insert rows, except those that exist already."""
    connection.execute(_insert(connection.dialect.name, table).on_conflict_do_nothing(), values)


def insert_or_change(
    connection: Connection, table: sa.Table, key: Sequence[str], values: Sequence[dict[str, Any]]
) -> None:
    """Insert rows. If a row of the same ``key`` exists, it gets the values of the other columns."""
    connection.execute(_upsert(connection.dialect.name, table, tuple(key)), values)


@lru_cache
def _upsert(dialect: str, table: sa.Table, key: tuple[str, ...]) -> "postgresql.Insert | sqlite.Insert":
    """Return the statement of `insert_or_change`, which takes as long to build as to execute."""
    insert = _insert(dialect, table)
    changed = {c.name: insert.excluded[c.name] for c in table.c if c.name not in key}
    return insert.on_conflict_do_update(index_elements=list(key), set_=changed)


def _insert(dialect: str, table: sa.Table) -> "postgresql.Insert | sqlite.Insert":
    if dialect != "postgresql":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)


_KINDS = {sa.BigInteger: "int8", sa.Integer: "int4", sa.Text: "text", sa.LargeBinary: "bytea", sa.Float: "float8"}


def insert_many(
    connection: Connection, table: sa.Table, columns: tuple[str, ...], values: Sequence[Sequence[Any]]
) -> None:
    """Insert rows in their order at once. On PostgreSQL, a binary COPY is a sixth of the work of as many INSERTs."""
    named = ", ".join(columns)
    if connection.dialect.name != "postgresql":
        marks = ", ".join("?" * len(columns))
        connection.exec_driver_sql(f"INSERT INTO {table.name} ({named}) VALUES ({marks})", list(values))  # noqa: S608
        return
    driver: Any = connection.connection  # psycopg's own connection, because only psycopg has COPY
    with (
        driver.cursor() as cursor,
        cursor.copy(f"COPY {table.name} ({named}) FROM STDIN (FORMAT BINARY)") as copy,
    ):
        copy.set_types([_KINDS[type(table.c[name].type)] for name in columns])
        for row in values:
            copy.write_row(row)


def insert_rows(
    connection: Connection, table: sa.Table, columns: tuple[str, ...], values: Sequence[Sequence[Any]]
) -> None:
    """Insert a few rows in their order. On PostgreSQL this is one statement, which `one_trip` sends together with others."""
    if connection.dialect.name != "postgresql" or not values:
        insert_many(connection, table, columns, values)
        return
    arrays = ", ".join(f"%b::{_KINDS[type(table.c[name].type)]}[]" for name in columns)
    statement = f"INSERT INTO {table.name} ({', '.join(columns)}) SELECT * FROM unnest({arrays})"  # noqa: S608
    run(connection, statement, [list(column) for column in zip(*values, strict=True)])


class DatabaseTransaction:
    """The statements that every transaction on a SQL database shares."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.erased: set[sa.Table] = set()
        """Tables from which a row was deleted whose contents no file may keep."""

    def unready(self) -> Message | None:
        """Return None: this log does not wait for a worker."""
        return None

    def news(self, after: Cursor) -> News:
        return News(rows(tail_of(self.connection, EVENTS, after)), {})

    def sheets_since(self, after: Mapping[str, int]) -> list[Row]:
        condition = " OR ".join(["(stream = %s AND seq > %s)"] * len(after))
        statement = f"SELECT {', '.join(_COLUMNS)} FROM events WHERE {condition} ORDER BY stream, seq"  # noqa: S608
        return rows(run(self.connection, statement, [value for pair in after.items() for value in pair]))

    def kept_answers(self, keys: Sequence[str]) -> dict[str, KeptAnswer]:
        rows = self.connection.execute(sa.select(KEPT).where(KEPT.c.key.in_(keys)))
        return {r.key: KeptAnswer(r.key, r.body, r.status, r.answer, r.command) for r in rows}

    def by_commands(self, commands: Sequence[str]) -> list[Row]:
        return by_commands(self.connection, commands)

    def decompress(self, tournament: str) -> None:
        """Do nothing: own events are not compressed."""

    def insert(self, new: Sequence[NewRow], numbered: bool) -> None:
        """Insert events. ``numbered`` keeps the ``seq`` of official ones; that of score sheets is always kept."""
        kept = new if numbered else [r if r.stream.startswith("games/") else r._replace(seq=0) for r in new]
        insert_rows(self.connection, EVENTS, NewRow._fields, kept)

    def keep(self, answers: Sequence[KeptAnswer]) -> None:
        values = [
            {"key": a.key, "body": a.body, "status": a.status, "answer": a.answer, "command": a.command}
            for a in answers
        ]
        self.connection.execute(sa.insert(KEPT), values)

    def put_texts(self, texts: Sequence[Text]) -> None:
        self.store_texts(texts)

    def store_texts(self, texts: Sequence[Text]) -> list[Text]:
        """Store texts except those that were erased, and return the stored ones."""
        taken = sa.select(ERASED.c.hash).where(ERASED.c.hash.in_([t.hash for t in texts]))
        erased = set(self.connection.execute(taken).scalars())
        kept = [t for t in texts if t.hash not in erased]
        if kept:
            values = [{"hash": t.hash, "salt": t.salt, "text": t.text, "tournament": t.tournament} for t in kept]
            insert_new(self.connection, TEXTS, values)
        return kept

    def erase_text(self, hash: str) -> None:
        self.erased.add(TEXTS)
        self.connection.execute(sa.delete(TEXTS).where(TEXTS.c.hash == hash))
        insert_new(self.connection, ERASED, [{"hash": hash}])

    def revoke(self, row: RevokedRow) -> None:
        insert_new(self.connection, REVOKED, [row._asdict()])
