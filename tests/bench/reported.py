"""A result reported over HTTP until the table of standings holds it, against a bare trip through Kafka.

The whole stack runs as docker-compose.yml says: gateway, services, workers, Kafka, PostgreSQL.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any

from kafka import KafkaProducer, TopicPartition
from kafka.admin import KafkaAdminClient

from shared.client import Client
from shared.http.identity.tokens import issue
from shared.log.kafka import consumer
from shared.log.kafka.broker import Broker
from tests.bench.measure import Ratio, of_turns
from tests.deploy.servers import broker_as
from tests.stack.stack import Stack

TURNS, EACH = 5, 40
TRIPS = 13
"""A result is in the table within the time of this many records produced, confirmed and consumed, one after the other.

The goal of 8 was not reached: the CPU time of each process is in scale.md."""
_TOPIC = "bench"


def bare(broker: Broker) -> Callable[[], float]:
    """A trip: a record produced, confirmed and consumed, one client each; seconds."""
    admin = KafkaAdminClient(**broker.options())
    admin.create_topics({_TOPIC: {"num_partitions": 1, "replication_factor": 1}}, wait_for_metadata=True)
    admin.close()
    producer, reader = KafkaProducer(acks="all", **broker.options()), consumer.open_consumer(broker)
    reader.assign([TopicPartition(_TOPIC, 0)])
    reader.seek(TopicPartition(_TOPIC, 0), 0)

    def trip() -> float:
        start = time.perf_counter()
        producer.send(_TOPIC, b"x" * 700).get(timeout=10)
        while not reader.poll(timeout_ms=100):
            pass
        return time.perf_counter() - start

    return trip


def hall(stack: Stack) -> Callable[[], float]:
    """A trip: the next board's result reported, and the table read that holds it; seconds."""
    chief = Client(stack.url, issue(stack.data, "chief_arbiter", "bench"))
    announced = {"id": "bench", "name": "Bench", "game": "xiangqi", "format": "swiss", "rounds": 3}
    chief.post("/v1/tournaments", {**announced, "regulations": "campus"})
    at, boards = "/v1/tournaments/bench", TURNS * EACH + 10
    players = [{"name": f"Player {n}", "rating": 2500 - n} for n in range(2 * boards)]
    chief.post(f"{at}/entries", {"players": players})
    chief.post(f"{at}/rounds", {}, if_match=chief.get(at).etag)
    board = iter(range(1, boards + 1))

    def trip() -> float:
        said: dict[str, Any] = {"round": 1, "results": [{"board": next(board), "result": "1-0"}]}
        start = time.perf_counter()
        seq = chief.post(f"{at}/results", said).etag.strip('"')
        chief.get(f"{at}/standings?after={seq}")
        return time.perf_counter() - start

    for _ in range(10):
        trip()
    return trip


def benchmarks() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-") as folder:
        Path(folder).chmod(0o711)
        with Stack(Path(folder)) as stack:
            yield from measured(hall(stack), bare(broker_as(stack)))


def measured(ours: Callable[[], float], floor: Callable[[], float]) -> Iterator[Ratio]:
    """p50 by turns, against at most `TRIPS` bare trips; p99 over all turns, of which nothing is promised. In milliseconds."""
    low: list[list[float]] = []
    high: list[list[float]] = []
    for _ in range(TURNS):
        low.append(sorted(1000 * floor() for _ in range(EACH)))
        high.append(sorted(1000 * ours() for _ in range(EACH)))
    name = "result over HTTP to the table"
    p50, bounds = [median(turn) for turn in high], [TRIPS * median(turn) for turn in low]
    ratios = tuple(bound / ours for ours, bound in zip(p50, bounds, strict=True))
    yield Ratio(f"{name}, p50, {TRIPS} bare trips", median(p50), median(bounds), "ms, bound", 1, ratios)
    slow, bare_slow = (sorted(chain(*turns))[TURNS * EACH * 99 // 100] for turns in (high, low))
    yield of_turns(f"{name}, p99, a bare trip", "ms", 0, [(slow, bare_slow)])
