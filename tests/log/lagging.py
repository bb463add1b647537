"""A log for tests that lags: each service has its own database, and a topic lies between them.

Nothing moves by itself. `relay` sends what a service committed, `follow` reads it
into a ledger; a seed decides when, how far, and what goes wrong on the way: records
sent twice, records sent ahead of their turn. So crossings happen without a broker.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.engine import Row as Found

from shared.core.terms import SOURCES, STANDINGS, Source
from shared.log.distributed import DistributedLog
from shared.log.distributed_transaction import DistributedTransaction
from shared.log.kafka.broker import MOVES, TEXTS, TOURNAMENTS
from shared.log.port import Text
from shared.log.sql.engines import open_engines
from shared.log.sql.tables import OUTBOX
from shared.log.sql.worker_state import FOLLOWER, Position, load_positions, save_positions
from shared.log.worker.ledger import Book
from shared.log.worker.records.record_numbers import RecordNumbers
from shared.log.worker.records.record_signatures import RecordSignatures
from shared.log.worker.side_topics import FollowedSheets

_ANY_WAITING = sa.select(OUTBOX.c.id).limit(1)
_TEXT = msgspec.json.Decoder(Text)


class Topic:
    """Records of all topics in one order, as a partition holds them; in a file, so that processes share it."""

    def __init__(self, path: Path) -> None:
        self.writer, self.reader = open_engines(path)
        self.sent = 0
        """The last record that was sent through this object."""
        self.committed: set[Source] = set()
        """Services that committed something since their outbox was last found empty."""

    def send(self, key: str, record: bytes | None, topic: str = TOURNAMENTS) -> None:
        with self.writer.begin() as connection:
            sent = connection.execute(sa.insert(OUTBOX), {"topic": topic, "key": key, "record": record, "at": 0.0})
        self.sent = sent.inserted_primary_key[0]

    def read(self, after: int, limit: int) -> list[Found[Any]]:
        chosen = sa.select(OUTBOX).where(OUTBOX.c.id > after).order_by(OUTBOX.c.id).limit(limit)
        with self.reader.connect() as connection:
            return list(connection.execute(chosen))

    def close(self) -> None:
        self.writer.dispose()
        self.reader.dispose()


class LaggingLog(DistributedLog):
    """One service's side of it."""

    def __init__(
        self,
        folder: Path,
        source: Source,
        rng: Random,
        written: threading.Event | None = None,
        topic: Topic | None = None,
    ) -> None:
        super().__init__(f"sqlite:///{folder / source.rpartition('/')[2]}.sqlite", source)
        self.topic = topic or Topic(folder / "topic.sqlite")
        self._alone = topic is not None
        """Whether all services are in this process, with one topic: then nothing is looked for that nobody committed."""
        self._rng = rng
        self._handshake = None  # There is no worker here.
        self._followed = 0
        self._written = written or threading.Event()
        """Set by whatever is committed here, so that nobody looks for it while nothing is."""

    @contextmanager
    def transaction(self, streams: Sequence[str] = ()) -> Iterator[DistributedTransaction]:
        with super().transaction(streams) as tx:
            yield tx
        self._commit()

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        with super().begin() as connection:
            yield connection
        self._commit()

    def _commit(self) -> None:
        self.topic.committed.add(self.source)
        self._written.set()

    def at_rest(self) -> bool:
        """Whether there is nothing to send and nothing to follow."""
        return not self._is_waiting() and not self._is_behind()

    def _is_waiting(self) -> bool:
        """Return whether there is something to send."""
        if self._alone and self.source not in self.topic.committed:
            return False
        self.topic.committed.discard(self.source)  # first: a commit during the search counts again
        with self.reader.connect() as connection:
            waiting = connection.execute(_ANY_WAITING).first() is not None
        if waiting:
            self.topic.committed.add(self.source)
        return waiting

    def _is_behind(self) -> bool:
        """Return whether there is something to follow."""
        return self._followed < self.topic.sent if self._alone else bool(self.topic.read(self._followed, 1))

    def subscribe(self, changed: Callable[[], None]) -> None:
        """Nothing moves but by the seed, in the thread that says so."""

    def catch_up(self, timeout: float) -> bool:
        """False: only the seed moves records here, so nobody waits."""
        return False

    def close(self) -> None:
        super().close()
        self.topic.close()

    # ------------------------------------------------------------ what moves

    def relay(self, limit: int = 1) -> int:
        """Send up to ``limit`` records from the front of the outbox; how many left it.

        Now and then one is sent twice, or the one behind it goes first.
        """
        if not self._is_waiting():
            return 0
        with self.begin() as connection:
            chosen = sa.select(OUTBOX).order_by(OUTBOX.c.id).limit(limit + 1)
            waiting = list(connection.execute(chosen))
            for i, row in enumerate(waiting[:limit]):
                ahead = waiting[i + 1] if i + 1 < len(waiting) else None
                # A relay sends no line before the texts that it names.
                if ahead and (row.topic != TEXTS or ahead.topic == TEXTS) and self._rng.random() < 0.2:
                    self.topic.send(ahead.key, ahead.record, ahead.topic)
                for _ in range(2 if self._rng.random() < 0.2 else 1):
                    self.topic.send(row.key, row.record, row.topic)
                connection.execute(sa.delete(OUTBOX).where(OUTBOX.c.id == row.id))
            return min(limit, len(waiting))

    def follow(self, limit: int = 1) -> int:
        """Read up to ``limit`` records of the topic into the ledger; how many were read."""
        if not self._is_behind():
            return 0
        with self.begin() as connection:
            held = load_positions(connection, FOLLOWER).get((TOURNAMENTS, 0), Position(""))
            records = self.topic.read(held.next, limit)
            # Another process of the service may have followed meanwhile, so the ends are read anew each time.
            book, tx = Book(), DistributedTransaction(connection, self.source)
            sheets = FollowedSheets(book, RecordSignatures(), RecordNumbers())
            for row in records:
                if row.topic == TOURNAMENTS:
                    book.take(connection, row.record, tx.forget_text)
                elif row.topic == TEXTS and row.record is not None:
                    tx.store_texts([_TEXT.decode(row.record)])
                elif row.topic == MOVES and self.source == STANDINGS:
                    book.flush(connection)
                    sheets.take(connection, [_record(row)], 1)
            if records:
                book.flush(connection)
                save_positions(connection, FOLLOWER, {(TOURNAMENTS, 0): Position("", records[-1].id)})
            self._followed = records[-1].id if records else held.next
            return len(records)


def _record(row: Found[Any]) -> SimpleNamespace:
    """A row of the topic as a consumer would give it."""
    return SimpleNamespace(
        topic=row.topic, partition=0, offset=row.id, key=row.key.encode(), value=row.record, headers=[]
    )


def lagging_world(folder: Path, seed: int, written: threading.Event) -> dict[Source, LaggingLog]:
    """Every service's side of one lagging world."""
    topic = Topic(folder / "topic.sqlite")
    return {source: LaggingLog(folder, source, Random(f"{seed} {source}"), written, topic) for source in SOURCES}


def move(world: dict[Source, LaggingLog], rng: Random) -> Source | None:
    """Let some service send or read a little, in one seeded step. Return the service whose ledger has grown, if any."""
    log = world[rng.choice(SOURCES)]
    if rng.random() < 0.5:
        log.relay(rng.randint(1, 3))
        return None
    return log.source if log.follow(rng.randint(1, 5)) else None


def settle(world: dict[Source, LaggingLog]) -> None:
    """Move until every record is in every ledger."""
    while sum(log.relay(100) + log.follow(100) for log in world.values()):
        pass
