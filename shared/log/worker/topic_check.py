"""Before a worker goes on: are these the topics it knew, and do they still hold what it read or sent last?"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import structlog
from kafka import TopicPartition
from kafka.errors import (
    ClusterAuthorizationFailedError,
    TopicAuthorizationFailedError,
    UnknownTopicOrPartitionError,
)

from shared.core.language.messages import Message, in_turn, say
from shared.core.terms import Source, service_of
from shared.log.kafka import consumer, topics
from shared.log.kafka.broker import COMPACTED, FOLLOWS, TOPICS, Broker
from shared.log.sql import worker_state
from shared.log.sql.worker_state import FOLLOWER, Halted, Mendable, Position
from shared.log.worker import worker_lock

_LOOK_SECONDS = 10.0
_log = structlog.get_logger("topics")
_MEND = say("`arbiter rebuild topics` repairs it")


@dataclass(frozen=True, slots=True)
class CheckedTopics:
    """The topics as they are, where to go on in those that are followed, and the connections over which this is true.

    ``connections`` counts those that the reader had made: with one more, the topics may be others.
    """

    there: dict[str, topics.Topic]
    positions: dict[tuple[str, int], Position]
    connections: int


def check_topics(lock: worker_lock.Lock, reader: Any, broker: Broker, source: Source) -> CheckedTopics:
    """Compare topics and positions of a service, in the partitions of the lock's holder.

    Raises `Halted` where they do not fit, and UnknownTopicOrPartitionError where the topics were never there.
    """
    with topics.admin(broker) as client:
        there = topics.describe(client)
        losing = _losing(client, broker)
    with lock.begin() as connection:
        stored = worker_state.load_positions(connection, FOLLOWER)
        end = worker_state.ledger_end(connection)
    _same_topics(there, stored)
    held = {place: position for place, position in stored.items() if lock.owns(place[1])}
    if missing := [topic for topic in TOPICS if topic not in there]:
        raise UnknownTopicOrPartitionError(f"{missing[0]} is not there: `arbiter topics` makes it")
    # Asking each partition's leader makes every connection there will be; all that follows is read over these.
    consumer.ends(
        reader, [TopicPartition(topic, n) for topic, described in there.items() for n in range(described.partitions)]
    )
    connections = consumer.connections(reader)
    _same_records(reader, held)
    if losing:
        raise Mendable(in_turn(losing))
    if any(position.ledger > end for position in held.values()):
        service = service_of(source)
        raise Halted(
            say(
                "the ledger lacks lines that it had: `arbiter rebuild ledger {service}` reads them again",
                service=service,
            )
        )
    for topic in FOLLOWS[source]:
        for partition in filter(lock.owns, range(there[topic].partitions)):
            held.setdefault((topic, partition), Position(there[topic].id))
    return CheckedTopics(there, held, connections)


class TopicWatch:
    """Looks, now and then, whether the topics still are as they must be."""

    def __init__(self, broker: Broker) -> None:
        self._broker, self._due = broker, time.monotonic() + _LOOK_SECONDS

    def look(self) -> None:
        """Raises `Mendable` where a topic forgets records or has other partitions, and KafkaError."""
        if time.monotonic() < self._due:
            return
        with topics.admin(self._broker) as client:
            losing = _losing(client, self._broker)
        self._due = time.monotonic() + _LOOK_SECONDS
        if losing:
            raise Mendable(in_turn(losing))


def _losing(client: Any, broker: Broker) -> list[Message]:
    """As `topics.losing`; nothing where this user may not ask (`arbiter topics` gives the right)."""
    try:
        return topics.losing(client, broker)
    except (TopicAuthorizationFailedError, ClusterAuthorizationFailedError) as refused:
        _log.warning("may not read the topics' settings", problem=repr(refused), remedy="arbiter topics")
        return []


def fits(there: Mapping[str, topics.Topic], reader: Any, held: Mapping[tuple[str, int], Position]) -> None:
    """Raises `Halted` where the topics are not those of the positions, or hold something else than was known.

    The record before each position must be the one that was read or sent there, and none before it may be lost.
    """
    _same_topics(there, held)
    _same_records(reader, held)


def _same_topics(there: Mapping[str, topics.Topic], held: Mapping[tuple[str, int], Position]) -> None:
    for (topic, partition), position in held.items():
        if topic not in there:
            raise Halted(say("topic {topic} does not exist: {mend}", topic=topic, mend=_MEND))
        if there[topic].id != position.topicid:
            raise Halted(say("topic {topic} was deleted and created again: {mend}", topic=topic, mend=_MEND))
        if partition >= there[topic].partitions:
            raise Halted(say("{topic} has fewer partitions than before: {mend}", topic=topic, mend=_MEND))


def _same_records(reader: Any, held: Mapping[tuple[str, int], Position]) -> None:
    if not held:
        return
    places = [TopicPartition(*place) for place in held]
    begins, ends = consumer.begins(reader, places), consumer.ends(reader, places)
    for (topic, partition), position in held.items():
        tp, where = (
            TopicPartition(topic, partition),
            say("{topic}, partition {partition}", topic=topic, partition=partition),
        )
        if ends[tp] < position.next:
            raise Halted(
                say(
                    "{where} ends at {end}, although {next} records were known: {mend}",
                    where=where,
                    end=ends[tp],
                    next=position.next,
                    mend=_MEND,
                )
            )
        # Of compacted topics what lies before may rightly be gone, and so may the last record.
        if topic not in COMPACTED and begins[tp] > max(0, position.next - 1):
            raise Halted(
                say(
                    "{where} begins at {begin}: records before it are lost: {mend}",
                    where=where,
                    begin=begins[tp],
                    mend=_MEND,
                )
            )
    read = {TopicPartition(*place): p for place, p in held.items() if place[0] not in COMPACTED and p.next > 0}
    starts = {tp: p.next - 1 for tp, p in read.items()}
    for record in consumer.stretch(reader, starts, {tp: p.next for tp, p in read.items()}):
        tp = TopicPartition(record.topic, record.partition)
        if sha256(record.value or b"").hexdigest() != read[tp].digest:
            where = say("{topic}, partition {partition}", topic=record.topic, partition=record.partition)
            raise Halted(
                say(
                    "{where} has a different record at {offset} than before: {mend}",
                    where=where,
                    offset=record.offset,
                    mend=_MEND,
                )
            )
