"""The follower: stores the records of the topics in the ledger, in one transaction with its positions."""

import threading
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

import sqlalchemy as sa
import structlog
from kafka import TopicPartition
from kafka.errors import KafkaError, OffsetOutOfRangeError
from sqlalchemy.engine import Connection

from shared.core.language.messages import message_of, say
from shared.core.terms import GAMES, STANDINGS, service_of
from shared.core.trust.service_keys import ServiceKey
from shared.log.distributed import DistributedLog
from shared.log.distributed_transaction import DistributedTransaction
from shared.log.kafka import consumer
from shared.log.kafka.broker import MOVES, TEXTS, TOKENS, TOURNAMENTS, Broker
from shared.log.port import LogFull, LogUnavailable
from shared.log.sql import worker_state
from shared.log.sql.owners import Claims, Fenced
from shared.log.sql.statements import commit_without_flush
from shared.log.sql.worker_state import FOLLOWER, Halted, Mendable, Position
from shared.log.worker import worker_lock
from shared.log.worker.acceptance import OwnLines, Verifier
from shared.log.worker.ledger import Book, Gap
from shared.log.worker.listed_announcements import Beginnings, Keys
from shared.log.worker.membership import Owned, SoleOwner
from shared.log.worker.pulse import Pulse, SessionEnded
from shared.log.worker.record_traces import log_traces
from shared.log.worker.records.record_numbers import RecordNumbers, end_of_transaction, lies_right, stranger
from shared.log.worker.records.record_signatures import RecordSignatures, RestoredSignatures
from shared.log.worker.restore import Permit, check_permit, restore
from shared.log.worker.revocations import RevocationTopic
from shared.log.worker.side_topics import FollowedSheets, TakenTexts, take_sheets
from shared.log.worker.topic_check import CheckedTopics, TopicWatch, check_topics

_POLL_MS = 100
_AGAIN_SECONDS = 0.5
_MENDED_SECONDS = 2.0  # a person must act, so looking more often is useless
_log = structlog.get_logger("follower")


