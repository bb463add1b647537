"""Which partitions a worker works on: a Kafka consumer group shares them among the workers of a service."""

import os
import secrets
import socket
import threading
import time
from collections.abc import Collection
from typing import Any, Protocol

import structlog
from kafka import ConsumerRebalanceListener, OffsetAndMetadata, TopicPartition
from kafka.errors import UnknownTopicOrPartitionError

from shared.log.distributed import DistributedLog
from shared.log.kafka import consumer
from shared.log.kafka.broker import FOLLOWS, Broker, group_of
from shared.log.port import LogUnavailable
from shared.log.sql import owners, worker_state
from shared.log.sql.owners import MEMBER_LENGTH, Claims
from shared.log.sql.worker_state import FOLLOWER

_SESSION_MS = 10_000
"""How long the group waits for a worker that has died.

A shorter time would take partitions from running workers on a busy machine.
"""
_HEARTBEAT_MS = 1000
_REJOIN_MS = 30_000
"""How long a rebalance waits for a member that has a heartbeat, but does not join again."""
_POLL_MS = 200
_TOPICS_MS = 5000
"""Interval of looks for topics that were created again, which the group shares again."""
_LOOK_SECONDS = 1.0
_SHOW_SECONDS = 2.0
"""Interval of the commits of offsets, which Kafka's tools display and nothing reads."""
_CLAIM_SECONDS = 1
"""How long a claim waits for a transaction of the former owner before it ends the owner's sessions."""
_AGAIN_SECONDS = 0.5
_UNSHARED_SECONDS = 15.0
"""A worker joins the group again if it could not claim its assigned partitions for this long."""
_log = structlog.get_logger("membership")


class Owned(Protocol):
    """The partitions that a relay and a follower work on."""

    @property
    def claims(self) -> Claims:
        """The present claims. Without any, a part waits. If they change, it begins again. Raises `port.LogUnavailable`."""


class SoleOwner:
    """Owns all partitions, claimed at the first look, without a consumer group: on SQLite, only one worker works at a time."""

    def __init__(self, log: DistributedLog, broker: Broker) -> None:
        self._log, self._count = log, broker.partitions
        self._claims: Claims | None = None
        self._claiming = threading.Lock()

    @property
    def claims(self) -> Claims:
        with self._claiming:
            if self._claims is None:
                with self._log.begin() as connection:
                    owners.add_partitions(connection, self._count)
                    generation = owners.last_generation(connection) + 1
                    claims = owners.claim(connection, Claims(member_name()), generation, range(self._count))
                self._claims = claims
            return self._claims

    def run(self) -> None:
        """Do nothing: no group changes the claims."""


