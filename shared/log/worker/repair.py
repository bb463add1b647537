"""Mending what was lost: a ledger from the topic; a topic from the longest ledger, then from the services' events."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from kafka import KafkaProducer
from sqlalchemy.engine import Connection

from shared.core.terms import SOURCES
from shared.log.distributed import DistributedLog, place_of, text_record
from shared.log.kafka import topics
from shared.log.kafka.broker import MAX_RECORD, MOVES, TEXTS, TOPICS, TOURNAMENTS, Broker
from shared.log.kafka.consumer import partition_of
from shared.log.port import Text
from shared.log.sql import worker_lock, worker_state
from shared.log.sql.tables import ERASED, EVENTS, LEDGER, OUTBOX, POSITIONS, STOPPED
from shared.log.sql.tables import TEXTS as TEXT_TABLE
from shared.log.worker import compare

_LOCK_SECONDS = 3.0
_SEND_SECONDS = 60
_Record = tuple[str, str, bytes]
"""Topic, key, bytes."""


class NotPossible(Exception):
    """Why nothing was rebuilt; nothing was changed."""


def rebuild_ledger(log: DistributedLog) -> None:
    """Forget ledger and positions of one service, so that its follower reads the topic from the start.

    Raises `NotPossible` while a worker of the service runs.
    """
    with _alone([log]), log.begin() as connection:
        for table in (LEDGER, STOPPED):
            connection.execute(sa.delete(table))
        connection.execute(sa.delete(POSITIONS).where(POSITIONS.c.reader == worker_state.FOLLOWER))


def rebuild_topics(logs: Sequence[DistributedLog], broker: Broker) -> dict[str, int]:
    """Make the three topics anew: from the longest ledger, the services' events and texts; topic → records.

    ``logs`` are those of all four services. What they have written and no ledger holds goes back into
    their outboxes. Raises `NotPossible` while a worker runs, or where a ledger is no prefix of the longest.
    """
    if {log.source for log in logs} != set(SOURCES):
        raise NotPossible("the topics are rebuilt from the databases of all four services")
    with _alone(logs):
        longest = _longest(logs)
        with topics.admin(broker) as client:
            old = list(topics.describe(client))
            if old:
                client.delete_topics(old)
                _gone(client, old)
        topics.create(broker)
        sent = _send(broker, longest, logs)
        for log in logs:
            _set_back(log)
    return sent


# ---------------------------------------------------------------- nobody else


@contextmanager
def _alone(logs: Sequence[DistributedLog]) -> Iterator[None]:
    """Hold the locks of relay and follower of every service named."""
    stop = threading.Event()
    timer = threading.Timer(_LOCK_SECONDS, stop.set)
    timer.daemon = True
    timer.start()
    try:
        with ExitStack() as stack:
            for log in logs:
                for name in (worker_state.FOLLOWER, worker_state.RELAY):
                    if stack.enter_context(worker_lock.hold(log, name, stop)) is None:
                        raise NotPossible(f"a worker of {log.source} is running: stop the workers first")
            yield
    finally:
        timer.cancel()


def _gone(client: Any, old: list[str]) -> None:
    """Wait until deleted topics are gone; Kafka deletes them after it has answered."""
    pause = threading.Event()
    for _ in range(100):
        if not set(topics.describe(client)) & set(old):
            return
        pause.wait(0.1)
    raise NotPossible("Kafka does not let go of the old topics; try again")


# ---------------------------------------------------------------- what is sent


def _longest(logs: Sequence[DistributedLog]) -> Mapping[str, DistributedLog]:
    """Tournament's stream → the service whose ledger of it is longest. Raises `NotPossible`."""
    try:
        return {stream: compare.longest(logs, stream) for stream in compare.streams(logs)}
    except compare.Differ as difference:
        raise NotPossible(
            f"{difference}: `arbiter rebuild ledger` forgets the ledger that is wrong, before a topic is made of any"
        ) from None


