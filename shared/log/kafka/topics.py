"""The topics: they are created with their settings, and checked against them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from kafka.admin import (
    ACL,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    ConfigResource,
    ConfigResourceType,
    KafkaAdminClient,
    ResourcePattern,
    ResourceType,
    UserScramCredentialUpsertion,
)
from kafka.errors import KafkaError, TopicAlreadyExistsError

from shared.core.language.messages import Message, say
from shared.core.terms import STANDINGS, service_of
from shared.log.kafka.broker import (
    COMPACTED,
    FOLLOWS,
    MAX_RECORD,
    PEOPLE_GROUP,
    READER,
    SCRAM,
    TOPICS,
    WRITES,
    Broker,
    group_of,
)

_REACHED_MS = 10_000
_DAY_MS = 24 * 3600 * 1000
_HOUR_MS = 3600 * 1000
_MAKE = "arbiter topics"
_LOSING = frozenset(("cleanup.policy", "retention.ms", "retention.bytes"))
"""Settings by which a topic can lose records."""
_READING = (ACLOperation.DESCRIBE, ACLOperation.DESCRIBE_CONFIGS, ACLOperation.READ)


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic as it is in the cluster."""

    id: str
    partitions: int
    replication: int


def count_of(broker: Broker, topic: str) -> int:
    """Return the number of a topic's partitions, which never changes."""
    return 1 if topic in COMPACTED else broker.partitions


def settings(broker: Broker, topic: str) -> dict[str, str]:
    """Return a topic's settings: nothing is deleted, and compacted topics keep the newest record of each key."""
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
    """Yield an admin client. Raises `kafka.errors.KafkaError` if the broker is unreachable."""
    with closing(
        KafkaAdminClient(**broker.options(), request_timeout_ms=15000, bootstrap_timeout_ms=_REACHED_MS)
    ) as client:
        yield client


def describe(client: Any) -> dict[str, Topic]:
    """Return the topics that exist. Raises `kafka.errors.KafkaError`."""
    there = set(client.list_topics())
    names = [topic for topic in TOPICS if topic in there]
    return {
        t["name"]: Topic(str(t["topic_id"]), len(t["partitions"]), len(t["partitions"][0]["replica_nodes"]))
        for t in (client.describe_topics(names) if names else ())
        if t["partitions"]
    }


