"""Reading a stretch of a topic once, from given offsets to given ends."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from kafka import KafkaConsumer, TopicPartition
from kafka.errors import KafkaTimeoutError, UnknownTopicOrPartitionError
from kafka.metrics import MetricName
from kafka.metrics.stats import Total
from kafka.net.compat import KafkaNetClient
from kafka.partitioner.default import murmur2
from kafka.record.default_records import DefaultRecord, DefaultRecordBatch
from kafka.record.util import decode_varint

from shared.log.kafka.broker import MAX_RECORD, Broker

_CONNECTIONS = MetricName("connections", "arbiter", "Connections made", {})
_POLL_MS = 500
_ANSWER_MS = 10_000
_PATIENCE = 60
"""Empty polls (of half a second) after which a stretch that should be there is given up."""


def open_consumer(broker: Broker, **options: Any) -> Any:
    """A consumer whose positions are ours. Raises `kafka.errors.KafkaError`."""
    usual = {
        "group_id": None,
        "enable_auto_commit": False,
        "auto_offset_reset": "none",
        "allow_auto_create_topics": False,
        "max_partition_fetch_bytes": MAX_RECORD,
        "fetch_max_bytes": 4 * MAX_RECORD,
        "max_poll_records": 2000,
        "request_timeout_ms": 15000,
        "reconnect_backoff_max_ms": 1000,
    }
    return KafkaConsumer(**{**usual, **broker.options(), **options}, kafka_client=_counting)


_read_record = DefaultRecordBatch._read_msg


def _read_any_record(batch: Any) -> Any:
    """A record whose headers are no UTF-8 as one without key, value and headers, so that it is a stranger.

    Kafka takes such a record from everybody who may write; kafka-python raises at it, at each poll anew, and tells
    neither partition nor offset.
    """
    try:
        return _read_record(batch)
    except UnicodeDecodeError:
        length, start = decode_varint(batch._buffer, batch._pos)
        _, at = decode_varint(batch._buffer, start)
        _, at = decode_varint(batch._buffer, at)
        delta, _ = decode_varint(batch._buffer, at)
        batch._pos = start + length
        return DefaultRecord(
            length, batch.base_offset + delta, batch.first_timestamp, batch.timestamp_type, None, None, []
        )


DefaultRecordBatch._read_msg = _read_any_record


def connections(reader: Any) -> int:
    """How many connections a consumer has made since it was opened."""
    return int(reader.metrics(raw=True)[_CONNECTIONS].value())


def _counting(metrics: Any, **options: Any) -> Any:
    """The usual client, with a count of its connections beside their rate.

    kafka-python tells nobody that it has connected again, and the broker that answers then may hold other topics. Its
    sensor of connections is recorded at each of them; it publishes only rates, which fall back to nothing. The total
    is added before the client is made, since `sensor` gives the same one to whoever asks for its name.
    """
    metrics.sensor("connections-created").add(_CONNECTIONS, Total())
    return KafkaNetClient(metrics=metrics, **options)


def partitions(reader: Any, topic: str) -> list[TopicPartition]:
    """The partitions of a topic, in order. Raises UnknownTopicOrPartitionError where it is not there."""
    numbers = reader.partitions_for_topic(topic)
    if not numbers:
        raise UnknownTopicOrPartitionError(f"topic {topic} is not there")
    return [TopicPartition(topic, p) for p in sorted(numbers)]


def ends(reader: Any, places: Sequence[TopicPartition], timeout_ms: int = _ANSWER_MS) -> dict[TopicPartition, int]:
    """Where partitions end. Raises UnknownTopicOrPartitionError where one is not there, or another KafkaError."""
    return _offsets(reader.end_offsets, places, timeout_ms)


def begins(reader: Any, places: Sequence[TopicPartition]) -> dict[TopicPartition, int]:
    """Where partitions begin. Raises as `ends`."""
    return _offsets(reader.beginning_offsets, places, _ANSWER_MS)


def _offsets(ask: Callable[..., Any], places: Sequence[TopicPartition], timeout_ms: int) -> dict[TopicPartition, int]:
    try:
        return dict(ask(places, timeout_ms=timeout_ms))
    except KeyError as gone:  # kafka-python's way to say that a topic has vanished
        raise UnknownTopicOrPartitionError(f"{gone} is not there") from None


@lru_cache(4096)
def partition_of(key: str, count: int) -> int:
    """The partition of a key, as every Kafka client chooses it by default (murmur2)."""
    return int(murmur2(key.encode()) & 0x7FFFFFFF) % count


@lru_cache(4096)
def place_of(topic: str, key: str, count: int) -> TopicPartition:
    """Return the topic and partition of a key's records. ``count``: the partitions of the topic."""
    return TopicPartition(topic, partition_of(key, count))


def stretch(reader: Any, starts: Mapping[TopicPartition, int], ends: Mapping[TopicPartition, int]) -> Iterator[Any]:
    """The records from ``starts`` up to before ``ends``, each partition in order.

    Raises KafkaTimeoutError where what should be there does not come.
    """
    left = {tp for tp, start in starts.items() if start < ends[tp]}
    if not left:
        return
    reader.assign(sorted(left))
    for tp in left:
        reader.seek(tp, starts[tp])
    empty = 0
    while left:
        polled = reader.poll(timeout_ms=_POLL_MS)
        empty = 0 if polled else empty + 1
        if empty > _PATIENCE:
            raise KafkaTimeoutError("records that the topic should hold do not come")
        for tp, records in polled.items():
            yield from (r for r in records if r.offset < ends[tp])
        done = {tp for tp in left if reader.position(tp) >= ends[tp]}
        left -= done
        if done and left:
            # Not paused: kafka-python keeps what it has of a paused partition, and may read no more of it when resumed.
            reader.assign(sorted(left))
