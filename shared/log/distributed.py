"""One service's side of the distributed log, on its own SQL database (PostgreSQL or SQLite)."""

import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.language.messages import Message, say
from shared.core.terms import STANDINGS, Source
from shared.log.calendar import CalendarLog
from shared.log.distributed_transaction import STOPS, DistributedTransaction, news_of, stops_of
from shared.log.invitations import InvitationLog
from shared.log.kafka.broker import MOVES, Broker
from shared.log.kafka.end_offsets import EndOffsets
from shared.log.people import PeopleLog
from shared.log.port import Cursor, LogUnavailable, News, Row, Stop
from shared.log.sql import cold, lost_events, owners, worker_state
from shared.log.sql.cold import DatabaseColdStorage
from shared.log.sql.engines import open_readonly, open_url
from shared.log.sql.invitations import DatabaseInvitations, DatabaseRevocations, DatabaseWebhooks
from shared.log.sql.ledger_erasures import gone_past
from shared.log.sql.notifications import ChangeNotifier
from shared.log.sql.projections.calendar import DatabaseCalendar
from shared.log.sql.projections.people import DatabasePeople
from shared.log.sql.statements import (
    by_commands,
    end_of,
    ends_of,
    of_stream,
    one_trip,
    own_tail_of,
    rows,
    run,
    select_lines,
    sheet_ends,
    tail_of,
)
from shared.log.sql.stored_texts import DatabaseTexts
from shared.log.sql.tables import EVENTS, LEDGER, OUTBOX, SHEETS
from shared.log.sql.transactions import OneConnection, translated_errors
from shared.log.webhooks import WebhookLog

_OFFICIAL = "tournaments/"
_READS_ONLY = say(
    "this process only reads a copy of the database (ARBITER_REPLICA_URL): send commands to another process of the service"
)
_LOCK = "SELECT pg_advisory_xact_lock(k) FROM unnest(%s::bigint[]) AS k"


def lock_of(stream: str) -> int:
    """Return the number under which PostgreSQL locks a stream: the first 64 bits of its SHA-256, signed."""
    return int.from_bytes(sha256(stream.encode()).digest()[:8], "big", signed=True)


