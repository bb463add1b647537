"""Before a follower goes on: are these the topics it read, and do they still hold what it read last?"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from kafka import TopicPartition
from kafka.errors import UnknownTopicOrPartitionError

from shared.log import locks, reading, topics, worker
from shared.log.broker import MOVES, TEXTS, TOURNAMENTS, Broker
from shared.log.worker import FOLLOWER, Halted, Position

_MEND = "`arbiter rebuild topics` mends it"


@dataclass(frozen=True, slots=True)
class Vouched:
    """The topics as they are, and where to go on in those that are followed."""

    there: dict[str, topics.Topic]
    positions: dict[tuple[str, int], Position]


def vouch(lock: locks.Lock, reader: Any, broker: Broker) -> Vouched:
    """Compare topics and positions.

    Raises `Halted` where they do not fit, and UnknownTopicOrPartitionError where the topics were never there.
    """
    with topics.admin(broker) as client:
        there = topics.described(client)
    with lock.begin() as connection:
        held = worker.load_positions(connection, FOLLOWER)
        end = worker.ledger_end(connection)
    _topics_fit(there, held, broker)
    if any(position.ledger > end for position in held.values()):
        raise Halted("the ledger lacks lines that it had: `arbiter rebuild ledger` reads them again")
    for topic in (TOURNAMENTS, TEXTS):
        for partition in range(there[topic].partitions):
            held.setdefault((topic, partition), Position(there[topic].id))
    _records_fit(reader, held)
    return Vouched(there, held)


def _topics_fit(there: dict[str, topics.Topic], held: dict[tuple[str, int], Position], broker: Broker) -> None:
    for (topic, partition), position in held.items():
        if topic not in there:
            raise Halted(f"{topic} is gone: {_MEND}")
        if there[topic].id != position.topicid:
            raise Halted(f"{topic} is not the topic that was read before: {_MEND}")
        if partition >= there[topic].partitions:
            raise Halted(f"{topic} has fewer partitions than it had: {_MEND}")
    for topic in (TOURNAMENTS, MOVES, TEXTS):
        if topic not in there:
            raise UnknownTopicOrPartitionError(f"{topic} is not there: `arbiter topics` makes it")
        wanted = topics.count_of(broker, topic)
        if there[topic].partitions != wanted:
            raise Halted(f"{topic} has {there[topic].partitions} partitions, not the {wanted} of the settings")


def _records_fit(reader: Any, held: dict[tuple[str, int], Position]) -> None:
    """The last record of each partition is the one that was read last; nothing before the positions is missing."""
    places = [TopicPartition(*place) for place in held]
    begins, ends = reader.beginning_offsets(places), reader.end_offsets(places)
    for (topic, partition), position in held.items():
        tp, where = TopicPartition(topic, partition), f"{topic}, partition {partition}"
        if ends[tp] < position.next:
            raise Halted(f"{where} ends at {ends[tp]}, although it was read up to {position.next}: {_MEND}")
        # Texts are compacted: what lies before may rightly be gone, and so may the last record.
        if topic != TEXTS and begins[tp] > max(0, position.next - 1):
            raise Halted(f"{where} begins at {begins[tp]}: records before it are lost: {_MEND}")
    read = {TopicPartition(*place): p for place, p in held.items() if place[0] != TEXTS and p.next > 0}
    starts = {tp: p.next - 1 for tp, p in read.items()}
    for record in reading.stretch(reader, starts, {tp: p.next for tp, p in read.items()}):
        tp = TopicPartition(record.topic, record.partition)
        if sha256(record.value or b"").hexdigest() != read[tp].digest:
            where = f"{record.topic}, partition {record.partition}"
            raise Halted(f"{where} holds another record at {record.offset} than was read there: {_MEND}")
