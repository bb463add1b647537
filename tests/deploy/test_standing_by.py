"""Two workers of one service: one works, the other stands by; and where both work at once, nothing happens twice."""

import json
from collections import Counter

import psycopg
import pytest
from kafka import TopicPartition

from shared.log.kafka import consumer
from shared.log.kafka.broker import TOURNAMENTS
from tests.deploy.operating import Operator
from tests.deploy.servers import STACK, broker_as
from tests.deploy.test_stack import told
from tests.deploy.test_what_is_lost import Cup, goes_on
from tests.log.conftest import together
from tests.log.distributed import until
from tests.stack.process import Process, free_port

pytestmark = STACK


@pytest.fixture
def second(stack):
    """A second worker of pairing, started as the first was."""
    first, port = stack.processes["pairing-worker"], str(free_port())
    environment = {**first.environment, "ARBITER_PORT": port}
    made = Process("second", first.command, environment, stack.folder / "second.log", forked=True)
    made.start()
    yield made, f"http://127.0.0.1:{port}"
    made.end()
    stack.restart("pairing-worker")


def state(address: str) -> dict:
    """What a worker says of itself; nothing while it does not answer, or is not ready."""
    try:
        return json.loads(told(address, "/readyz"))
    except OSError:
        return {}


def holds(address: str) -> tuple[bool, bool]:
    """Whether a worker's relay and follower are those that work."""
    said = state(address)
    return said.get("relay", False), said.get("follower", False)


def test_the_second_stands_by_and_takes_over_when_the_first_is_killed(stack, second):
    _, address = second
    cup = Cup(stack, "standing-by")
    until(lambda: state(address))
    assert holds(stack.address("pairing-worker")) == (True, True)
    assert holds(address) == (False, False)
    stack.processes["pairing-worker"].kill()
    entered = cup.enters()
    assert entered.status == 201, entered.problem
    until(lambda: holds(address) == (True, True))
    goes_on(cup)


def times_sent(stack, cup: Cup) -> Counter[int]:
    """How often each of pairing's numbers lies in the topic."""
    place = TopicPartition(TOURNAMENTS, cup.partition)
    reader = consumer.open_consumer(broker_as(stack))
    records = list(consumer.stretch(reader, {place: 0}, consumer.ends(reader, [place])))
    reader.close()
    lines = [json.loads(line) for record in records for line in record.value.split(b"\n")]
    return Counter(
        line["sourceseq"] for line in lines if line["subject"] == cup.stream and line["source"] == "/services/pairing"
    )


def take_the_locks_from_whoever_holds_them(stack) -> None:
    """End the database sessions that hold the locks of relay and follower, as a network that fails would."""
    with psycopg.connect(stack.postgres.url("pairing").replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND granted "
            "AND database = (SELECT oid FROM pg_database WHERE datname = 'pairing')"
        )


def test_two_that_send_at_once_write_nothing_twice(stack, second):
    # given records that the first has sent and Kafka has not confirmed
    _, address = second
    cup, first, kafka = Cup(stack, "both-at-once"), stack.processes["pairing-worker"], stack.processes["kafka"]
    before = cup.lines()
    until(lambda: holds(stack.address("pairing-worker")) == (True, True))
    kafka.pause()
    together(*[cup.enters] * 6)
    # when it loses its locks without knowing, and the second sends what lies in the outbox
    first.pause()
    take_the_locks_from_whoever_holds_them(stack)
    kafka.resume()
    until(lambda: holds(address) == (True, True))
    until(lambda: state(address).get("waiting") == 0)
    first.resume()
    # then records lie in the topic twice, and in the log once
    until(lambda: len(cup.lines()) == len(before) + 6)
    assert max(times_sent(stack, cup).values()) > 1
    own = [line["sourceseq"] for line in map(json.loads, cup.lines()) if line["source"] == "/services/pairing"]
    assert own == list(range(1, len(own) + 1))
    goes_on(cup)
    assert Operator(stack).ready("games")[1]["parked"] == []
