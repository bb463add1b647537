"""Stretches of a topic, one after the other over one consumer, and reading on behind them."""

import pytest
from kafka import KafkaProducer

from shared.log.kafka import consumer
from shared.log.kafka.broker import TOURNAMENTS
from tests.deploy.servers import SERVERS
from tests.log.distributed import until

pytestmark = SERVERS
EACH = 2500
"""More records of a partition than one poll brings."""


@pytest.fixture(scope="module")
def filled(servers):
    """A topic with as many numbered records in each of its partitions."""
    servers.fresh_topics()
    producer = KafkaProducer(acks="all", **servers.broker.options())
    for number in range(EACH):
        for partition in range(servers.broker.partitions):
            producer.send(TOURNAMENTS, value=str(number).encode(), partition=partition)
    producer.flush()
    producer.close()
    return servers.broker


@pytest.fixture
def reader(filled):
    made = consumer.open_consumer(filled)
    yield made
    made.close()


@pytest.mark.parametrize("ends", [(1, 1, 1), (1, 900, 2100), (EACH, 1, 1), (EACH, EACH, EACH)])
def test_behind_a_stretch_every_partition_is_read_on(reader, ends):
    # given stretches over all partitions, which end at different records
    places = consumer.partitions(reader, TOURNAMENTS)
    upto = dict(zip(places, ends, strict=True))
    read = {tp: [] for tp in places}
    for record in consumer.stretch(reader, dict.fromkeys(places, 0), upto):
        read[places[record.partition]].append(int(record.value))
    assert read == {tp: list(range(upto[tp])) for tp in places}
    # when the consumer goes on from each end
    reader.assign(places)
    for tp in places:
        reader.seek(tp, upto[tp])

    def all_there() -> bool:
        for tp, records in reader.poll(timeout_ms=100).items():
            read[tp] += [int(record.value) for record in records]
        return sum(map(len, read.values())) >= EACH * len(places)

    # then it misses none, and reads none twice
    until(all_there, "for the rest of every partition")
    assert read == {tp: list(range(EACH)) for tp in places}


def test_a_stretch_can_be_read_again_by_the_same_consumer(reader):
    places = consumer.partitions(reader, TOURNAMENTS)
    last = dict.fromkeys(places, EACH - 1)
    for _ in range(3):
        records = list(consumer.stretch(reader, last, dict.fromkeys(places, EACH)))
        assert sorted((r.partition, r.offset) for r in records) == [(tp.partition, EACH - 1) for tp in places]
        assert list(consumer.stretch(reader, last, last)) == []
