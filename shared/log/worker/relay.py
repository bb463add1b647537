"""The relay: sends a service's outbox to Kafka, in order, and deletes only what is confirmed."""

import threading
from collections import deque
from contextlib import closing
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa
import structlog
from kafka import TopicPartition
from kafka.errors import KafkaError
from sqlalchemy.engine import Connection

from shared.core.language.messages import message_of, say
from shared.log.distributed import DistributedLog
from shared.log.kafka import consumer, topics
from shared.log.kafka.broker import MOVES, TEXTS, TOPICS, TOURNAMENTS, Broker, headers_of
from shared.log.kafka.consumer import place_of
from shared.log.kafka.producer import SEND_SECONDS, Producer
from shared.log.port import LogFull, LogUnavailable
from shared.log.sql import worker_state
from shared.log.sql.tables import ERASED, OUTBOX
from shared.log.sql.worker_state import RELAY, Halted, Position
from shared.log.worker import worker_lock
from shared.log.worker.outbox_numbers import OutboxNumbers
from shared.log.worker.topic_check import fits

_WINDOW = 4000
"""Maximum number of records that were sent and are not confirmed."""
_LISTEN_SECONDS = 0.2
_IDLE_SECONDS = 0.01
"""Interval for looking at the outbox if the database sends no notifications, as SQLite."""
_AGAIN_SECONDS = 0.5
_log = structlog.get_logger("relay")


class _Sent(NamedTuple):
    id: int
    record: bytes
    future: Any


