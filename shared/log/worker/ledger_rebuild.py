"""Reading a service's ledger again from the topic: beside the old one, compared with it, and put in its place at once."""

from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa
from kafka import TopicPartition
from sqlalchemy.engine import Connection

from shared.core.language.messages import message_of, say
from shared.core.terms import STANDINGS
from shared.log.distributed import DistributedLog
from shared.log.distributed_transaction import DistributedTransaction
from shared.log.kafka import consumer, topics
from shared.log.kafka.broker import MOVES, TOURNAMENTS, Broker
from shared.log.sql import cold, owners, worker_state
from shared.log.sql.tables import COLD, LEDGER, NUMBERS, POSITIONS, SHEETS, STOPPED
from shared.log.sql.worker_state import FOLLOWER, Mendable, Position
from shared.log.worker.acceptance import OwnLines
from shared.log.worker.ledger import Book
from shared.log.worker.listed_announcements import Beginnings, Keys
from shared.log.worker.records.record_numbers import RecordNumbers, lies_right, stranger
from shared.log.worker.revocations import RevocationTopic
from shared.log.worker.worker_lock import NotPossible, alone

_MEND = say("`arbiter rebuild topics` rebuilds it from the ledgers")
_FIRST_OTHER = """
SELECT old.stream, min(old.seq) FROM old_ledger AS old
LEFT JOIN ledger ON ledger.stream = old.stream AND ledger.seq = old.seq
WHERE {} GROUP BY old.stream ORDER BY old.stream
"""


class Rebuilt(NamedTuple):
    """A ledger's lines; ``changed``: tournament's stream → its first line that is another than it was."""

    lines: int
    changed: Mapping[str, int]


def rebuild_ledger(log: DistributedLog, broker: Broker, announcers: Keys | None = None) -> Rebuilt:
    """Read one service's ledger again. Readers see the old one until the new one is whole, and keep it if this fails.

    ``announcers`` are pairing's public keys, as for `Follower`: what the ledger had and was not stopped at its beginning
    need not be announced by them.

    Raises `NotPossible` while a worker of the service runs, and where the topic lacks what the ledger has: then the
    ledger stays as it was. Raises `kafka.errors.KafkaError`.
    """
    with alone([log]):
        reader = consumer.open_consumer(broker)
        try:
            with log.begin() as connection:
                return _rebuilt(log, connection, reader, broker, announcers)
        except Mendable as missing:
            raise NotPossible(message_of(missing)) from None
        finally:
            reader.close()


def _rebuilt(
    log: DistributedLog, connection: Connection, reader: Any, broker: Broker, announcers: Keys | None
) -> Rebuilt:
    held = {
        tp: position
        for (topic, partition), position in worker_state.load_positions(connection, FOLLOWER).items()
        for tp in (TopicPartition(topic, partition),)
        if topic == TOURNAMENTS
    }
    topicid = _topic_as_known(broker, held)
    places = consumer.partitions(reader, TOURNAMENTS)
    ends = consumer.ends(reader, places)
    begins = consumer.begins(reader, [*places, *consumer.partitions(reader, MOVES)])
    if lost := [tp for tp, begin in begins.items() if begin > 0]:
        raise NotPossible(
            say(
                "{topic}, partition {partition} begins at {begins}: {mend}",
                topic=lost[0].topic,
                partition=lost[0].partition,
                begins=begins[lost[0]],
                mend=_MEND,
            )
        )
    owners.add_partitions(connection, len(places))
    cold.decompress(connection, LEDGER, without_damaged=True)
    connection.exec_driver_sql("DROP TABLE IF EXISTS old_ledger")
    connection.exec_driver_sql("CREATE TEMPORARY TABLE old_ledger AS SELECT stream, seq, root FROM ledger")
    listed = RevocationTopic(log.source, announcers or tuple).read_list(reader)
    beginnings = announcers and Beginnings(announcers, listed, _begun(connection))
    stops = list(connection.execute(sa.select(STOPPED).where(STOPPED.c.resumed >= 0)))
    for emptied in (LEDGER, STOPPED):
        connection.execute(sa.delete(emptied))
    forgotten = [TOURNAMENTS]
    if log.source == STANDINGS:  # Its worker reads the score sheets again from the beginning of their topic.
        forgotten.append(MOVES)
        for emptied in (SHEETS, COLD):
            connection.execute(sa.delete(emptied))
        connection.execute(sa.delete(POSITIONS).where(POSITIONS.c.reader == FOLLOWER, POSITIONS.c.topic == MOVES))
    connection.execute(sa.delete(NUMBERS).where(NUMBERS.c.reader == FOLLOWER, NUMBERS.c.topic.in_(forgotten)))
    known = {tp: held[tp].next if tp in held else 0 for tp in places}
    reading = _Reading(log, connection, known, len(places), beginnings)
    digests = dict.fromkeys(places, "")
    for record in consumer.stretch(reader, dict.fromkeys(places, 0), ends):
        reading.take(record)
        digests[TopicPartition(record.topic, record.partition)] = sha256(record.value or b"").hexdigest()
    reading.end()
    changed = _compared(connection)
    _keep_resumed(connection, stops, changed)
    end = worker_state.ledger_end(connection)
    positions = {
        (tp.topic, tp.partition): Position(
            topicid, ends[tp], digests[tp], end, reading.strangers[tp] + (held[tp].strangers if tp in held else 0)
        )
        for tp in places
    }
    worker_state.save_positions(connection, FOLLOWER, positions)
    connection.exec_driver_sql("DROP TABLE old_ledger")
    size = connection.execute(sa.select(sa.func.count()).select_from(LEDGER)).scalar_one()
    return Rebuilt(size, changed)


