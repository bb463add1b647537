"""The statements that every log on a SQL database shares."""

from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, Engine

from shared.log.port import Kept, NewRow, Row, Text
from shared.log.tables import ERASED, EVENTS, KEPT, TEXTS

_COLUMNS = ("pos", "stream", "seq", "source", "sourceseq", "command", "n", "line")


def rows(result: Iterable[Any]) -> list[Row]:
    return [Row(*r) for r in result]


def select_lines(table: sa.Table) -> sa.Select[Any]:
    return sa.select(*(table.c[name] for name in _COLUMNS))


def tail_of(connection: Connection, table: sa.Table, after: int, limit: int | None = None) -> list[Row]:
    """Official lines of a table by ``pos`` above ``after``: asked before every batch, so in plain SQL."""
    official = "AND stream BETWEEN 'tournaments/' AND 'tournaments0'" if table is EVENTS else ""
    mark = "%s" if connection.dialect.name == "postgresql" else "?"
    statement = f"SELECT {', '.join(_COLUMNS)} FROM {table.name} WHERE pos > {mark} {official} ORDER BY pos"  # noqa: S608
    values: tuple[int, ...] = (after,)
    if limit is not None:
        statement, values = f"{statement} LIMIT {mark}", (after, limit)
    if connection.dialect.name == "postgresql":
        return rows(connection.exec_driver_sql(statement, values))
    return rows(connection.connection.cursor().execute(statement, values))


def insert_new(connection: Connection, table: sa.Table, values: Sequence[dict[str, Any]]) -> None:
    """Insert rows, leaving those out that are there already."""
    made = postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
    connection.execute(made.on_conflict_do_nothing(), values)


def insert_many(
    connection: Connection, table: sa.Table, columns: Sequence[str], values: Sequence[Sequence[Any]]
) -> None:
    """Insert many rows at once (PostgreSQL: COPY)."""
    if connection.dialect.name != "postgresql":
        marks = ", ".join("?" * len(columns))
        statement = f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608
        connection.exec_driver_sql(statement, [tuple(row) for row in values])
        return
    driver: Any = connection.connection  # psycopg's own, which alone knows COPY
    with (
        driver.cursor() as cursor,
        cursor.copy(f"COPY {table.name} ({', '.join(columns)}) FROM STDIN") as copy,
    ):
        for row in values:
            copy.write_row(row)


class DatabaseTransaction:
    """The statements that every SQLite-backed transaction shares."""

    ledger = EVENTS
    """The table that is the log as this database has it."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def tail(self, after: int) -> list[Row]:
        return tail_of(self.connection, self.ledger, after)

    def kept(self, keys: Sequence[str]) -> dict[str, Kept]:
        found = self.connection.execute(sa.select(KEPT).where(KEPT.c.key.in_(keys)))
        return {r.key: Kept(r.key, r.body, r.status, r.answer, r.command) for r in found}

    def by_commands(self, commands: Sequence[str]) -> list[Row]:
        chosen = select_lines(EVENTS).where(EVENTS.c.command.in_(commands))
        return rows(self.connection.execute(chosen.order_by(EVENTS.c.command, EVENTS.c.n)))

    def insert(self, new: Sequence[NewRow], numbered: bool) -> None:
        """Insert lines; ``numbered`` keeps the ``seq`` of official ones (a sheet's is always kept)."""
        values = [
            {
                "stream": r.stream,
                "seq": r.seq if numbered or r.stream.startswith("games/") else 0,
                "source": r.source,
                "sourceseq": r.sourceseq,
                "command": r.command,
                "n": r.n,
                "line": r.line,
            }
            for r in new
        ]
        self.connection.execute(_INSERT_LINES, values)

    def keep(self, answers: Sequence[Kept]) -> None:
        values = [
            {"key": a.key, "body": a.body, "status": a.status, "answer": a.answer, "command": a.command}
            for a in answers
        ]
        self.connection.execute(sa.insert(KEPT), values)

    def put_texts(self, texts: Sequence[Text]) -> None:
        self.store_texts(texts)

    def store_texts(self, texts: Sequence[Text]) -> list[Text]:
        """Store texts, leaving out those that were erased; the others."""
        taken = sa.select(ERASED.c.hash).where(ERASED.c.hash.in_([t.hash for t in texts]))
        erased = set(self.connection.execute(taken).scalars())
        kept = [t for t in texts if t.hash not in erased]
        if kept:
            values = [{"hash": t.hash, "salt": t.salt, "text": t.text, "tournament": t.tournament} for t in kept]
            insert_new(self.connection, TEXTS, values)
        return kept

    def erase_text(self, hash: str) -> None:
        self.connection.execute(sa.delete(TEXTS).where(TEXTS.c.hash == hash))
        insert_new(self.connection, ERASED, [{"hash": hash}])


_INSERT_LINES = sa.insert(EVENTS)


class DatabaseTexts:
    """Reading texts from a service's database."""

    reader: Engine

    def texts(self, hashes: Iterable[str]) -> dict[str, Text]:
        found: dict[str, Text] = {}
        wanted = sorted(set(hashes))
        with self.reader.connect() as connection:
            for start in range(0, len(wanted), 500):
                chosen = sa.select(TEXTS).where(TEXTS.c.hash.in_(wanted[start : start + 500]))
                found |= {r.hash: Text(r.hash, r.salt, r.text, r.tournament) for r in connection.execute(chosen)}
        return found

    def tournament_texts(self, tournament: str) -> list[Text]:
        chosen = sa.select(TEXTS).where(TEXTS.c.tournament == tournament).order_by(TEXTS.c.hash)
        with self.reader.connect() as connection:
            return [Text(r.hash, r.salt, r.text, r.tournament) for r in connection.execute(chosen)]
