"""The profile `production`: three brokers with TLS, of which any may fail, and databases that go back to a point in time."""

import json
import shutil
import socket
import ssl
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from kafka import KafkaConsumer, KafkaProducer
from kafka.errors import KafkaError, TopicAuthorizationFailedError

from deploy.server.settings import SERVICES
from shared.client import Client
from shared.http.identity.tokens import issue
from shared.log.kafka import topics
from shared.log.kafka.broker import MOVES, READER, TOKENS, TOPICS, TOURNAMENTS
from tests.deploy.operating import INSTALL_PAGE, Operator
from tests.deploy.servers import STACK, broker_as, enterable, whole_stack
from tests.deploy.test_what_is_lost import Cup, goes_on
from tests.log.distributed import until
from tests.stack.stack import Stack

pytestmark = STACK
_OUTBOX = 5
"""Records of a service that may wait for Kafka, in these tests."""


@pytest.fixture(scope="module")
def production(tmp_path_factory):
    whole_stack()
    folder = enterable(tmp_path_factory.mktemp("production"))
    made = Stack(folder, profile="production", environment={"ARBITER_OUTBOX": str(_OUTBOX)})
    made.hurry()
    try:
        made.start()
        yield made
    finally:
        for process in made.processes.values():
            process.kill()
        made.end()


@pytest.fixture(scope="module")
def cup(production):
    """Return a tournament in which every service has written."""
    made = Cup(production, "cup")
    goes_on(made)
    return made


def leader(stack: Stack, cup: Cup) -> str:
    """Return the broker that leads the tournament's partition."""
    return stack.brokers[partitions(stack)[cup.partition]["leader_id"] - 1]


def partitions(stack: Stack) -> dict[int, dict]:
    with topics.admin(broker_as(stack)) as client:
        return {one["partition_index"]: one for one in client.describe_topics([TOURNAMENTS])[0]["partitions"]}


# ---------------------------------------------------------------- access


def test_auditor_reads_every_topic_and_writes_none(production, cup):
    options = broker_as(production, READER).options()
    reader = KafkaConsumer(
        *TOPICS, group_id=f"{READER}-books", auto_offset_reset="earliest", enable_auto_commit=False, **options
    )
    producer = KafkaProducer(enable_idempotence=False, **options)
    try:
        read = {record.key.decode() for records in reader.poll(20_000).values() for record in records}
        assert reader.subscription() == set(TOPICS) and read
        reader.commit()
        for topic in TOPICS:
            with pytest.raises(TopicAuthorizationFailedError):
                producer.send(topic, value=b"x").get(timeout=20)
    finally:
        reader.close()
        producer.close(timeout=1)


@pytest.mark.parametrize(("service", "topic"), [("standings", MOVES), ("games", TOKENS)])
def test_service_cannot_write_the_topic_of_another(production, service, topic):
    producer = KafkaProducer(**broker_as(production, service).options())
    try:
        with pytest.raises(TopicAuthorizationFailedError):
            producer.send(topic, value=b"not mine").get(timeout=20)
    finally:
        producer.close(timeout=1)


def test_connection_without_tls_or_to_an_unknown_broker_is_refused(production, impatient):
    cluster = broker_as(production)
    plain = replace(cluster, security={**cluster.security, "security_protocol": "SASL_PLAINTEXT"})
    # the certificate is that of 127.0.0.1
    misnamed = replace(cluster, bootstrap=cluster.bootstrap.replace("127.0.0.1", "localhost"))
    untrusted = {name: value for name, value in cluster.security.items() if name != "ssl_cafile"}
    for wrong in (plain, misnamed, replace(cluster, security=untrusted)):
        with pytest.raises(KafkaError), topics.admin(wrong):
            pass


@pytest.mark.parametrize("port", ["9093", "9094"])
def test_brokers_refuse_a_connection_without_a_certificate(production, port):
    authority = production.cluster()["ARBITER_KAFKA_CA"]
    context = ssl.create_default_context(cafile=authority)
    with (
        socket.create_connection(("127.0.0.1", production.ports["kafka-2"][port]), timeout=10) as plain,
        pytest.raises(ssl.SSLError, match="certificate"),
        context.wrap_socket(plain, server_hostname="127.0.0.1") as encrypted,
    ):
        encrypted.recv(1)


