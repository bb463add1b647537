"""The follower against a raw consumer that inserts the same rows, one transaction a batch."""

import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import psycopg
from kafka import KafkaProducer, TopicPartition

from services.pairing.rules.commands import AnnounceTournament, AppointOfficial
from shared import regulations
from shared.core.events import OfficialAppointed
from shared.core.terms import GAMES, PAIRING
from shared.core.trust.merkle import EMPTY
from shared.desk.desk import Desk
from shared.log.distributed import DistributedLog
from shared.log.kafka import consumer
from shared.log.kafka.broker import TOURNAMENTS
from shared.log.sql.worker_state import positions
from shared.log.sqlite import SqliteLog
from shared.log.worker.follower import Follower
from shared.signing.service_keys import NO_KEYS, ServiceKeys
from tests.bench.measure import Ratio, Work, compare
from tests.bench.writing import CHIEF, by_callers, followed, fresh_keys
from tests.log.distributed import SHORT_LOOKS, Servers, until

TOURNAMENTS_FILLED, LINES = 64, 300
TOTAL = TOURNAMENTS_FILLED * LINES
_INSERT = (
    "INSERT INTO ledger (stream, seq, source, sourceseq, command, n, line, root) VALUES (%s, %s, %s, %s, %s, 0, %s, %s)"
)


def _id(t: str, number: int) -> str:
    """A UUIDv7: a line that is not canonical would stop its tournament."""
    return f"0190aaaa-bbbb-7ccc-8ddd-{int(t[1:]):06x}{number:06x}"


def _line(t: str, number: int) -> bytes:
    """A line as far as a ledger looks into it, as long as most."""
    return (
        f'{{"specversion":"1.0","id":"{_id(t, number)}","source":"{PAIRING}","type":"arbiter.official.appointed.v1",'
        f'"subject":"tournaments/{t}","time":"2026-01-01T10:00:00.000000Z","datacontenttype":"application/json",'
        f'"partitionkey":"{t}","sourceseq":{number},"basis":0,'
        '"basisroot":"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",'
        f'"causationid":"{_id(t, number)}","actor":"chief","role":"chief_arbiter","tokenid":"t",'
        f'"software":"1.0.0","data":{{"official":"o{number:027}","role":"arbiter"}}}}'
    ).encode()


def fill(servers: Servers, tournaments: int = TOURNAMENTS_FILLED, each: int = LINES) -> None:
    """Fresh topics with the lines of many tournaments, one record a line, by turns."""
    fill_named(servers, [f"B{n}" for n in range(tournaments)], each)


def fill_named(servers: Servers, names: Sequence[str], each: int) -> None:
    """Create the topics again with ``each`` events of each tournament named, one record an event, by turns."""
    servers.fresh_topics()
    producer = KafkaProducer(acks="all", batch_size=256 * 1024, **servers.broker.options())
    for number in range(1, each + 1):
        for t in names:
            producer.send(TOURNAMENTS, key=t.encode(), value=_line(t, number))
    producer.flush()
    producer.close()


def _floor(servers: Servers) -> Work:
    def run() -> tuple[int, float]:
        connection = psycopg.connect(servers.fresh_database().replace("+psycopg", ""))
        reader = consumer.open_consumer(servers.broker)
        places = [TopicPartition(TOURNAMENTS, p) for p in range(servers.broker.partitions)]
        reader.assign(places)
        for place in places:
            reader.seek(place, 0)
        rows = {
            _line(t, number): (f"tournaments/{t}", number, PAIRING, number, _id(t, number))
            for t in (f"B{n}" for n in range(TOURNAMENTS_FILLED))
            for number in range(1, LINES + 1)
        }
        start, count = time.perf_counter(), 0
        while count < TOTAL:
            polled = [record.value for records in reader.poll(timeout_ms=100).values() for record in records]
            if polled:
                with connection.transaction(), connection.cursor() as cursor:
                    cursor.executemany(_INSERT, [(*rows[line], line, EMPTY) for line in polled])
                count += len(polled)
        seconds = time.perf_counter() - start
        reader.close()
        connection.close()
        return TOTAL, seconds

    return run


def ours(servers: Servers, total: int = TOTAL, records: int | None = None) -> Work:
    """From the follower's first poll until its position is at the end, which it says once a second of silence; ``total`` lines,
    each a record, or so many ``records``."""

    def run() -> tuple[int, float]:
        log = DistributedLog(servers.fresh_database(), GAMES)
        stop = threading.Event()
        follower = Follower(log, servers.broker, stop)
        began = threading.Event()
        follow = follower._follow

        def timed(*arguments: object) -> None:
            began.set()
            follow(*arguments)  # type: ignore[arg-type]

        follower._follow = timed  # type: ignore[method-assign]
        thread = threading.Thread(target=follower.run, daemon=True)
        thread.start()
        began.wait()
        start = time.perf_counter()
        # It takes more lines than the total if it has begun again.
        until(lambda: follower.lines_taken >= total, "for the follower", looks=SHORT_LOOKS)
        until(lambda: sum(_read(log).values()) == (records or total), "for its last commit", looks=SHORT_LOOKS)
        seconds = time.perf_counter() - start
        stop.set()
        thread.join()
        log.close()
        return total, seconds

    return run


def _read(log: DistributedLog) -> dict[tuple[str, int], int]:
    with log.begin() as connection:
        return positions(connection, "follower")


def _decided(keys: ServiceKeys) -> list[tuple[str, bytes]]:
    """(key, record) of what a desk that signs with these keys writes, by turns of many tournaments."""
    from deploy.server.rules import RULES

    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(SqliteLog(Path(folder) / "log.sqlite"), RULES, lambda *_: "", keys=keys)
        adopted = regulations.load("campus")
        announce = AnnounceTournament(CHIEF, "bench", "xiangqi", "swiss", 9, adopted, keys=keys.announced)
        names = [f"B{n}" for n in range(TOURNAMENTS_FILLED)]
        for t in names:
            desk.submit(PAIRING, t, announce)
        by_callers(
            lambda caller, n: followed(
                desk.submit(PAIRING, names[caller], AppointOfficial(CHIEF, OfficialAppointed(f"o{n:027}", "arbiter")))
            ),
            LINES,
        )
        lines = {t: groupby(desk.lines(f"tournaments/{t}"), key=lambda row: row.command) for t in names}
        records = {t: [b"\n".join(row.line for row in rows) for _, rows in groups] for t, groups in lines.items()}
        desk.close()
    return [(t, record) for turn in zip(*records.values(), strict=True) for t, record in zip(names, turn, strict=True)]


def _following(servers: Servers, records: list[tuple[str, bytes]]) -> Work:
    """The follower on fresh topics that hold these records."""
    total = sum(record.count(b"\n") + 1 for _, record in records)

    def run() -> tuple[int, float]:
        servers.fresh_topics()
        producer = KafkaProducer(acks="all", batch_size=256 * 1024, **servers.broker.options())
        for key, record in records:
            producer.send(TOURNAMENTS, key=key.encode(), value=record)
        producer.flush()
        producer.close()
        done = ours(servers, total, len(records))()
        assert isinstance(done, tuple)
        return done

    return run


def benchmarks(servers: Servers) -> Iterator[Ratio]:
    fill(servers)
    name = "follower, raw consume and insert"
    yield compare(name, "lines/s", 0.45, ours(servers), _floor(servers))
    signed, unsigned = _following(servers, _decided(fresh_keys())), _following(servers, _decided(NO_KEYS))
    yield compare("follower of signed records, of unsigned ones", "lines/s", 0.35, signed, unsigned)
