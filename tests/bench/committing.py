"""Durable appends by 64 callers on PostgreSQL against plain group commit of the same rows."""

import queue
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future

import psycopg
import sqlalchemy as sa

from services.pairing.rules.commands import AnnounceTournament, AppointOfficial
from shared import regulations
from shared.core.events import OfficialAppointed
from shared.core.terms import PAIRING
from shared.desk.desk import Desk
from shared.log.distributed import DistributedLog
from shared.log.kafka.broker import TOURNAMENTS
from shared.log.sql.tables import OUTBOX
from shared.log.worker.ledger import Book
from shared.signing.service_keys import NO_KEYS, ServiceKeys
from tests.bench.measure import Ratio, Work, compare
from tests.bench.writing import CHIEF, by_callers, followed, fresh_keys
from tests.log.distributed import Servers, answer_questions

_LINE = b"x" * 560
_EVENT = "INSERT INTO events (stream, seq, source, sourceseq, command, n, line) VALUES (%s, 0, %s, %s, %s, 0, %s)"
_OUTBOX = "INSERT INTO outbox (topic, key, record, at) VALUES (%s, %s, %s, %s)"


class _GroupCommit:
    """The floor: one thread inserts what is queued, flushes once and answers; it decides nothing, locks nothing."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url.replace("+psycopg", ""))
        self._queue: queue.SimpleQueue[tuple[int, int, Future[None]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._loop)
        self._thread.start()

    def append(self, caller: int, n: int) -> None:
        done: Future[None] = Future()
        self._queue.put((caller, n, done))
        done.result()

    def close(self) -> None:
        self._queue.put(None)
        self._thread.join()
        self._connection.close()

    def _loop(self) -> None:
        while True:
            batch = [self._queue.get()]
            while len(batch) < 256 and not self._queue.empty():
                batch.append(self._queue.get())
            jobs = [job for job in batch if job is not None]
            now = time.time()
            with self._connection.transaction(), self._connection.cursor() as cursor:
                events = [
                    (f"tournaments/B{c}", PAIRING, n + 1, f"command-{c:02}-{n:04}-0123456789abcdef0", _LINE)
                    for c, n, _ in jobs
                ]
                cursor.executemany(_EVENT, events)
                cursor.executemany(_OUTBOX, [(TOURNAMENTS, f"B{c}", _LINE, now) for c, _, _ in jobs])
            for _, _, done in jobs:
                done.set_result(None)
            if None in batch:
                return


def _floor(servers: Servers) -> Work:
    def run() -> tuple[int, float]:
        floor = _GroupCommit(servers.fresh_database())
        done = by_callers(floor.append)
        floor.close()
        return done

    return run


def ours(servers: Servers, tournaments: int, each: int | None = None, keys: ServiceKeys = NO_KEYS) -> Work:
    """64 callers of one desk that signs with these keys; nobody relays or follows, so that the append alone is measured."""
    from deploy.server.rules import RULES

    def run() -> tuple[int, float]:
        log = DistributedLog(servers.fresh_database(), PAIRING)
        with log.begin() as connection:
            answer_questions(connection)
        desk = Desk(log, {PAIRING: RULES[PAIRING]}, lambda *_: "", keys=keys, back_seconds=0)
        adopted = regulations.load("campus")
        announce = AnnounceTournament(CHIEF, "bench", "xiangqi", "swiss", 9, adopted, keys=keys.announced)
        for t in range(tournaments):
            desk.submit(PAIRING, f"B{t}", announce)
        come_back(log)

        def append(caller: int, n: int) -> None:
            # Each caller goes from one tournament to the next.
            t = f"B{(caller + 64 * n) % tournaments}"
            followed(desk.submit(PAIRING, t, AppointOfficial(CHIEF, OfficialAppointed(f"o{caller}-{n}", "arbiter"))))

        done = by_callers(append, each)
        desk.close()
        return done

    return run


def come_back(log: DistributedLog) -> None:
    """What was announced is in the ledger, as a follower would have put it there."""
    book = Book()
    with log.begin() as connection:
        for record in connection.execute(sa.select(OUTBOX.c.record).order_by(OUTBOX.c.id)).scalars().all():
            book.take(connection, record, lambda hash: None)
        book.flush(connection)


def benchmarks(servers: Servers) -> Iterator[Ratio]:
    for tournaments, named in ((1, "1 tournament"), (64, "64 tournaments")):
        name = f"PostgreSQL append, 64 callers, {named}"
        yield compare(name, "commands/s", 0.4, ours(servers, tournaments), _floor(servers))
    name = "signed PostgreSQL append, 64 callers, 64 tournaments"
    yield compare(name, "commands/s", 0.7, ours(servers, 64, keys=fresh_keys()), ours(servers, 64))
