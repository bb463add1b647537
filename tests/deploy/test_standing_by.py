"""Where two workers of one service send at once, nothing happens twice. `tests/log/test_shared_partitions.py` has the rest."""

import json
from collections import Counter

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
ALL = list(range(12))


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


def partitions(address: str) -> list[int]:
    """Return the partitions that a worker's relay and follower work on."""
    said = state(address)
    return said["partitions"] if said.get("relay") and said.get("follower") else []


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


def test_two_that_send_at_once_write_nothing_twice(stack, second):
    # given records that the first has sent and Kafka has not confirmed
    other, address = second
    cup, kafka = Cup(stack, "both-at-once"), stack.processes["kafka"]
    workers = {stack.address("pairing-worker"): stack.processes["pairing-worker"], address: other}
    before = cup.lines()
    until(lambda: all(map(partitions, workers)))
    (one,) = (address for address in workers if cup.partition in partitions(address))
    (next_owner,) = workers.keys() - {one}
    kafka.pause()
    together(*[cup.enters] * 6)
    # when it loses its partitions without knowing, and the other worker sends what the outbox holds
    workers[one].pause()
    kafka.resume()
    until(lambda: partitions(next_owner) == ALL)
    until(lambda: state(next_owner).get("waiting") == 0)
    workers[one].resume()
    # then records lie in the topic twice, and in the log once
    until(lambda: len(cup.lines()) == len(before) + 6)
    until(lambda: max(times_sent(stack, cup).values()) > 1)
    own = [line["sourceseq"] for line in map(json.loads, cup.lines()) if line["source"] == "/services/pairing"]
    assert own == list(range(1, len(own) + 1))
    goes_on(cup)
    assert Operator(stack).ready("games")[1]["parked"] == []