class Membership:
    """A worker's membership in the consumer group of its service, in a thread of its own: ``run`` returns when ``stop`` is set.

    It reads no records. Its consumer only asks for an assignment, which is then claimed in the database. The positions in the
    database count; offsets are committed to Kafka afterwards, for its tools. While Kafka or the database is unavailable, the
    claims stay until another worker claims the partitions.
    """

    def __init__(self, log: DistributedLog, broker: Broker, stop: threading.Event) -> None:
        self._log, self._broker, self._stop = log, broker, stop
        self.claims = Claims(member_name())

    def run(self) -> None:
        while not self._stop.is_set():
            try:
                self._session()
            except UnknownTopicOrPartitionError as problem:
                _log.warning("claiming without the group", problem=repr(problem))
                self._claim_expired()
                self._stop.wait(_AGAIN_SECONDS)
            except Exception as problem:
                # Whatever fails, the relay and the follower go on with the claims that they have.
                _log.warning("joining the group again", problem=repr(problem))
                self._stop.wait(_AGAIN_SECONDS)
        try:
            self._keep(())
        except Exception as problem:
            _log.warning("the claims were not released and expire", problem=repr(problem))

    def _session(self) -> None:
        with self._log.begin() as connection:
            owners.add_partitions(connection, self._broker.partitions)
        source = self._log.source
        reader = consumer.open_consumer(
            self._broker, group_id=group_of(source), client_id=self.claims.member, auto_offset_reset="latest",
            session_timeout_ms=_SESSION_MS, heartbeat_interval_ms=_HEARTBEAT_MS,
            metadata_max_age_ms=_TOPICS_MS, max_poll_interval_ms=_REJOIN_MS,
        )  # fmt: skip
        try:
            for topic in FOLLOWS[source]:
                consumer.partitions(reader, topic)  # the leader of the group must know them
            assignment = _Assignment(reader)
            reader.subscribe(list(FOLLOWS[source]), listener=assignment)
            self._follow(reader, assignment)
        finally:
            reader.close()

    def _follow(self, reader: Any, assignment: "_Assignment") -> None:
        seen: tuple[int, frozenset[int]] | None = None
        look = show = 0.0
        shared = time.monotonic()
        while not self._stop.is_set():
            reader.poll(timeout_ms=_POLL_MS)
            now = time.monotonic()
            if assignment.present is not None and (assignment.present != seen or now >= look):
                generation, partitions = seen = assignment.present
                self._keep(partitions)
                self._claim(generation, partitions)
                look = now + (_LOOK_SECONDS if self.claims.epochs.keys() == partitions else _AGAIN_SECONDS)
            if seen is None or (seen[1] and seen[1] == self.claims.epochs.keys()):
                shared = now
            elif now > shared + _UNSHARED_SECONDS:
                self._require_shared(seen[1])
            if now >= show and self.claims.epochs:
                self._show(reader)
                show = now + _SHOW_SECONDS

    def _require_shared(self, assigned: Collection[int]) -> None:
        """Raise `_Unshared` if the group is not as this worker knows it, so that it joins again.

        Another member has claimed what this one was assigned: the group has gone on without it, and kafka-python has not noticed.
        Or nobody was assigned anything: the member that shares the partitions out lacked the topics at that moment, as when they
        are created again.
        """
        if assigned:
            raise _Unshared(f"other members have claimed some of the partitions {sorted(assigned)}")
        with self._log.begin() as connection:
            unowned = [owner.partition for owner in owners.owners(connection) if owner.left <= 0]
        if unowned:
            raise _Unshared(f"the group assigns nobody the partitions {unowned}")

    def _keep(self, partitions: Collection[int]) -> None:
        """Release the partitions that are not assigned any more."""
        lost = self.claims.epochs.keys() - set(partitions)
        if lost:
            held, self.claims = self.claims, self.claims.without(lost)  # first: nothing new is begun with them
            with self._log.begin() as connection:
                owners.release(connection, held, lost)

    def _claim(self, generation: int, partitions: frozenset[int]) -> None:
        try:
            with self._log.begin() as connection:
                if self._log.postgres:
                    connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{_CLAIM_SECONDS}s'")
                claims = owners.claim(connection, self.claims, generation, partitions)
        except LogUnavailable:
            with self._log.begin() as connection:
                owners.evict(connection, self.claims, generation, partitions)
            return
        if claims != self.claims:
            _log.info("claimed", member=claims.member, partitions=sorted(claims.epochs), generation=generation)
            self.claims = claims

    def _claim_expired(self) -> None:
        """Claim the partitions that no other worker holds, so that one worker reports that the topics do not exist."""
        try:
            with self._log.begin() as connection:
                generation = owners.last_generation(connection)
            self._claim(generation, frozenset(range(self._broker.partitions)))
        except LogUnavailable as problem:
            _log.warning("claiming again", problem=repr(problem))

    def _show(self, reader: Any) -> None:
        with self._log.reader.connect() as connection:
            positions = worker_state.positions(connection, FOLLOWER)
        mine = {TopicPartition(*place): next for place, next in positions.items() if place[1] in self.claims.epochs}
        assigned = reader.assignment()
        reader.commit_async({tp: OffsetAndMetadata(next, "", -1) for tp, next in mine.items() if tp in assigned})


class _Unshared(Exception):
    """Raised if the group did not assign every partition, or assigned them without this worker."""


class _Assignment(ConsumerRebalanceListener):  # type: ignore[misc]
    """Notes the assignment on the I/O thread of kafka-python, which must not be held up, and lets no records be fetched."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader
        self.present: tuple[int, frozenset[int]] | None = None
        """The generation of the group, and the partitions that it assigns to this member."""

    def on_partitions_revoked(self, revoked: Any) -> None:
        """Do nothing: their next owner claims them."""

    def on_partitions_assigned(self, assigned: Any) -> None:
        self._reader.pause(*assigned)
        generation = self._reader.group_metadata().generation_id
        self.present = generation, frozenset(place.partition for place in assigned)


def member_name() -> str:
    """Return a name for this process, which no other one has and that fits into the name of a session at PostgreSQL."""
    end = f"-{os.getpid()}-{secrets.token_hex(4)}"
    return socket.gethostname().replace(" ", "")[: MEMBER_LENGTH - len(end)] + end