class DistributedLog(DatabaseTexts, DatabaseColdStorage, DatabaseRevocations):
    """The distributed log as one service sees it, in the service's own database.

    ``url``: SQLAlchemy's URL (``postgresql+psycopg://…`` or ``sqlite:///…``). ``broker``: given by a web process, which asks
    for the end of the log; the worker's relay and follower have their own clients. Create this object after a fork. Raises
    `port.LogUnavailable` if the database cannot be reached.
    """

    immediate = False

    def __init__(self, url: str, source: Source, broker: Broker | None = None, *, readonly: bool = False) -> None:
        """Open the database. ``readonly``: nothing can be written, and the schema stays as it is.

        Then the database may also be a copy that PostgreSQL keeps up to date (hot standby).
        """
        self.url, self.source, self.broker, self.readonly = url, source, broker, readonly
        self.sources: tuple[Source, ...] = (source,)
        if readonly:
            self.engine = self.reader = open_readonly(url)
        else:
            self.engine, self.reader = open_url(url)
        self.postgres = self.engine.dialect.name == "postgresql"
        self._writer = OneConnection(self.engine)
        self.invitations: InvitationLog = DatabaseInvitations(self.reader, self.transaction)
        self.webhooks: WebhookLog = DatabaseWebhooks(self.reader, self.transaction)
        self.people: PeopleLog = DatabasePeople(self.reader, self.transaction, LEDGER)
        self.calendar: CalendarLog = DatabaseCalendar(self.reader, self.transaction, LEDGER)
        self._ends = None if broker is None else EndOffsets(broker, self.positions)
        self._sheet_ends = None if broker is None else EndOffsets(broker, self.positions, (MOVES,))
        self._sheets = SHEETS if source == STANDINGS else EVENTS
        self._handshake: worker_state.Handshake | None = worker_state.Handshake(self)
        self._notifier: ChangeNotifier | None = None
        self._making = threading.Lock()

    @contextmanager
    def transaction(self, streams: Sequence[str] = ()) -> Iterator[DistributedTransaction]:
        """Run a ``with`` block in one transaction, which alone writes to the ``streams`` until it is over.

        Raises `port.LogFull` and `port.LogUnavailable`. Only after `port.CommitUnknown` may it have been committed.
        """
        if self.readonly:
            raise LogUnavailable(_READS_ONLY)
        if self._handshake is not None:
            self._handshake.ask()
        with self._writer.begin() as connection:
            with one_trip(connection):
                if self.postgres and streams:
                    run(connection, _LOCK, (sorted({lock_of(stream) for stream in streams}),))
                seen = self._handshake.looking(connection) if self._handshake is not None else lambda: None
            unready, written = seen(), self._handshake.written if self._handshake is not None else 0
            count = None if self.broker is None else self.broker.partitions
            yield (tx := DistributedTransaction(connection, self.source, unready, count))
        if self._handshake is not None:
            self._handshake.note_commit(written + tx.written)

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """Run a ``with`` block in a transaction of the worker or of a tool, separate from those of commands."""
        with translated_errors(), self.engine.begin() as connection:
            yield connection

    # ------------------------------------------------------------ reading

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with translated_errors(), self.reader.connect() as connection:
            yield connection

    def tail(self, after: Cursor, limit: int | None = None) -> list[Row]:
        with self._reading() as connection:
            return rows(tail_of(connection, LEDGER, after, limit))

    def own_tail(self, after: int, limit: int) -> list[Row]:
        with self._reading() as connection:
            return rows(own_tail_of(connection, after, limit))

    def news(self, after: Cursor) -> News:
        with self._reading() as connection:
            return news_of(connection, after)

    def lines(self, stream: str, after: int = 0, upto: int | None = None) -> list[Row]:
        table = self._table_of(stream)
        chosen = select_lines(table).where(*of_stream(table, stream), table.c.seq > after).order_by(table.c.seq)
        chosen = chosen if upto is None else chosen.where(table.c.seq <= upto)
        with self._reading() as connection:
            return self._completed(connection, lambda: rows(connection.execute(chosen)), stream, after, upto)

    def _table_of(self, stream: str) -> sa.Table:
        return LEDGER if stream.startswith(_OFFICIAL) else self._sheets

    def sheet_ends(self, sheets: Collection[str]) -> dict[str, int]:
        with self._reading() as connection:
            return sheet_ends(connection, sheets, self._sheets)

    def command_lines(self, command: str, tournament: str) -> list[Row]:
        with self._reading() as connection:
            return by_commands(connection, [command])

    def end(self) -> Cursor:
        with self._reading() as connection:
            return end_of(connection, LEDGER)

    def streams(self, prefix: str, after: str = "", most: int | None = None) -> list[str]:
        with self._reading() as connection:
            return list(ends_of(connection, self._table_of(prefix), prefix, after, most))

    def ends(self, prefix: str) -> dict[str, int]:
        with self._reading() as connection:
            return ends_of(connection, self._table_of(prefix), prefix)

    # ------------------------------------------------------------ cold storage of the ledger and of followed score sheets

    def resting(self) -> set[str]:
        with self._reading() as connection:
            return cold.resting(connection, LEDGER)

    def compress(self, tournament: str, streams: Sequence[str]) -> None:
        with self.begin() as connection:
            for stream in streams:
                if (table := self._table_of(stream)) is not EVENTS:
                    cold.compress(connection, table, tournament, stream)

    def decompress(self) -> int:
        with self.begin() as connection:
            return cold.decompress(connection, LEDGER) + cold.decompress(connection, SHEETS)

    def shrink(self) -> bool:
        """Return False: PostgreSQL reuses the space."""
        return False

    def stops(self) -> dict[str, Stop]:
        with self._reading() as connection:
            return stops_of(run(connection, STOPS))

    def stopped(self, stream: str) -> Message | None:
        return self.parked().get(stream)

    def positions(self) -> dict[tuple[str, int], int]:
        """Return the offset at which the follower continues, by topic and partition."""
        with self._reading() as connection:
            return worker_state.positions(connection, worker_state.FOLLOWER)

    def unready(self) -> Message | None:
        """Return why no command is accepted, or None: the worker has not reached the end of the topics, or has halted."""
        if self.readonly:
            return _READS_ONLY
        return None if self._handshake is None else self._handshake.missing()

    def halts(self) -> dict[str, Message]:
        """Return why a part of the worker (follower, relay) waits for an operator, by part."""
        with self._reading() as connection:
            return worker_state.halts(connection)

    def alive(self) -> float | None:
        """Return the seconds since the worker's last sign of life, or None before the first one."""
        return worker_state.silence(self)

    def owners(self) -> dict[int, str]:
        """Return the worker that owns each partition, or "" for a partition that no worker owns now."""
        with self._reading() as connection:
            return {one.partition: one.member if one.left > 0 else "" for one in owners.owners(connection)}

    def subscribe(self, changed: Callable[[], None]) -> None:
        """Call ``changed`` in a thread of this log whenever the ledger or its stops may have changed."""
        with self._making:
            if self._notifier is None:
                self._notifier = ChangeNotifier(self.reader)
                self._notifier.add(self._ends.moved if self._ends else lambda: None)
                self._notifier.start()
            self._notifier.add(changed)

    def catch_up(self, timeout: float) -> bool:
        """Wait until the follower has read the records that the topics had at the call. Return False if this took too long."""
        return self._ends is None or self._ends.wait_until_read(timeout)

    def sheets_behind(self, timeout: float) -> Message | None:
        """Wait until the follower has read the score sheets that the topic had at the call.

        Return why it has not read them in time, or None if it has.
        """
        if self._sheet_ends is None or self._sheet_ends.wait_until_read(timeout):
            return None
        lag = self._sheet_ends.lag(timeout)
        if lag is None:
            return say("Kafka does not answer, so it is not known whether {topic} has further records", topic=MOVES)
        return say("{lag} records of {topic} are not read yet", lag=lag, topic=MOVES) if lag else None

    def lag(self, timeout: float = 1.0) -> int | None:
        """Return the number of records that the follower has not read yet, or None if Kafka does not answer."""
        return None if self._ends is None else self._ends.lag(timeout)

    def waiting(self) -> tuple[int, float]:
        """Return the number of records in the outbox, and the age of the oldest in seconds."""
        with self._reading() as connection:
            count, oldest = connection.execute(sa.select(sa.func.count(), sa.func.min(OUTBOX.c.at))).one()
        return count, max(0.0, time.time() - oldest) if oldest else 0.0

    def parked(self) -> dict[str, Message]:
        """Return why tournaments are suspended, by stream. Stops that an operator has passed are left out."""
        return {stream: stop.why for stream, stop in self.stops().items() if stop.standing}

    def findings(self) -> list[worker_state.Finding]:
        """Return the findings in the topics that nobody has acknowledged, such as unexpected records."""
        with self._reading() as connection:
            return worker_state.open_findings(connection)

    def lost(self, stream: str | None = None) -> list[lost_events.Lost]:
        """Return own events, of one tournament or of all, that the ledger lacks and that were neither sent again nor given up."""
        with self._reading() as connection:
            return lost_events.lost(connection, self.source, stream)

    def settle(self, stream: str, command: str, successor: str | None, by: str, reason: str) -> None:
        """Note that a lost command was sent again as ``successor``, or was given up (None)."""
        with self.begin() as connection:
            lost_events.settle(connection, stream, command, successor, by, reason)

    def acknowledge(self, ids: Sequence[int], by: str, reason: str) -> int:
        """Note who acknowledged findings and why they may stay. Return how many of them were open."""
        with self.begin() as connection:
            return worker_state.acknowledge(connection, ids, by, reason)

    def resume(self, stream: str) -> bool:
        """Continue a suspended tournament after its stop. Return False if it is not suspended.

        The operator has compared the ledgers of all services before: their contents are then the log. Texts that events after
        the stop erase are deleted now, except those of events that state a root different from that of this log.
        """
        with self.begin() as connection:
            behind = gone_past(connection, stream)
            for hash in behind or ():
                DistributedTransaction(connection, self.source).forget_text(hash)
            worker_state.tell(connection)
        return behind is not None

    def close(self) -> None:
        for ends in (self._ends, self._sheet_ends):
            if ends is not None:
                ends.close()
        if self._notifier is not None:
            self._notifier.close()
        self._writer.close()
        self.reader.dispose()
