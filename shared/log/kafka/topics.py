"""The topics: made with their settings, and checked against them."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from kafka.admin import ConfigResource, ConfigResourceType, KafkaAdminClient
from kafka.errors import TopicAlreadyExistsError

from shared.log.kafka.broker import COMPACTED, MAX_RECORD, TOPICS, Broker

_DAY_MS = 24 * 3600 * 1000
_HOUR_MS = 3600 * 1000
_MAKE = "arbiter topics"
_LOSING = frozenset(("cleanup.policy", "retention.ms", "retention.bytes"))
"""Settings by which a topic forgets records."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic as the cluster has it."""

    id: str
    partitions: int
    replication: int


def count_of(broker: Broker, topic: str) -> int:
    """How many partitions a topic has for ever."""
    return 1 if topic in COMPACTED else broker.partitions


def settings(broker: Broker, topic: str) -> dict[str, str]:
    """A topic's settings: nothing is ever deleted; of compacted ones the newest under each key is kept."""
    common = {
        "retention.ms": "-1",
        "retention.bytes": "-1",
        "unclean.leader.election.enable": "false",
        "min.insync.replicas": str(broker.min_insync),
        "max.message.bytes": str(MAX_RECORD),
    }
    if topic not in COMPACTED:
        return {"cleanup.policy": "delete", **common}
    return {
        "cleanup.policy": "compact",
        "segment.ms": str(_HOUR_MS),
        "max.compaction.lag.ms": str(_DAY_MS),
        "delete.retention.ms": str(_DAY_MS),
        **common,
    }


@contextmanager
def admin(broker: Broker) -> Iterator[Any]:
    """Raises `kafka.errors.KafkaError` where the broker cannot be reached."""
    client = KafkaAdminClient(**broker.options(), request_timeout_ms=15000, bootstrap_timeout_ms=10000)
    try:
        yield client
    finally:
        client.close()


def describe(client: Any) -> dict[str, Topic]:
    """Those of the topics that are there. Raises `kafka.errors.KafkaError`."""
    there = set(client.list_topics())
    names = [topic for topic in TOPICS if topic in there]
    return {
        t["name"]: Topic(str(t["topic_id"]), len(t["partitions"]), len(t["partitions"][0]["replica_nodes"]))
        for t in (client.describe_topics(names) if names else ())
        if t["partitions"]
    }


def create(broker: Broker) -> list[str]:
    """Make the topics that are not there, with their settings; the names of the new ones.

    Raises `kafka.errors.KafkaError`.
    """
    with admin(broker) as client:
        there = describe(client)
        missing = [topic for topic in TOPICS if topic not in there]
        for topic in missing:
            wanted = {
                "num_partitions": count_of(broker, topic),
                "replication_factor": broker.replication,
                "configs": settings(broker, topic),
            }
            try:
                client.create_topics({topic: wanted}, wait_for_metadata=True)
            except TopicAlreadyExistsError:
                # Another process made it meanwhile: `check` tells whether as it should be.
                continue
    return missing


def check(broker: Broker) -> list[str]:
    """What is wrong with the topics, one line each with its remedy; empty where all is right.

    Raises `kafka.errors.KafkaError` where the broker cannot be reached.
    """
    wrong: list[str] = []
    with admin(broker) as client:
        there = describe(client)
        for topic in TOPICS:
            topic_now = there.get(topic)
            if topic_now is None:
                wrong.append(f"{topic} is not there: `{_MAKE}` makes it")
                continue
            if line := _partitions_wrong(broker, topic, topic_now):
                wrong.append(line)
            if topic_now.replication < broker.replication:
                wrong.append(
                    f"{topic} has {topic_now.replication} replicas, not {broker.replication}: kafka-reassign-partitions.sh"
                )
            wrong += _settings_wrong(client, broker, topic)
    return wrong


def losing(client: Any, broker: Broker) -> list[str]:
    """By which settings the topics lose records, or tournaments their partition; as `check` tells it.

    Raises `kafka.errors.KafkaError`, TopicAuthorizationFailedError among them where this user may not ask.
    """
    there = describe(client)
    wrong = [_partitions_wrong(broker, topic, described) for topic, described in there.items()]
    for topic in there:
        wrong += _settings_wrong(client, broker, topic, _LOSING)
    return [line for line in wrong if line]


def _partitions_wrong(broker: Broker, topic: str, there: Topic) -> str:
    wanted = count_of(broker, topic)
    if there.partitions == wanted:
        return ""
    return (
        f"{topic} has {there.partitions} partitions, not the {wanted} of the settings: set ARBITER_PARTITIONS to what it "
        "was made with, or make it anew with `arbiter rebuild topics`"
    )


def _settings_wrong(client: Any, broker: Broker, topic: str, names: Collection[str] | None = None) -> list[str]:
    resource = ConfigResource(ConfigResourceType.TOPIC, topic)
    answer = client.describe_configs([resource], config_filter="all")
    held = {name: entry["value"] for name, entry in answer["topic"][topic].items()}
    return [
        f"{topic} has {name}={held.get(name)}, not {value}: `kafka-configs.sh --alter --topic {topic} "
        f"--add-config {name}={value}` mends it"
        for name, value in settings(broker, topic).items()
        if held.get(name) != value and (names is None or name in names)
    ]
