"""Durable appends by 64 callers against plain group commit of the same bytes. The profile behind the bounds is in scale.md."""

import queue
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.pairing.rules.commands import AnnounceTournament, AppointOfficial
from shared import regulations
from shared.core.events import OfficialAppointed
from shared.core.terms import PAIRING, SOURCES, Actor
from shared.desk.desk import Desk
from shared.log.port import NewRow
from shared.log.sqlite import SqliteLog
from shared.signing.service_keys import NO_KEYS, OwnKey, ServiceKeys
from tests.bench.measure import Ratio, Work, compare

CALLERS, EACH = 64, 150
CHIEF = Actor("chief", "chief_arbiter", "0190aaaa-bbbb-7ccc-8ddd-000000000001")


def fresh_keys() -> ServiceKeys:
    """A key for each service."""
    return ServiceKeys({source: [OwnKey.of(source, Ed25519PrivateKey.generate())] for source in SOURCES})


def by_callers(work: Callable[[int, int], None], each: int | None = None) -> tuple[int, float]:
    """64 threads, each doing its work ``each`` times (150), one after the other; commands and seconds."""
    times = each or EACH

    def caller(number: int) -> None:
        for n in range(times):
            work(number, n)

    threads = [threading.Thread(target=caller, args=(i,)) for i in range(CALLERS)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return CALLERS * times, time.perf_counter() - start


class _GroupCommit:
    """The floor: one thread inserts what is queued in one flush and answers; it decides nothing."""

    def __init__(self, folder: Path) -> None:
        self.log = SqliteLog(folder / "floor.sqlite")
        self.queue: queue.SimpleQueue[tuple[int, int, Future[None]] | None] = queue.SimpleQueue()
        self.line = b"x" * 560
        self.thread = threading.Thread(target=self._loop)
        self.thread.start()

    def append(self, caller: int, n: int) -> None:
        done: Future[None] = Future()
        self.queue.put((caller, n, done))
        done.result()

    def _loop(self) -> None:
        while True:
            batch = [self.queue.get()]
            while len(batch) < 256 and not self.queue.empty():
                batch.append(self.queue.get())
            rows = [
                NewRow(f"tournaments/{c}", n + 1, PAIRING, n + 1, f"command-{c}-{n}-0123456789abcdef", 0, self.line)
                for c, n, _ in (b for b in batch if b)
            ]
            if rows:
                with self.log.transaction() as tx:
                    tx.append(rows)
            for job in batch:
                if job is None:
                    self.log.close()
                    return
                job[2].set_result(None)


def _floor() -> tuple[int, float]:
    with tempfile.TemporaryDirectory() as folder:
        floor = _GroupCommit(Path(folder))
        done = by_callers(floor.append)
        floor.queue.put(None)
        floor.thread.join()
        return done


def appends(tournaments: int, keys: ServiceKeys = NO_KEYS) -> Work:
    """Commands of 64 callers on a desk that signs with these keys."""
    from deploy.server.rules import RULES

    def run() -> tuple[int, float]:
        with tempfile.TemporaryDirectory() as folder:
            desk = Desk(SqliteLog(Path(folder) / "ours.sqlite"), RULES, lambda *_: "", keys=keys)
            announce = AnnounceTournament(
                CHIEF, "bench", "xiangqi", "swiss", 9, regulations.load("campus"), keys=keys.announced
            )
            for t in range(tournaments):
                desk.submit(PAIRING, f"B{t}", announce)
            done = by_callers(
                lambda caller, n: followed(
                    desk.submit(
                        PAIRING,
                        f"B{caller % tournaments}",
                        AppointOfficial(CHIEF, OfficialAppointed(f"o{caller}-{n}", "arbiter")),
                    )
                )
            )
            desk.close()
            return done

    return run


def followed(outcome: object) -> None:
    assert getattr(outcome, "status", None) == 201, outcome


def benchmarks() -> Iterator[Ratio]:
    yield compare("durable append, 64 callers, 1 tournament", "commands/s", 0.4, appends(1), _floor)
    yield compare("durable append, 64 callers, 64 tournaments", "commands/s", 0.4, appends(64), _floor)