class Relay:
    """One relay works at a time, by a lock in the database. Others may stand by, and two at once do no harm.

    ``run`` returns when ``stop`` is set. It retries after errors of Kafka or the database. Raises `worker_state.Halted` if an
    operator must act, which is also stored so that other processes report it.
    """

    def __init__(self, log: DistributedLog, broker: Broker, stop: threading.Event) -> None:
        self._service, self._broker, self._stop = log, broker, stop
        self._handshake = worker_state.Handshake(log, RELAY)
        self._counts = {topic: topics.count_of(broker, topic) for topic in TOPICS}
        self._numbers = OutboxNumbers(log.source, self._counts)
        self.holds = False
        """Whether this relay has the lock."""
        self.sent = 0
        """Records confirmed since it was created."""
        self.failures = 0
        """How often it started again from the front of the outbox."""

    def run(self) -> None:
        while not self._stop.is_set():
            try:
                with worker_lock.hold(self._service, RELAY, self._stop) as lock:
                    if lock is not None and self._begun():
                        self.holds = True
                        self._session(lock)
            except Halted as halt:
                with self._service.begin() as connection:
                    worker_state.halt(connection, RELAY, message_of(halt))
                raise
            except (KafkaError, LogUnavailable, LogFull, OSError) as problem:
                self.failures += 1
                _log.warning("going back to the front", problem=repr(problem))
                self._stop.wait(_AGAIN_SECONDS)
            finally:
                self.holds = False
                self._numbers.forget()

    def _begun(self) -> bool:
        """Wait until the follower has restored lost rows, to know which records were sent. Return False if stopped before."""
        while not self._stop.is_set():
            if self._handshake.missing() is None:
                return True
            self._stop.wait(_AGAIN_SECONDS / 5)
        return False

    def _session(self, lock: worker_lock.Lock) -> None:
        """Send until ``stop`` is set. Raises KafkaError or LogUnavailable; unconfirmed records are sent again then."""
        ids, offsets = self._topics(lock)
        producer = Producer(self._broker)
        try:
            self._work(lock, producer, _Confirmed(ids, offsets))
        finally:
            producer.close(timeout=1)

    def _work(self, lock: worker_lock.Lock, producer: Any, confirmed: "_Confirmed") -> None:
        flying: deque[_Sent] = deque()
        text: Any = None
        sheet: Any = None
        lock.listen(worker_state.OUTBOX_CHANNEL)
        while not self._stop.is_set():
            with lock.begin() as connection:
                self._confirm(connection, flying, confirmed)
                waiting = self._waiting(connection, flying)
                numbers = self._numbers.assign(connection, waiting)
            for row in waiting:
                # A text must be in its topic before the event that names it is in another.
                if row.topic != TEXTS and text is not None:
                    text.get(timeout=SEND_SECONDS)
                    text = None
                # Events on a score sheet come before the official events of their command, whose reader then waits for no more.
                if row.topic == TOURNAMENTS and sheet is not None:
                    sheet.get(timeout=SEND_SECONDS)
                headers = headers_of(numbers.get(row.id), row.traceparent)
                future = producer.hand_over(
                    place_of(row.topic, row.key, self._counts[row.topic]), row.key.encode(), row.record, headers
                )
                flying.append(_Sent(row.id, row.record or b"", future))
                text = future if row.topic == TEXTS else text
                sheet = future if row.topic == MOVES else None
            if flying:
                # Half of them at once: confirming costs a commit, and the other half keeps Kafka busy meanwhile.
                flying[len(flying) // 2].future.get(timeout=SEND_SECONDS)
            elif not waiting and not lock.wait(_LISTEN_SECONDS):
                self._stop.wait(_IDLE_SECONDS)
        producer.flush(timeout=SEND_SECONDS)
        with lock.begin() as connection:
            self._confirm(connection, flying, confirmed)

    def _waiting(self, connection: Connection, flying: deque[_Sent]) -> list[Any]:
        """Return the next rows to send, from the front. A row with a lower ID may have been committed later."""
        room = _WINDOW - len(flying)
        if room < _WINDOW // 2:
            return []
        columns = (OUTBOX.c.id, OUTBOX.c.topic, OUTBOX.c.key, OUTBOX.c.record, OUTBOX.c.traceparent)
        chosen = sa.select(*columns).order_by(OUTBOX.c.id).limit(room)
        if flying:
            highest = max(s.id for s in flying)
            below = OUTBOX.c.id <= highest
            late: list[int] = []
            count = connection.execute(sa.select(sa.func.count()).select_from(OUTBOX).where(below)).scalar_one()
            if count > len(flying):
                flown = {s.id for s in flying}
                late = [
                    id for id in connection.execute(sa.select(OUTBOX.c.id).where(below)).scalars() if id not in flown
                ]
            chosen = chosen.where(sa.or_(OUTBOX.c.id > highest, OUTBOX.c.id.in_(late)) if late else ~below)
        rows = connection.execute(chosen).all()
        texts = [r.key for r in rows if r.topic == TEXTS and r.record is not None]
        if not texts:
            return list(rows)
        erased = set(connection.execute(sa.select(ERASED.c.hash).where(ERASED.c.hash.in_(texts))).scalars())
        gone = [r.id for r in rows if r.topic == TEXTS and r.record is not None and r.key in erased]
        connection.execute(sa.delete(OUTBOX).where(OUTBOX.c.id.in_(gone)))
        return [r for r in rows if r.id not in gone]

    def _confirm(self, connection: Connection, flying: deque[_Sent], confirmed: "_Confirmed") -> None:
        """Delete confirmed rows from the front. Raises Kafka's error for the first record that failed, and `Halted`."""
        done: list[int] = []
        last: dict[TopicPartition, _Sent] = {}
        while flying and (future := flying[0].future).is_done:
            if future.exception is not None:
                raise future.exception
            place = future.value.topic_partition
            confirmed.take(place, future.value.offset)
            last[place] = sent = flying.popleft()
            done.append(sent.id)
        if not done:
            return
        positions = {
            place: Position(confirmed.ids[place.topic], sent.future.value.offset + 1, sha256(sent.record).hexdigest())
            for place, sent in last.items()
            if sent.future.value.offset >= 0
        }
        if connection.dialect.name == "postgresql":
            # As text: psycopg takes longer to build an array of numbers than PostgreSQL takes to delete the rows.
            ids = "{" + ",".join(map(str, done)) + "}"
            connection.exec_driver_sql("DELETE FROM outbox WHERE id = ANY(%s::bigint[])", (ids,))
        else:
            connection.exec_driver_sql("DELETE FROM outbox WHERE id = ?", [(id,) for id in done])
        self._numbers.confirmed(connection, done)
        worker_state.save_positions(connection, RELAY, positions)
        self.sent += len(done)

    def _topics(self, lock: worker_lock.Lock) -> tuple[dict[str, str], dict[tuple[str, int], int]]:
        """Return the present IDs of the topics, and the offset up to which each partition was confirmed.

        Raises `Halted` if a topic lacks confirmed records, and KafkaError if a topic does not exist yet.
        """
        with topics.admin(self._broker) as client:
            there = topics.describe(client)
        with lock.begin() as connection:
            held = worker_state.load_positions(connection, RELAY)
        with closing(consumer.open_consumer(self._broker)) as reader:
            fits(there, reader, held)
        missing = [topic for topic in TOPICS if topic not in there]
        if missing:
            raise KafkaError(f"not there yet: {', '.join(missing)}")
        with lock.begin() as connection:
            worker_state.go_on(connection, RELAY)
        ids = {name: topic.id for name, topic in there.items()}
        return ids, {place: position.next for place, position in held.items()}


class _Confirmed:
    """The offsets up to which Kafka has confirmed each partition. Stored records stay, so offsets only grow."""

    def __init__(self, ids: dict[str, str], next_offsets: dict[tuple[str, int], int]) -> None:
        self.ids, self._next = ids, next_offsets

    def take(self, place: TopicPartition, offset: int) -> None:
        """Note a confirmed offset. Raises `Halted` if it was confirmed before: its topic has lost its end."""
        if offset < 0:
            return  # Sent twice by the client; which number the first got is no longer known.
        next = self._next.get(place, 0)
        if offset < next:
            raise Halted(
                say(
                    "{topic}, partition {partition} stored a record at {offset}, although {next} records "
                    "were confirmed, so its end was lost: run `arbiter rebuild topics`",
                    topic=place.topic,
                    partition=place.partition,
                    offset=offset,
                    next=next,
                )
            )
        self._next[place] = offset + 1