def test_private_keys_and_passwords_are_readable_only_by_their_owner(production):
    secrets = [*production.data.glob("kafka/*"), *production.data.glob("passwords/*")]
    assert {path.stat().st_mode & 0o777 for path in secrets} == {0o600} and len(secrets) > 10
    broker = production.folder / "volumes" / "keys-kafka-2"
    assert sorted(path.name for path in broker.iterdir()) == ["broker.pem", "ca.pem", "cluster-id", "kafka-passwords"]


# ---------------------------------------------------------------- rotation


def test_rotated_password_replaces_the_former_one(production, cup, impatient):
    former = broker_as(production, "games")
    Operator(production).follows("Rotate a password of Kafka", INSTALL_PAGE)
    assert broker_as(production, "games") != former
    with pytest.raises(KafkaError), topics.admin(former):
        pass
    goes_on(cup)


def test_rotated_certificate_is_the_one_of_the_broker(production, cup):
    at = ("127.0.0.1", production.ports["kafka-2"]["9092"])
    authority = production.cluster()["ARBITER_KAFKA_CA"]
    former = ssl.get_server_certificate(at, ca_certs=authority)
    Operator(production).follows("Certificates", INSTALL_PAGE)
    assert ssl.get_server_certificate(at, ca_certs=authority) != former
    until(lambda: all(set(one["isr_nodes"]) == {1, 2, 3} for one in partitions(production).values()))
    goes_on(cup)


# ---------------------------------------------------------------- lost brokers


def test_lost_brokers_lose_no_acknowledged_event(production, cup):
    # given a tournament whose broker is killed: two go on
    operator = Operator(production)
    first = leader(production, cup)
    production.processes[first].kill()
    goes_on(cup)
    assert operator.doctor()["Kafka"][1].startswith("start the missing broker")
    # when the next one is killed too, commands wait in the databases, up to a limit
    second = leader(production, cup)
    assert second != first
    production.processes[second].kill()
    with ThreadPoolExecutor(_OUTBOX + 1) as callers:
        answers = list(callers.map(lambda _: cup.enters(), range(_OUTBOX + 1)))
    assert [(answer.status, answer.headers.get("etag")) for answer in answers] == [(201, None)] * len(answers)
    refused = cup.enters()
    assert refused.status == 503
    assert "records are waiting for Kafka" in refused.detail and f"the limit is {_OUTBOX}" in refused.detail
    # when one returns, then everything acknowledged is in the log, once
    production.restart(second)
    acknowledged = [event["id"] for answer in answers for event in answer.json["events"]]

    def times() -> set[int]:
        held = Counter(json.loads(line)["id"] for line in cup.lines())
        return {held[id] for id in acknowledged}

    until(lambda: times() == {1}, "for each event once", 180)
    goes_on(cup)
    # and one that has lost its disk gets everything from the others
    shutil.rmtree(Path(production.processes[first].environment["KAFKA_DATA"]))
    production.restart(first)
    until(lambda: all(set(one["isr_nodes"]) == {1, 2, 3} for one in partitions(production).values()))
    assert operator.doctor() == {}


# ---------------------------------------------------------------- a point in time


def test_databases_of_an_earlier_time_take_back_later_events(production, cup, tmp_path):
    base, archive = production.postgres, production.folder / "volumes" / "postgres-archive"
    operator = Operator(production, BACKUP=str(tmp_path), PGDATA=str(base.data), ARCHIVE=str(archive))
    operator.follows("Base backup")
    goes_on(cup)
    with psycopg.connect(base.url("pairing").replace("+psycopg", "")) as database:
        (count,) = database.execute("SELECT count(*) FROM events").fetchone()
        (operator.environment["TIME"],) = database.execute("SELECT clock_timestamp()::text").fetchone()
    goes_on(cup)
    before = cup.lines()
    # when all databases go back to that time
    operator.follows("Restore the databases of a time")
    with psycopg.connect(base.url("pairing").replace("+psycopg", "")) as database:
        assert database.execute("SELECT count(*) FROM events").fetchone() == (count,)
    operator.follows("Start the services again")
    # then the topics give back what came later
    until(lambda: all(operator.ready(service)[0] == 200 for service in SERVICES))
    assert cup.lines() == before
    goes_on(cup)
    auditor = Client(production.url, issue(production.data, "auditor", "jin", None, 1), patience=120)
    assert auditor.get(f"{cup.at}/audit").json["verdict"] == "agrees"
    assert operator.doctor() == {}