def _begun(connection: Connection) -> dict[str, bytes]:
    """Stream → the root of its first line, of the tournaments in the ledger that nothing stops at their beginning."""
    stopped = sa.select(STOPPED.c.stream).where(STOPPED.c.seq == 0, STOPPED.c.resumed < 0)
    chosen = sa.select(LEDGER.c.stream, LEDGER.c.root).where(LEDGER.c.seq == 1, LEDGER.c.stream.not_in(stopped))
    return {row.stream: row.root for row in connection.execute(chosen)}


def _topic_as_known(broker: Broker, held: Mapping[TopicPartition, Position]) -> str:
    """The topic's id. Raises `NotPossible` where it is another one than was read."""
    with topics.admin(broker) as client:
        there = topics.describe(client)
    if TOURNAMENTS not in there:
        raise NotPossible(say("topic {topic} does not exist: {mend}", topic=TOURNAMENTS, mend=_MEND))
    if any(position.topicid != there[TOURNAMENTS].id for position in held.values()):
        raise NotPossible(say("topic {topic} was deleted and created again: {mend}", topic=TOURNAMENTS, mend=_MEND))
    return there[TOURNAMENTS].id


class _Reading:
    """Takes the topic's records into the emptied ledger; ``known``: up to where they were read before."""

    def __init__(
        self,
        log: DistributedLog,
        connection: Connection,
        known: Mapping[TopicPartition, int],
        count: int,
        beginnings: Beginnings | None,
    ) -> None:
        self._connection, self._known, self._count = connection, known, count
        self._book, self._numbers = Book(OwnLines(log.source), beginnings=beginnings), RecordNumbers()
        self._tx = DistributedTransaction(connection, log.source)
        self._numbers.load(connection, {(tp.topic, tp.partition): 0 for tp in known})
        self.strangers = dict.fromkeys(known, 0)

    def take(self, record: Any) -> None:
        tp = TopicPartition(record.topic, record.partition)
        belongs = partial(lies_right, record.key, record.partition, self._count)
        content, erase = record.value or b"", self._tx.forget_text
        judgement = self._book.take(self._connection, content, erase, belongs, record.partition)
        # What was found when it was first read stays as it is, acknowledged or not.
        known = record.offset < self._known[tp]
        if judgement.verdict == "no line":
            if not known:
                worker_state.add_findings(self._connection, [stranger(record, judgement.reason)])
                self.strangers[tp] += 1
        elif known:
            self._numbers.skip_to(judgement.source, record)
        else:
            self._numbers.take(self._connection, judgement.source, record, new=judgement.verdict != "repeat")

    def end(self) -> None:
        self._book.flush(self._connection)
        self._numbers.save(self._connection)


def _compared(connection: Connection) -> dict[str, int]:
    """Stream → its first line that is another one now. Raises `NotPossible` where one is missing."""
    for stream, seq in connection.exec_driver_sql(_FIRST_OTHER.format("ledger.seq IS NULL")):
        t = stream.partition("/")[2]
        raise NotPossible(
            say(
                "{topic} lacks line {seq} of {t}, which the ledger has: {mend}; the ledger stays",
                topic=TOURNAMENTS,
                seq=seq,
                t=t,
                mend=_MEND,
            )
        )
    others = connection.exec_driver_sql(_FIRST_OTHER.format("ledger.root <> old.root"))
    return {stream: int(seq) for stream, seq in others}


def _keep_resumed(connection: Connection, stops: list[Any], changed: Mapping[str, int]) -> None:
    """What an operator has gone past is gone past, where the lines up to there are those that he saw."""
    for stop in stops:
        if stop.resumed >= changed.get(stop.stream, stop.resumed + 1):
            continue
        found = sa.select(STOPPED.c.seq).where(STOPPED.c.stream == stop.stream)
        again = connection.execute(found).scalar()
        if again is None or again <= stop.resumed:
            connection.execute(sa.delete(STOPPED).where(STOPPED.c.stream == stop.stream))
            connection.execute(sa.insert(STOPPED), dict(stop._mapping))
