"""The embedded log: one SQLite file shared by the four services. An append is in the log at once."""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from shared.core.language.messages import Message
from shared.core.terms import SOURCES, Source
from shared.log.calendar import CalendarLog
from shared.log.invitations import InvitationLog
from shared.log.people import PeopleLog
from shared.log.port import NO_TRACES, Cursor, LogFull, NewRow, News, Row, Stop
from shared.log.sql import cold
from shared.log.sql.cold import DatabaseColdStorage
from shared.log.sql.engines import open_engines, open_readonly
from shared.log.sql.erasure import cut_wal, rewrite, shrink
from shared.log.sql.invitations import DatabaseInvitations, DatabaseRevocations, DatabaseWebhooks
from shared.log.sql.projections.calendar import DatabaseCalendar
from shared.log.sql.projections.people import DatabasePeople
from shared.log.sql.statements import (
    DatabaseTransaction,
    by_commands,
    end_of,
    ends_of,
    own_tail_of,
    rows,
    select_lines,
    sheet_ends,
    tail_of,
)
from shared.log.sql.stored_texts import DatabaseTexts
from shared.log.sql.tables import EVENTS, SIGNING_KEY
from shared.log.sql.transactions import OneConnection, is_damage
from shared.log.webhooks import WebhookLog

_LINES = (
    select_lines(EVENTS)
    .where(EVENTS.c.stream == sa.bindparam("stream"), EVENTS.c.seq > sa.bindparam("after"))
    .order_by(EVENTS.c.seq)
)


class _Transaction(DatabaseTransaction):
    def own_since(self, after: Mapping[str, int]) -> list[Row]:
        """Return an empty list: an own event is in the log as soon as it is written."""
        return []

    def decompress(self, tournament: str) -> None:
        cold.decompress(self.connection, EVENTS, tournament)

    def append(self, new: Sequence[NewRow], traces: Mapping[str, str] = NO_TRACES) -> int:
        self.insert(new, numbered=True)
        (last,) = self.connection.connection.cursor().execute("SELECT max(pos) FROM events").fetchone()
        return int(last)


class SqliteLog(DatabaseTexts, DatabaseColdStorage, DatabaseRevocations):
    """The log of one data folder. Any number of processes may open it. Each reads new events under the lock."""

    immediate = True
    sources: tuple[Source, ...] = SOURCES

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        """Open the file. ``readonly``: nothing can be written, the schema stays as it is, and no file is created."""
        if readonly:
            writer = self.reader = open_readonly(f"sqlite:///{path}")
        else:
            writer, self.reader = open_engines(path)
        self._writer = OneConnection(writer)
        self.invitations: InvitationLog = DatabaseInvitations(self.reader, self.transaction)
        self.webhooks: WebhookLog = DatabaseWebhooks(self.reader, self.transaction)
        self.people: PeopleLog = DatabasePeople(self.reader, self.transaction, EVENTS)
        self.calendar: CalendarLog = DatabaseCalendar(self.reader, self.transaction, EVENTS)
        self.damaged, self.full = False, False
        """Whether a statement has found damaged pages since the start, and whether the disk was full at the last commit."""
        for engine in {writer, self.reader}:
            sa.event.listen(engine, "handle_error", self._note_error)
        self._uncut = not readonly
        """Whether the write-ahead log may still contain erased data. A process that crashed may have left it so."""

    @contextmanager
    def transaction(self, streams: Sequence[str] = ()) -> Iterator[_Transaction]:
        """Run a ``with`` block in one transaction. Data erased in it is removed from the files too.

        Raises `port.LogFull` if the disk is full. Nothing is written then.
        """
        try:
            with self._writer.begin() as connection:
                tx = _Transaction(connection)
                yield tx
                for table in tx.erased:
                    rewrite(connection, table)
        except (LogFull, sa.exc.DBAPIError, sqlite3.Error) as problem:
            self.full = isinstance(problem, LogFull)
            self.damaged = self.damaged or is_damage(problem)
            raise
        self.full = False
        self._uncut = self._uncut or bool(tx.erased)
        if self._uncut:
            self._uncut = not cut_wal(self.reader)

    def try_commit(self) -> None:
        """Commit an update that changes nothing. Raises like `transaction`."""
        with self.transaction() as tx:
            tx.connection.execute(sa.update(SIGNING_KEY).values(key=SIGNING_KEY.c.key))

    def _note_error(self, context: sa.ExceptionContext) -> None:
        self.damaged = self.damaged or is_damage(context.original_exception)

    def tail(self, after: Cursor, limit: int | None = None) -> list[Row]:
        with self.reader.connect() as connection:
            return rows(tail_of(connection, EVENTS, after, limit))

    def own_tail(self, after: int, limit: int) -> list[Row]:
        with self.reader.connect() as connection:
            return rows(own_tail_of(connection, after, limit))

    def news(self, after: Cursor) -> News:
        return News(self.tail(after), {})

    def lines(self, stream: str, after: int = 0, upto: int | None = None) -> list[Row]:
        chosen = _LINES if upto is None else _LINES.where(EVENTS.c.seq <= upto)
        with self.reader.connect() as connection:
            values = {"stream": stream, "after": after}
            return self._completed(connection, lambda: rows(connection.execute(chosen, values)), stream, after, upto)

    def sheet_ends(self, sheets: Collection[str]) -> dict[str, int]:
        with self.reader.connect() as connection:
            return sheet_ends(connection, sheets)

    def command_lines(self, command: str, tournament: str) -> list[Row]:
        with self.reader.connect() as connection:
            found = by_commands(connection, [command]) + cold.of_command(connection, command, tournament)
        return sorted(found, key=lambda row: row.n)

    def end(self) -> Cursor:
        with self.reader.connect() as connection:
            return end_of(connection, EVENTS)

    def streams(self, prefix: str, after: str = "", most: int | None = None) -> list[str]:
        with self.reader.connect() as connection:
            return list(ends_of(connection, EVENTS, prefix, after, most))

    def ends(self, prefix: str) -> dict[str, int]:
        with self.reader.connect() as connection:
            return ends_of(connection, EVENTS, prefix)

    def resting(self) -> set[str]:
        with self.reader.connect() as connection:
            return cold.resting(connection, EVENTS)

    def compress(self, tournament: str, streams: Sequence[str]) -> None:
        with self.transaction() as tx:
            for stream in streams:
                cold.compress(tx.connection, EVENTS, tournament, stream)

    def decompress(self) -> int:
        with self.transaction() as tx:
            return cold.decompress(tx.connection, EVENTS)

    def shrink(self) -> bool:
        return shrink(self.reader)

    def stopped(self, stream: str) -> Message | None:
        """Return None: one file has only one event of each number."""
        return None

    def stops(self) -> dict[str, Stop]:
        """Return an empty mapping, for the same reason as `stopped`."""
        return {}

    def unready(self) -> Message | None:
        """Return None: this log has no worker."""
        return None

    def subscribe(self, changed: Callable[[], None]) -> None:
        """Do nothing. No process is notified of another's appends, so readers look for them."""

    def catch_up(self, timeout: float) -> bool:
        """Return True: this database is the log."""
        return True

    def close(self) -> None:
        self._writer.close()
        self.reader.dispose()