def create(broker: Broker) -> list[str]:
    """Create the missing topics with their settings, and return their names.

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
                # Another process created it meanwhile: `check` reports whether its settings are right.
                continue
    return missing


class Wrong(NamedTuple):
    """A fault of a topic, and its remedy."""

    state: Message
    remedy: Message

    def sentence(self) -> Message:
        return say("{state}: {remedy}", state=self.state, remedy=self.remedy)


def check(broker: Broker) -> list[Wrong]:
    """Return the faults of the topics, each with its remedy.

    Raises `kafka.errors.KafkaError` if the broker cannot be reached.
    """
    wrong: list[Wrong] = []
    with admin(broker) as client:
        there = describe(client)
        for topic in TOPICS:
            topic_now = there.get(topic)
            if topic_now is None:
                wrong.append(
                    Wrong(say("{topic} does not exist", topic=topic), say("`{command}` creates it", command=_MAKE))
                )
                continue
            wrong += _partitions_wrong(broker, topic, topic_now)
            if topic_now.replication < broker.replication:
                wrong.append(
                    Wrong(
                        say(
                            "{topic} has {number} replicas, not {must}",
                            topic=topic,
                            number=topic_now.replication,
                            must=broker.replication,
                        ),
                        say("`{command}` repairs it", command="kafka-reassign-partitions.sh"),
                    )
                )
            wrong += _settings_wrong(client, broker, topic)
    return wrong


def losing(client: Any, broker: Broker) -> list[Message]:
    """Return the faults by which topics lose records or tournaments change their partition, in the sentences of `check`.

    Raises `kafka.errors.KafkaError`, such as TopicAuthorizationFailedError if this user may not read the settings.
    """
    there = describe(client)
    wrong = [one for topic, described in there.items() for one in _partitions_wrong(broker, topic, described)]
    for topic in there:
        wrong += _settings_wrong(client, broker, topic, _LOSING)
    return [one.sentence() for one in wrong]


def _partitions_wrong(broker: Broker, topic: str, there: Topic) -> list[Wrong]:
    wanted = count_of(broker, topic)
    if there.partitions == wanted:
        return []
    state = say(
        "{topic} has {number} partitions, not the {must} of the settings",
        topic=topic,
        number=there.partitions,
        must=wanted,
    )
    remedy = say(
        "set ARBITER_PARTITIONS to the number it was created with, or create it again with `{command}`",
        command="arbiter rebuild topics",
    )
    return [Wrong(state, remedy)]


def _settings_wrong(client: Any, broker: Broker, topic: str, names: Collection[str] | None = None) -> list[Wrong]:
    resource = ConfigResource(ConfigResourceType.TOPIC, topic)
    answer = client.describe_configs([resource], config_filter="all")
    held = {name: entry["value"] for name, entry in answer["topic"][topic].items()}
    return [
        Wrong(
            say(
                "{topic} has {name}={value}, not {must}", topic=topic, name=name, value=str(held.get(name)), must=value
            ),
            say(
                "`{command}` repairs it",
                command=f"kafka-configs.sh --alter --topic {topic} --add-config {name}={value}",
            ),
        )
        for name, value in settings(broker, topic).items()
        if held.get(name) != value and (names is None or name in names)
    ]


def rules() -> Sequence[ACL]:
    """Return the access rules: every service sees all topics, reads those it follows or wrote, and writes its own.

    The workers of each service are members of its consumer group, those of standings also of the group of people. The auditor
    reads all topics.
    """
    acls: list[ACL] = []
    for source, written in WRITES.items():
        service = service_of(source)
        acls += [_allow(service, ACLOperation.DESCRIBE, topic) for topic in TOPICS]
        acls += [_allow(service, ACLOperation.DESCRIBE_CONFIGS, topic) for topic in TOPICS]
        acls += [_allow(service, ACLOperation.READ, t) for t in TOPICS if t in (*FOLLOWS[source], *written)]
        acls += [_allow(service, ACLOperation.WRITE, topic) for topic in written]
        acls.append(_allow(service, ACLOperation.READ, group_of(source), ResourceType.GROUP))
    acls += [_allow(READER, operation, topic) for operation in _READING for topic in TOPICS]
    acls.append(_allow(READER, ACLOperation.READ, READER, ResourceType.GROUP, ACLResourcePatternType.PREFIXED))
    return [*acls, _allow(service_of(STANDINGS), ACLOperation.READ, PEOPLE_GROUP, ResourceType.GROUP)]


def _allow(
    user: str,
    operation: ACLOperation,
    name: str,
    kind: ResourceType = ResourceType.TOPIC,
    match: ACLResourcePatternType = ACLResourcePatternType.LITERAL,
) -> ACL:
    return ACL(f"User:{user}", "*", operation, ACLPermissionType.ALLOW, ResourcePattern(kind, name, match))


def grant(broker: Broker) -> int:
    """Add the access rules to the cluster and return their number. Existing rules stay. Raises `kafka.errors.KafkaError`."""
    with admin(broker) as client:
        answer = client.create_acls(list(rules()))
    failed = answer.get("failed") if isinstance(answer, dict) else None
    if failed:
        raise next(iter(failed))[1] if isinstance(failed, list) else next(iter(failed.values()))
    return len(rules())


def set_passwords(broker: Broker, passwords: Mapping[str, str]) -> None:
    """Give users of the cluster these passwords; open connections stay. Raises `kafka.errors.KafkaError`."""
    changes = [UserScramCredentialUpsertion(user, SCRAM, password) for user, password in passwords.items()]
    with admin(broker) as client:
        failed = {user: why for user, why in client.alter_user_scram_credentials(changes).items() if why}
    if failed:
        raise KafkaError(f"no new password: {failed}")
