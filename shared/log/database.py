"""One service database on SQLite, as every SQLite-backed log uses it: engines, migrations, shared statements."""

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from shared.log.port import Kept, LogFull, NewRow, Row, Text
from shared.log.tables import ERASED, EVENTS, KEPT, TEXTS

_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE}
_HEAD = "0001"
_BUSY_SECONDS = 30
_COLUMNS = ("pos", "stream", "seq", "source", "sourceseq", "command", "n", "line")


def open_engines(path: Path) -> tuple[Engine, Engine]:
    """(writer, reader) on one file, migrated to the newest schema.

    The writer takes SQLite's write lock as the first statement of its
    transactions and flushes each commit to the disk; the reader never waits.
    """
    url = f"sqlite:///{path}"
    writer = sa.create_engine(url, pool_size=1, max_overflow=0, connect_args={"timeout": _BUSY_SECONDS})
    reader = sa.create_engine(url, isolation_level="AUTOCOMMIT", connect_args={"timeout": _BUSY_SECONDS})
    for engine in (writer, reader):
        sa.event.listen(engine, "connect", _configure)
    sa.event.listen(writer, "begin", _begin)
    _migrate(writer)
    return writer, reader


def _configure(connection: Any, _record: Any) -> None:
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """SQLite's write lock, as the first statement (on the driver: SQLAlchemy's own path costs more than the lock)."""
    connection.connection.cursor().execute("BEGIN IMMEDIATE")


def _migrate(engine: Engine) -> None:
    """Bring the schema to its newest version; processes that start at once wait for each other."""
    with translated_errors(), engine.begin() as connection:
        if sa.inspect(connection).has_table("alembic_version"):
            version = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
            if version == _HEAD:
                return
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


@contextmanager
def translated_errors() -> Iterator[None]:
    """A full disk as `LogFull`; everything else as it is."""
    try:
        yield
    except (sa.exc.OperationalError, sqlite3.OperationalError) as problem:
        if getattr(getattr(problem, "orig", problem), "sqlite_errorcode", None) in _FULL:
            raise LogFull("the disk that holds the log is full") from problem
        raise


def rows(result: Iterable[Any]) -> list[Row]:
    return [Row(*r) for r in result]


def select_lines(table: sa.Table) -> sa.Select[Any]:
    return sa.select(*(table.c[name] for name in _COLUMNS))


def tail_of(connection: Connection, table: sa.Table, after: int, limit: int | None = None) -> list[Row]:
    """Official lines of a table by ``pos`` above ``after``: asked before every batch, so in plain SQL."""
    statement = (
        f"SELECT {', '.join(_COLUMNS)} FROM {table.name} "  # noqa: S608
        "WHERE pos > ? AND stream BETWEEN 'tournaments/' AND 'tournaments0' ORDER BY pos LIMIT ?"
    )
    return rows(connection.connection.cursor().execute(statement, (after, -1 if limit is None else limit)))


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
        """One transaction; raises `port.LogFull` when the disk is full."""
        with self._lock, translated_errors():
            if self._connection is None:
                self._connection = self._engine.connect()
            with self._connection.begin():
                yield self._connection

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
        self._engine.dispose()


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
        taken = sa.select(ERASED.c.hash).where(ERASED.c.hash.in_([t.hash for t in texts]))
        erased = set(self.connection.execute(taken).scalars())
        values = [
            {"hash": t.hash, "salt": t.salt, "text": t.text, "tournament": t.tournament}
            for t in texts
            if t.hash not in erased
        ]
        if values:
            self.connection.execute(sa.insert(TEXTS).prefix_with("OR IGNORE"), values)

    def erase_text(self, hash: str) -> None:
        self.connection.execute(sa.delete(TEXTS).where(TEXTS.c.hash == hash))
        self.connection.execute(sa.insert(ERASED).prefix_with("OR IGNORE"), {"hash": hash})


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
