"""Four services on databases of their own, and the topics between them in memory: anybody may write to them."""

import threading
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.core.terms import PAIRING, SOURCES, Source
from shared.core.trust.merkle import EMPTY
from shared.desk.keys.revocations import Revocations
from shared.log.distributed import DistributedLog
from shared.log.kafka.broker import FOLLOWS, TEXTS, TOKENS, TOURNAMENTS, Broker, headers_of
from shared.log.kafka.consumer import partition_of
from shared.log.port import NewRow
from shared.log.sql.tables import OUTBOX
from shared.log.sql.worker_state import Mendable, Position
from shared.log.worker import worker_lock
from shared.log.worker.follower import Follower
from shared.log.worker.outbox_numbers import OutboxNumbers
from shared.log.worker.revocations import RevocationTopic
from shared.signing.service_keys import NO_KEYS, OwnKey, ServiceKeys
from tests.log.distributed import T

PARTITIONS = 3
COUNTS = {TOURNAMENTS: PARTITIONS, "arbiter.moves": PARTITIONS, TEXTS: 1, TOKENS: 1}
KEYS = ServiceKeys({PAIRING: [OwnKey.of(PAIRING, Ed25519PrivateKey.from_private_bytes(b"pairing".ljust(32)))]})
"""Pairing's, by which it signs what it revokes."""


class Record(NamedTuple):
    """A record as a consumer gives it."""

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, bytes]]


class Side:
    """One service: its database, its follower, and the numbers of its relay."""

    def __init__(self, folder: Path, source: Source) -> None:
        self.source = source
        self.log = DistributedLog(f"sqlite:///{folder / source.rpartition('/')[2]}.db", source)
        self.revocations = Revocations(self.log, KEYS)
        topic = RevocationTopic(source, lambda: KEYS.own(PAIRING), KEYS if source == PAIRING else NO_KEYS)
        broker = Broker("nowhere:1", partitions=PARTITIONS)
        self.follower = Follower(self.log, broker, threading.Event(), revocations=topic)
        self.numbers = OutboxNumbers(source, COUNTS)
        self._lock = worker_lock.Lock(self.log, None)
        self.held = {(topic, p): Position("id") for topic in FOLLOWS[source] for p in range(COUNTS[topic])}
        self.unread: dict[_Place, list[Record]] = {}
        self.restart()

    def restart(self) -> None:
        """As a worker that begins anew."""
        self.numbers.forget()
        self.follower._book.forget()
        with self.log.begin() as connection:
            self.follower._numbers.load(connection, {place: p.next for place, p in self.held.items()})

    def read(self, record: Record) -> None:
        """The follower reads a record of a topic that it follows, after those that it has put off; not if that halts it."""
        if record.topic not in FOLLOWS[self.source]:
            return
        place, before = _Place(record.topic, record.partition), self.unread
        self.unread = before | {place: [*before.get(place, ()), record]}
        try:
            self.look()
        except Mendable:
            self.unread = before
            raise

    def look(self) -> None:
        """The follower reads what it has not taken yet, in a transaction of its own."""
        self.follower._take(self._lock, self.held, self.unread, PARTITIONS)
        left = {
            place: [r for r in records if r.offset >= self.held[place].next] for place, records in self.unread.items()
        }
        self.unread = {place: records for place, records in left.items() if records}

    def write(self, text: str = "", stream: str = T, basis: int = 0, root: bytes = EMPTY, extra: str = "") -> bytes:
        """A command of one line, numbered and committed as the desk does; the line."""
        with self.log.transaction([stream]) as tx:
            held = max((r.sourceseq for r in self.log.lines(stream) if r.source == self.source), default=0)
            number = max([held, *(r.sourceseq for r in tx.own_since({stream: held}))]) + 1
            data = line(self.source, number, stream, text, basis=basis, root=root, extra=extra)
            tx.append([NewRow(stream, 0, self.source, number, f"{self.source}{stream}{number}", 0, data)])
        return data

    def unsent(self) -> list[tuple[str, str, bytes | None, int | None]]:
        """The outbox's rows as the relay sends them: topic, key, bytes, number."""
        with self.log.begin() as connection:
            rows = connection.execute(sa.select(OUTBOX).order_by(OUTBOX.c.id)).all()
            numbers = self.numbers.assign(connection, rows)
        return [(row.topic, row.key, row.record, numbers.get(row.id)) for row in rows]

    def confirmed(self) -> None:
        with self.log.begin() as connection:
            ids = connection.execute(sa.delete(OUTBOX).returning(OUTBOX.c.id)).scalars().all()
            self.numbers.confirmed(connection, ids)


class _Place(NamedTuple):
    topic: str
    partition: int


class Hall:
    """The services, and what lies in the topics."""

    def __init__(self, folder: Path) -> None:
        self.records: list[Record] = []
        self.sides = {source: Side(folder, source) for source in SOURCES}

    def __getitem__(self, source: Source) -> Side:
        return self.sides[source]

    def put(
        self,
        value: bytes | None,
        key: str | None = "T",
        *,
        topic: str = TOURNAMENTS,
        partition: int | None = None,
        number: int | None = None,
    ) -> Record:
        """Somebody writes a record, and every service reads it."""
        place = partition if partition is not None else partition_of(key or "", COUNTS[topic])
        offset = sum(r.topic == topic and r.partition == place for r in self.records)
        bare = None if key is None else key.encode()
        record = Record(topic, place, offset, bare, value, headers_of(number))
        self.records.append(record)
        for side in self.sides.values():
            side.read(record)
        return record

    def send(self, source: Source) -> list[Record]:
        """A service's relay sends what waits."""
        side = self.sides[source]
        sent = [self.put(record, key, topic=topic, number=number) for topic, key, record, number in side.unsent()]
        side.confirmed()
        return sent

    def lines(self, stream: str = T) -> list[bytes]:
        """The log, which every service has alike."""
        ledgers = [[r.line for r in side.log.lines(stream)] for side in self.sides.values()]
        assert all(ledger == ledgers[0] for ledger in ledgers)
        return ledgers[0]

    def revoked(self) -> Mapping[Source, list[bytes]]:
        """What each service knows to be revoked."""
        return {source: side.log.revoked() for source, side in self.sides.items()}

    def stopped(self, stream: str = T) -> dict[Source, str]:
        """In which services a tournament stands stopped, and why."""
        return {source: str(why) for source, side in self.sides.items() if (why := side.log.stopped(stream))}

    def findings(self) -> dict[Source, list[str]]:
        return {
            source: [f"{f.kind}: {f.sentence()}" for f in side.log.findings()] for source, side in self.sides.items()
        }

    def close(self) -> None:
        for side in self.sides.values():
            side.log.close()


def line(
    source: Source,
    number: int,
    stream: str = T,
    text: str = "",
    *,
    basis: int = 0,
    root: bytes = EMPTY,
    extra: str = "",
) -> bytes:
    """A line as far as a ledger looks into it."""
    return (
        f'{{"source":"{source}","sourceseq":{number},"subject":"{stream}","causationid":"c{number}","basis":{basis},'
        f'"basisroot":"{b64encode(root).decode()}","text":"{text}"{extra}}}'
    ).encode()


def erasure(hash: str) -> str:
    """What a line has more that erases a text."""
    return f',"type":"arbiter.text.erased.v1","data":{{"hash":"{hash}"}}'
