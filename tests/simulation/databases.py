"""The databases of a history: SQLite in memory, whose transactions other tasks see only as a whole.

Tasks change before a transaction begins and after its commit. At both points faults strike: the process dies, the disk is
full, or the database is lost, so that nobody knows whether the commit has succeeded.
"""

import sqlite3
from collections import deque
from contextlib import closing
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from shared.log.sql.engines import open_url
from tests.simulation.scheduler import Process, current

_SECONDS = 0.001
"""A transaction takes up to so long, so that time passes even where the product works without a pause."""
_EMPTY: list[bytes] = []


class Database:
    """One service's database. It is used by one history after the other, since an engine takes longer to make than to play."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.driver = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.writer = self._engine()
        self.reader = self._engine(isolation_level="AUTOCOMMIT")
        sa.event.listen(self.writer, "begin", _begin)
        self.owner: Any = None
        self.reset(b"")

    def _engine(self, **options: Any) -> Engine:
        pool: dict[str, Any] = {"poolclass": sa.pool.QueuePool, "pool_size": 100, "pool_reset_on_return": None}
        return sa.create_engine("sqlite://", creator=lambda: _Session(self), **pool, **options)

    def reset(self, content: bytes) -> None:
        """Begin a history with these contents (empty: today's tables)."""
        self.full_for = self.away_for = 0
        """Commits that fail because the disk is full, and commits during which the database is lost."""
        self.dies: list[tuple[Process | None, bool]] = []
        """Processes (None: any) that die at their next commit; whether after it."""
        self.committed: deque[Any] = deque()
        self.owner = None
        for engine in (self.writer, self.reader):
            engine.dispose(close=False)  # killed tasks of the last history still hold connections
        self.driver.rollback()
        self.put_back(content or _empty())

    def put_back(self, content: bytes) -> None:
        """Restore a backup."""
        self.driver.deserialize(content)

    def backup(self) -> bytes:
        return self.driver.serialize()

    def rows(self, statement: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Read without the product, for those who check."""
        return self.driver.execute(statement, values).fetchall()

    def wait_for(self, statement: str, seconds: float) -> bool:
        """Wait until the result of a query has changed. Return False if it does not change within ``seconds``."""
        before, until = self.rows(statement), current().now + seconds
        while (left := until - current().now) > 0:
            if current().wait(left, self.committed) and self.rows(statement) != before:
                return True
        return False


def _empty() -> bytes:
    """Return a database with today's tables and nothing in them."""
    if not _EMPTY:
        with TemporaryDirectory() as folder:
            for engine in open_url(f"sqlite:///{folder}/empty.sqlite"):
                engine.dispose()
            with closing(sqlite3.connect(f"{folder}/empty.sqlite")) as file:
                content = bytearray(file.serialize())
        content[18:20] = b"\1\1"  # no write-ahead log, which a database in memory cannot have
        _EMPTY.append(bytes(content))
    return _EMPTY[0]


def _begin(connection: Connection) -> None:
    session: Any = connection.connection.driver_connection
    session.begin()


class _Session:
    """A connection, as SQLAlchemy sees it."""

    isolation_level: Any = None

    def __init__(self, database: Database) -> None:
        self._database = database
        self.cursor = database.driver.cursor
        self.execute = database.driver.execute
        self.total_changes = 0

    def begin(self) -> None:
        current().wait(current().rng.random() * _SECONDS)
        assert self._database.owner is None, "a task waits within a transaction"
        self._database.driver.execute("BEGIN IMMEDIATE")
        self._database.owner = self

    def commit(self) -> None:
        database = self._database
        if database.owner is not self:
            return
        task = current().task
        assert task is not None
        dies = next((d for d in database.dies if d[0] in (None, task.process)), None)
        if dies is not None:
            database.dies.remove(dies)
            current().note(f"dies {'after' if dies[1] else 'before'} a commit")
            self._end("COMMIT" if dies[1] else "ROLLBACK")
            current().kill(task.process)
        if database.full_for:
            database.full_for -= 1
            current().note("the disk is full")
            self._end("ROLLBACK")
            problem = sqlite3.OperationalError("database or disk is full")
            problem.sqlite_errorcode = sqlite3.SQLITE_FULL  # type: ignore[misc]
            raise problem
        if database.away_for:
            database.away_for -= 1
            done = current().rng.random() < 0.5
            current().note(f"the database is lost {'after' if done else 'before'} a commit")
            self._end("COMMIT" if done else "ROLLBACK")
            raise psycopg.OperationalError("the connection is lost")
        self._end("COMMIT")
        current().pause()

    def _end(self, how: str) -> None:
        self._database.driver.execute(how)
        self._database.owner = None
        current().notify(self._database.committed)

    def rollback(self) -> None:
        if self._database.owner is self:
            self._end("ROLLBACK")

    def close(self) -> None:
        self.rollback()

    def create_function(self, *_: Any, **__: Any) -> None:
        """Nothing here uses SQLAlchemy's functions."""
