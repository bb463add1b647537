"""The relay against kafka-python alone, which produces the same records. The profile behind the bound is in scale.md."""

import threading
import time
from collections.abc import Iterator

import sqlalchemy as sa
from kafka import KafkaProducer

from shared.core.terms import PAIRING
from shared.log.distributed import DistributedLog
from shared.log.kafka.broker import MAX_RECORD, TOURNAMENTS
from shared.log.sql import worker_state
from shared.log.sql.statements import insert_many
from shared.log.sql.tables import OUTBOX
from shared.log.worker.relay import Relay
from tests.bench.measure import Ratio, Work, compare
from tests.log.distributed import SHORT_LOOKS, Servers, answer_questions, until

RECORDS, KEYS = 20_000, 64
_COLUMNS = ("topic", "key", "record", "at")


def records(tournaments: int = KEYS) -> list[tuple[str, bytes]]:
    """(key, record) of lines as long as most, by turns of many tournaments."""
    return [(f"B{n % tournaments}", f"{n:09}".encode() + b"x" * 551) for n in range(RECORDS)]


def _floor(servers: Servers) -> Work:
    def run() -> tuple[int, float]:
        servers.fresh_topics()
        said = records()
        producer = KafkaProducer(
            acks="all",
            enable_idempotence=True,
            max_request_size=MAX_RECORD,
            batch_size=256 * 1024,
            **servers.broker.options(),
        )
        producer.partitions_for(TOURNAMENTS)
        start = time.perf_counter()
        for key, record in said:
            producer.send(TOURNAMENTS, key=key.encode(), value=record)
        producer.flush()
        seconds = time.perf_counter() - start
        producer.close()
        return RECORDS, seconds

    return run


def ours(servers: Servers, tournaments: int = KEYS) -> Work:
    """From the first record confirmed until the outbox is empty; connecting is not measured."""

    def run() -> tuple[int, float]:
        servers.fresh_topics()
        log = DistributedLog(servers.fresh_database(), PAIRING)
        with log.begin() as connection:
            answer_questions(connection, servers.broker.partitions)
        stop = threading.Event()
        relay = Relay(log, servers.broker, stop)
        thread = threading.Thread(target=relay.run, daemon=True)
        thread.start()
        _put(log, [("B", b"first")])
        until(lambda: relay.sent == 1, "for the relay's connections")
        said = records(tournaments)
        _put(log, said)
        start = time.perf_counter()
        until(lambda: relay.sent == RECORDS + 1, "for the relay", looks=SHORT_LOOKS)
        seconds = time.perf_counter() - start
        stop.set()
        thread.join()
        with log.begin() as connection:
            left = connection.execute(sa.select(sa.func.count()).select_from(OUTBOX)).scalar_one()
        assert left == 0, left
        log.close()
        return RECORDS, seconds

    return run


def _put(log: DistributedLog, said: list[tuple[str, bytes]]) -> None:
    now = time.time()
    with log.begin() as connection:
        insert_many(connection, OUTBOX, _COLUMNS, [(TOURNAMENTS, key, record, now) for key, record in said])
        worker_state.tell(connection, worker_state.OUTBOX_CHANNEL)


def benchmarks(servers: Servers) -> Iterator[Ratio]:
    yield compare("relay, kafka-python alone", "records/s", 0.6, ours(servers), _floor(servers))