def _records(log: DistributedLog, stream: str) -> Iterator[_Record]:
    """A ledger's commands as the records that they were."""
    topic, key = place_of(stream)
    for _, lines in groupby(log.lines(stream), key=lambda row: row.seq - row.n):
        yield topic, key, b"\n".join(row.line for row in lines)


def _commands(rows: Sequence[Any]) -> Iterator[bytes]:
    """Lines of one stream and source, in order, as one record a command."""
    for _, lines in groupby(rows, key=lambda row: row.command):
        yield b"\n".join(row.line for row in lines)


def _send(broker: Broker, longest: Mapping[str, DistributedLog], logs: Sequence[DistributedLog]) -> dict[str, int]:
    sent = dict.fromkeys(TOPICS, 0)
    counts = {topic: topics.count_of(broker, topic) for topic in TOPICS}
    producer = KafkaProducer(acks="all", max_request_size=MAX_RECORD, batch_size=256 * 1024, **broker.options())
    try:
        futures = []
        for topic, key, record in _everything(longest, logs):
            partition = partition_of(key, counts[topic])
            futures.append(producer.send(topic, key=key.encode(), value=record, partition=partition))
            sent[topic] += 1
        producer.flush(timeout=_SEND_SECONDS)
        for future in futures:
            future.get(timeout=_SEND_SECONDS)
    finally:
        producer.close(timeout=_SEND_SECONDS)
    return sent


def _everything(longest: Mapping[str, DistributedLog], logs: Sequence[DistributedLog]) -> Iterator[_Record]:
    """Texts, then sheets, then the official lines."""
    for text in _texts(logs):
        yield TEXTS, text.hash, text_record(text)
    for log in logs:
        for stream in log.streams("games/"):
            for record in _commands(log.lines(stream)):
                yield MOVES, stream.partition("/")[2], record
    for stream, log in longest.items():
        yield from _records(log, stream)


def _texts(logs: Sequence[DistributedLog]) -> list[Text]:
    """What any service still knows and none has erased."""
    known: dict[str, Text] = {}
    erased: set[str] = set()
    for log in logs:
        with log.begin() as connection:
            known |= {
                r.hash: Text(r.hash, r.salt, r.text, r.tournament) for r in connection.execute(sa.select(TEXT_TABLE))
            }
            erased |= set(connection.execute(sa.select(ERASED.c.hash)).scalars())
    return [text for hash, text in sorted(known.items()) if hash not in erased]


# ---------------------------------------------------------------- the services afterwards


def _set_back(log: DistributedLog) -> None:
    """Positions begin anew; the outbox holds exactly what no ledger has come to hold."""
    with log.begin() as connection:
        connection.execute(sa.delete(POSITIONS))
        connection.execute(sa.delete(OUTBOX).where(OUTBOX.c.topic.in_((MOVES, TEXTS, TOURNAMENTS))))
        for stream, source in connection.execute(
            sa.select(EVENTS.c.stream, EVENTS.c.source).distinct().where(EVENTS.c.stream.startswith("tournaments/"))
        ).all():
            _unsent(connection, stream, source)


def _unsent(connection: Connection, stream: str, source: str) -> None:
    back = sa.select(sa.func.coalesce(sa.func.max(LEDGER.c.sourceseq), 0)).where(
        LEDGER.c.stream == stream, LEDGER.c.source == source
    )
    chosen = sa.select(EVENTS.c.command, EVENTS.c.line).where(
        EVENTS.c.stream == stream, EVENTS.c.source == source, EVENTS.c.sourceseq > back.scalar_subquery()
    )
    topic, key = place_of(stream)
    rows = connection.execute(chosen.order_by(EVENTS.c.sourceseq)).all()
    values = [{"topic": topic, "key": key, "record": record, "at": 0.0} for record in _commands(rows)]
    if values:
        connection.execute(sa.insert(OUTBOX), values)
