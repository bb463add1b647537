"""Who may do what with the topics, where Kafka asks for names: each service reads what it follows and writes its own."""

from collections.abc import Sequence

from kafka.admin import (
    ACL,
    ACLOperation,
    ACLPermissionType,
    ResourcePattern,
    ResourceType,
)

from shared.core.terms import service_of
from shared.log.kafka import topics
from shared.log.kafka.broker import FOLLOWS, TOPICS, WRITES, Broker


def rules() -> Sequence[ACL]:
    """The rules: all may see every topic and its settings; each reads what it follows and what it wrote, and writes its own."""
    acls: list[ACL] = []
    for source, written in WRITES.items():
        service = service_of(source)
        acls += [_allow(service, ACLOperation.DESCRIBE, topic) for topic in TOPICS]
        acls += [_allow(service, ACLOperation.DESCRIBE_CONFIGS, topic) for topic in TOPICS]
        acls += [_allow(service, ACLOperation.READ, t) for t in TOPICS if t in (*FOLLOWS[source], *written)]
        acls += [_allow(service, ACLOperation.WRITE, topic) for topic in written]
    return acls


def _allow(service: str, operation: ACLOperation, topic: str) -> ACL:
    pattern = ResourcePattern(ResourceType.TOPIC, topic)
    return ACL(f"User:{service}", "*", operation, ACLPermissionType.ALLOW, pattern)


def grant(broker: Broker) -> int:
    """Tell the cluster; how many rules. Those that are there already stay. Raises `kafka.errors.KafkaError`."""
    with topics.admin(broker) as client:
        answer = client.create_acls(list(rules()))
    failed = answer.get("failed") if isinstance(answer, dict) else None
    if failed:
        raise next(iter(failed))[1] if isinstance(failed, list) else next(iter(failed.values()))
    return len(rules())
