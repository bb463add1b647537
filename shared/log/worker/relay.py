"""The relay: sends a service's outbox to Kafka, in order, and deletes only what is confirmed."""

import threading
from collections import deque
from contextlib import closing
from hashlib import sha256
from typing import Any, NamedTuple

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
from shared.log.sql import owners, worker_state
from shared.log.sql.owners import Claims, Fenced
from shared.log.sql.worker_state import RELAY, Halted, Position
from shared.log.worker import worker_lock
from shared.log.worker.membership import Owned, SoleOwner
from shared.log.worker.outbox_numbers import OutboxNumbers
from shared.log.worker.topic_check import fits
from shared.log.worker.waiting_records import WaitingRecords

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
    """Sends the records of the partitions that its worker has claimed (``owned``; by default all). Others do no harm.

    ``run`` returns when ``stop`` is set. It retries after errors of Kafka or the database. Raises `worker_state.Halted` if an
    operator must act, which is also stored so that other processes report it.
    """

    def __init__(self, log: DistributedLog, broker: Broker, stop: threading.Event, owned: Owned | None = None) -> None:
        self._service, self._broker, self._stop = log, broker, stop
        self._owned = owned or SoleOwner(log, broker)
        self._counts = {topic: topics.count_of(broker, topic) for topic in TOPICS}
        self._numbers = OutboxNumbers(log.source, self._counts)
        self._restored: Claims | None = None
        self.holds = False
        """Whether this relay sends the records of some partitions."""
        self.sent = 0
        """Records confirmed since it was created."""
        self.failures = 0
        """How often it started again from the front of the outbox."""

    def run(self) -> None:
        claims = Claims("")
        while not self._stop.is_set():
            try:
                claims = self._owned.claims
                if not claims.epochs:
                    self._stop.wait(_IDLE_SECONDS)
                    continue
                with worker_lock.hold(self._service, RELAY, self._stop, claims) as lock:
                    if lock is not None and self._begun(lock):
                        self.holds = True
                        self._session(lock)
            except Halted as halt:
                if worker_lock.halt(self._service, RELAY, message_of(halt), claims):
                    raise
            except Fenced as lost:
                _log.warning("ending", problem=str(lost))
                self._stop.wait(_AGAIN_SECONDS / 5)
            except (KafkaError, LogUnavailable, LogFull, OSError) as problem:
                self.failures += 1
                _log.warning("going back to the front", problem=repr(problem))
                self._stop.wait(_AGAIN_SECONDS)
            finally:
                self.holds = False
                self._numbers.forget()

    def _begun(self, lock: worker_lock.Lock) -> bool:
        """Wait until the follower has restored lost rows, to know which records were sent. Return False if stopped before.

        It is asked once for the same claims.
        """
        if lock.claims == self._restored:
            return True
        with lock.begin() as connection:
            question = worker_state.ask(connection)
        while self._goes_on(lock):
            with lock.begin() as connection:
                if owners.answered(connection, lock.partitions) >= question:
                    self._restored = lock.claims
                    return True
            self._stop.wait(_AGAIN_SECONDS / 5)
        return False

    def _goes_on(self, lock: worker_lock.Lock) -> bool:
        return not self._stop.is_set() and self._owned.claims == lock.claims

    def _session(self, lock: worker_lock.Lock) -> None:
        """Send until ``stop`` is set. Raises KafkaError or LogUnavailable; unconfirmed records are sent again then."""
        ids, offsets = self._topics(lock)
        waiting = WaitingRecords(self._service.source, lock.partitions, self._broker.partitions)
        producer = Producer(self._broker)
        try:
            self._work(lock, producer, waiting, _Confirmed(ids, offsets))
        finally:
            producer.close(timeout=1)

    def _work(self, lock: worker_lock.Lock, producer: Any, records: WaitingRecords, confirmed: "_Confirmed") -> None:
        flying: deque[_Sent] = deque()
        text: Any = None
        sheet: Any = None
        lock.listen(worker_state.OUTBOX_CHANNEL)
        while self._goes_on(lock):
            with lock.begin() as connection:
                if self._confirm(connection, flying, confirmed) and records.waited_for:
                    worker_state.tell(connection, worker_state.OUTBOX_CHANNEL)
                room = _WINDOW - len(flying)
                waiting = records.next_rows(connection, [s.id for s in flying], room) if room >= _WINDOW // 2 else []
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
                # Only the front is confirmed, and another partition may confirm the middle earlier.
                flying[0].future.get(timeout=SEND_SECONDS)
            elif not waiting and not lock.wait(_LISTEN_SECONDS):
                self._stop.wait(_IDLE_SECONDS)
        producer.flush(timeout=SEND_SECONDS)
        with lock.begin() as connection:
            self._confirm(connection, flying, confirmed)

    def _confirm(self, connection: Connection, flying: deque[_Sent], confirmed: "_Confirmed") -> int:
        """Delete confirmed rows from the front, and return their number.

        Raises Kafka's error for the first record that failed, and `Halted`.
        """
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
            return 0
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
        return len(done)

    def _topics(self, lock: worker_lock.Lock) -> tuple[dict[str, str], dict[tuple[str, int], int]]:
        """Return the present IDs of the topics, and the offset up to which each partition was confirmed.

        Raises `Halted` if a topic lacks confirmed records, and KafkaError if a topic does not exist yet.
        """
        with topics.admin(self._broker) as client:
            there = topics.describe(client)
        with lock.begin() as connection:
            stored = worker_state.load_positions(connection, RELAY)
        held = {place: position for place, position in stored.items() if lock.owns(place[1])}
        with closing(consumer.open_consumer(self._broker)) as reader:
            fits(there, reader, held)
        missing = [topic for topic in TOPICS if topic not in there]
        if missing:
            raise KafkaError(f"not there yet: {', '.join(missing)}")
        with lock.begin() as connection:
            worker_state.go_on(connection, RELAY, lock.partitions)
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