class Follower:
    """Follows the partitions that its worker has claimed (``owned``; by default all).

    At start it restores rows that the database lacks (`restore`). ``run`` returns when ``stop`` is set. It retries after
    temporary errors, and after faults that are repaired without it (`Mendable`). Raises `Halted`, which is also stored for the
    web processes.

    - ``verifier``: reports who signed a record. Default: by the keys in the ledger.
    - ``own_keys``: the keys of this service. ``announcers``: pairing's public keys. Without them, any announcement begins a
      tournament.
    - ``revocations``: checks the signatures of revocations. By default, none is believed.
    - ``permit``: whether a new log may be started. Default: yes.
    - ``owned``: the partitions to follow. The texts and the revocations belong to partition 0.
    """

    def __init__(
        self,
        log: DistributedLog,
        broker: Broker,
        stop: threading.Event,
        verifier: Verifier | None = None,
        own_keys: Sequence[ServiceKey] = (),
        announcers: Keys | None = None,
        revocations: RevocationTopic | None = None,
        permit: Permit | None = None,
        owned: Owned | None = None,
    ) -> None:
        self._owned = owned or SoleOwner(log, broker)
        self._service, self._broker, self._stop, self._permit, self._own_keys = log, broker, stop, permit, own_keys
        self._revocations = revocations or RevocationTopic(log.source)
        verifier = verifier or RecordSignatures()
        self._book = Book(
            OwnLines(log.source), verifier, announcers and Beginnings(announcers, self._revocations.listed)
        )
        self._numbers, self._texts = RecordNumbers(), TakenTexts()
        self._sheets = FollowedSheets(self._book, verifier, self._numbers)
        self.holds = False
        """Whether this follower follows some partitions."""
        self.strangers = 0
        """Unexpected records, read since it was created."""
        self.failures = 0
        """Number of sessions that ended with a temporary error."""
        self._lag: int | None = None

    @property
    def lines_taken(self) -> int:
        """Events appended to the ledger since it was created."""
        return self._book.lines

    @property
    def forks(self) -> int:
        """Forks, foreign events in this service's name, and root mismatches, found since it was created."""
        return self._book.stops

    def lag(self) -> int | None:
        """Return the records between the positions and the end of the topics at the last look, or None before the first."""
        return self._lag

    def run(self) -> None:
        claims = Claims("")
        while not self._stop.is_set():
            try:
                claims = self._owned.claims
                if not claims.epochs:
                    self._stop.wait(_POLL_MS / 1000)
                    continue
                with worker_lock.hold(self._service, FOLLOWER, self._stop, claims) as lock:
                    if lock is not None:
                        self.holds = True
                        self._session(lock)
            except Halted as halt:
                if not worker_lock.halt(self._service, FOLLOWER, message_of(halt), claims):
                    continue
                if not isinstance(halt, Mendable):
                    raise
                _log.error("waiting until it is mended", why=str(halt))
                self._stop.wait(_MENDED_SECONDS)
            except Fenced as lost:
                _log.warning("ending", problem=str(lost))
                self._stop.wait(_POLL_MS / 1000)
            except (KafkaError, LogUnavailable, LogFull, OSError, SessionEnded, sa.exc.DBAPIError) as problem:
                self.failures += 1
                _log.warning("beginning again", problem=repr(problem))
                self._stop.wait(_AGAIN_SECONDS)
            finally:
                self.holds = False
                self._book.forget()

    # ------------------------------------------------------------ a session

    def _session(self, lock: worker_lock.Lock) -> None:
        """Restore, check the topics, then follow. Raises `Halted`, `SessionEnded`, KafkaError, LogUnavailable."""
        reader = consumer.open_consumer(self._broker)
        try:
            checked = check_topics(lock, reader, self._broker, self._service.source)
            self._check_beginning(lock, reader)
            signatures = RestoredSignatures(self._own_keys, self._revocations.read_list(reader))
            if lines := restore(self._service, lock, reader, checked.there, signatures):
                _log.warning("own lines were put back", lines=lines)
            if lock.owns(0):
                self._revocations.read_again(lock, reader)
            with lock.begin() as connection:
                worker_state.go_on(connection, FOLLOWER, lock.partitions)
            self._follow(lock, reader, checked)
        except Gap as gap:
            service = service_of(self._service.source)
            why = say("{gap}: `arbiter rebuild ledger {service}` reads it again", gap=message_of(gap), service=service)
            raise Halted(why) from None
        except OffsetOutOfRangeError:
            raise SessionEnded("a position lies outside its topic") from None
        finally:
            reader.close()

    def _check_beginning(self, lock: worker_lock.Lock, reader: Any) -> None:
        """Check whether a log may be started. Raises `Mendable` if nobody has permitted a new one."""
        if self._permit is not None:
            ends = consumer.ends(reader, consumer.partitions(reader, TOURNAMENTS))
            with lock.begin() as connection:
                check_permit(connection, self._service.source, sum(ends.values()), self._permit)

    def _follow(self, lock: worker_lock.Lock, reader: Any, checked: CheckedTopics) -> None:
        held = checked.positions
        with lock.begin() as connection:
            self._numbers.load(connection, {place: position.next for place, position in held.items()})
        tokens = TopicPartition(TOKENS, 0)
        reader.assign(sorted({tokens, *(TopicPartition(*place) for place in held)}))
        for place, position in held.items():
            reader.seek(TopicPartition(*place), position.next)
        if not lock.owns(0):  # Its lists of announcements concern every partition.
            reader.seek(tokens, consumer.begins(reader, [tokens])[tokens])
        count = checked.there[TOURNAMENTS].partitions
        pulse, watch = Pulse(lock), TopicWatch(self._broker)
        while not self._stop.is_set() and self._owned.claims == lock.claims:
            polled = reader.poll(timeout_ms=_POLL_MS)
            if consumer.connections(reader) > checked.connections:
                # Records read over a new connection are invalid until the last record has been compared.
                raise SessionEnded("connected anew")
            if not lock.owns(0):
                self._revocations.note_lists(polled.pop(tokens, []))
            if polled:
                self._take(lock, held, polled, count)
                self._go_back(reader, held, polled)
            else:
                self._pass_markers(lock, held, reader)
            pulse.beat(held)
            watch.look()
            if lock.owns(0):
                self._revocations.look(lock)
            if pulse.question_is_open(held, reader):
                self._lag = sum(max(0, end - held[at].next) for at, end in pulse.ends.items() if at in held)
                if self._permit is not None and self.lines_taken:
                    self._permit.spend()
                if self._texts.waiting or self._service.source == STANDINGS:
                    self._look_at_waiting(lock, pulse.ends)

    def _look_at_waiting(self, lock: worker_lock.Lock, ends: Mapping[tuple[str, int], int]) -> None:
        """Look at what waits for the official log, once the followers of all partitions have read it to its end."""
        with lock.begin() as connection:
            read = worker_state.positions(connection, FOLLOWER)
            if any(read.get(place, 0) < end for place, end in ends.items() if place[0] == TOURNAMENTS):
                return
            self._sheets.official_read()
            if not self._lag and self._texts.waiting:
                self.strangers += self._texts.foreign_tombstones(connection)

    def _take(
        self, lock: worker_lock.Lock, held: dict[tuple[str, int], Position], polled: Mapping[Any, Any], count: int
    ) -> None:
        """Store records in their tables, and the positions with them, in one transaction.

        Texts and lists of announcements are first, since events may wait for them. Score sheets are last.
        """
        moved: dict[tuple[str, int], Position] = {}
        strangers: list[dict[str, Any]] = []
        try:
            with lock.begin() as connection:
                commit_without_flush(connection)
                stored = worker_state.positions(connection, FOLLOWER)
                if any(stored.get(place, 0) != position.next for place, position in held.items()):
                    raise SessionEnded("the positions in the database are not where this follower left them")
                tx = DistributedTransaction(connection, self._service.source)
                for tp in sorted(polled, key=lambda tp: (tp.topic == MOVES) - (tp.topic in (TEXTS, TOKENS))):
                    records, before = polled[tp], held[tp.topic, tp.partition]
                    if tp.topic == TEXTS:
                        found = self._texts.take(tx, records)
                    elif tp.topic == MOVES and self._service.source == GAMES:
                        found = take_sheets(connection, self._service.source, records, count, self._numbers)
                    elif tp.topic == MOVES:
                        self._book.flush(connection)
                        taken, found = self._sheets.take(connection, records, count)
                        if not taken:
                            continue
                        records = records[:taken]
                    elif tp.topic == TOKENS:
                        found = self._revocations.take(connection, records)
                    else:
                        found = self._take_lines(connection, tx, records, tp.partition, count)
                    strangers += found
                    last = records[-1]
                    digest = sha256(last.value or b"").hexdigest()
                    moved[tp.topic, tp.partition] = Position(
                        before.topicid, last.offset + 1, digest, 0, before.strangers + len(found)
                    )
                self._book.flush(connection)
                self._numbers.save(connection)
                worker_state.add_findings(connection, strangers)
                end = worker_state.ledger_end(connection)
                for position in moved.values():
                    position.ledger = end
                worker_state.save_positions(connection, FOLLOWER, moved)
                worker_state.tell(connection)
        except BaseException:
            self._book.forget()
            raise
        self._numbers.saved()
        self.strangers += len(strangers)
        held |= moved
        log_traces(self._service.source, polled, moved)

    def _go_back(self, reader: Any, held: Mapping[tuple[str, int], Position], polled: Mapping[Any, Any]) -> None:
        """Seek back to the records that were not stored because they wait for events of another topic."""
        waiting = [tp for tp, records in polled.items() if held[tp.topic, tp.partition].next <= records[-1].offset]
        for tp in waiting:
            reader.seek(tp, held[tp.topic, tp.partition].next)
        if waiting:
            self._stop.wait(_POLL_MS / 1000)

    @staticmethod
    def _pass_markers(lock: worker_lock.Lock, held: dict[tuple[str, int], Position], reader: Any) -> None:
        """Skip ends of transactions, which have an offset but reach no consumer, and add findings. No service writes any."""
        passed = {place: at for place in held if (at := reader.position(TopicPartition(*place))) > held[place].next}
        if not passed:
            return
        found = [end_of_transaction(topic, n, held[topic, n].next) for topic, n in passed]
        for place, at in passed.items():
            held[place].next = at
        with lock.begin() as connection:
            worker_state.save_positions(connection, FOLLOWER, {place: held[place] for place in passed})
            worker_state.add_findings(connection, found)
            worker_state.tell(connection)

    def _take_lines(
        self, connection: Connection, tx: DistributedTransaction, records: list[Any], partition: int, count: int
    ) -> list[dict[str, Any]]:
        """Store official records. Return findings of those that are not events."""
        strangers = []
        for record in records:
            belongs = partial(lies_right, record.key, partition, count)
            judgement = self._book.take(connection, record.value or b"", tx.forget_text, belongs, partition)
            if judgement.verdict == "no line":
                strangers.append(stranger(record, judgement.reason))
            elif judgement.verdict != "forged":
                self._numbers.take(connection, judgement.source, record, new=judgement.verdict != "repeat")
        return strangers
