"""How cost grows: `python -m tests.bench.scale`. Its figures are written up in deploy/docs/scale.md."""

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median

from services.pairing.rules.commands import AnnounceTournament, EnterPlayers, Entry
from shared import regulations
from shared.core.terms import PAIRING, PlayerId, TextRef
from shared.desk.desk import Desk
from shared.http.identity.tokens import issue
from shared.log.distributed import DistributedLog
from shared.log.sql import worker_state
from tests.bench import committing, distributed, following, http_write, relaying
from tests.bench.cluster import joined
from tests.bench.measure import Work
from tests.bench.writing import CHIEF
from tests.log.distributed import Servers, until
from tests.stack.process import Process, free_port

COUNTS = (1, 10, 100, 1000)
PARTITIONS = (1, 4, 16)
WEB_WORKERS = (1, 2, 4)
_TURNS = 3
_PLAYERS = 20


def main() -> int:
    if sys.argv[1:2] == ["hold"]:
        return hold(sys.argv[2])
    if distributed.lacking():
        print("NOT MEASURED HERE:", *distributed.lacking(), sep="\n", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # What was started is ended then, too.
    with tempfile.TemporaryDirectory(prefix="arbiter-scale-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        with distributed.servers(folder) as servers:
            for part in (by_tournaments, by_partitions, by_web_workers):
                _table(part(servers, folder))
            with joined(servers.kafka, folder):
                _table(by_brokers(servers, folder))
    return 0


def _table(rows: Iterator[tuple[str, ...]]) -> None:
    for i, row in enumerate(rows):
        print("| " + " | ".join(row) + " |", flush=True)
        if i == 0:
            print("|" + "---|" * len(row), flush=True)
    print(flush=True)


def _rate(work: Work) -> str:
    """Units a second, the median of a few turns."""
    turns = []
    for _ in range(_TURNS):
        done = work()
        assert isinstance(done, tuple)
        turns.append(done[0] / done[1])
    return f"{median(turns):,.0f}"


# ---------------------------------------------------------------- tournaments


def by_tournaments(servers: Servers, folder: Path) -> Iterator[tuple[str, ...]]:
    """Append, relay and follow while work goes round many tournaments; what a process that holds all of them takes."""
    yield ("tournaments", "append/s", "relay/s", "follow/s", "start-up s", "MiB", "table ms", "view ms")
    for count in COUNTS:
        append = _rate(committing.ours(servers, count))
        relay = _rate(relaying.ours(servers, count))
        each = following.TOTAL // count
        following.fill(servers, count, each)
        follow = _rate(following.ours(servers, count * each))
        yield (f"{count:,}", append, relay, follow, *_held(servers, count))


def _held(servers: Servers, count: int) -> list[str]:
    """What another process tells that opens a database with so many tournaments of 20 players."""
    from deploy.server.rules import RULES

    url = servers.fresh_database()
    log = DistributedLog(url, PAIRING)
    with log.begin() as connection:
        worker_state.answer(connection, 2)
    desk = Desk(log, {PAIRING: RULES[PAIRING]}, lambda *_: "", back_seconds=0)
    announce = AnnounceTournament(CHIEF, "scale", "xiangqi", "swiss", 9, regulations.load("campus"))
    entries = tuple(Entry(PlayerId(i), TextRef("0" * 64), 2400 - i) for i in range(1, _PLAYERS + 1))
    for t in range(count):
        desk.submit(PAIRING, f"B{t}", announce)
        desk.submit(PAIRING, f"B{t}", EnterPlayers(CHIEF, entries))
    committing.come_back(log)
    desk.close()
    told = subprocess.run(
        [sys.executable, "-m", "tests.bench.scale", "hold", url], capture_output=True, text=True, check=True
    )
    return told.stdout.split()


def hold(url: str) -> int:
    """Open a database, look at every tournament once; tell seconds, memory, a table's and a view's milliseconds."""
    from services.standings.rules.table.table import standings, table_answer

    start = time.perf_counter()
    log = DistributedLog(url, PAIRING)
    desk = Desk(log, {}, lambda *_: "", back_seconds=0)
    ids = [stream.partition("/")[2] for stream in log.streams("tournaments/")]
    for t in ids:
        desk.view(t)
    seconds = time.perf_counter() - start

    def table() -> None:
        view = desk.view(ids[0])
        assert view is not None
        table_answer(standings(view.tournament))

    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{seconds:.2f} {memory:.0f} {_milliseconds(table):.2f} {_milliseconds(lambda: desk.view(ids[0])):.2f}")
    desk.close()
    return 0


def _milliseconds(work: Callable[[], object]) -> float:
    turns = []
    for _ in range(50):
        start = time.perf_counter()
        work()
        turns.append(1000 * (time.perf_counter() - start))
    return median(turns)


# ---------------------------------------------------------------- partitions, brokers, web workers


def by_partitions(servers: Servers, folder: Path) -> Iterator[tuple[str, ...]]:
    yield ("partitions", "relay/s", "follow/s")
    usual = servers.broker
    for count in PARTITIONS:
        servers.broker = replace(usual, partitions=count)
        yield (str(count), *_moved(servers))
    servers.broker = usual


def by_brokers(servers: Servers, folder: Path) -> Iterator[tuple[str, ...]]:
    """One copy on one broker of three, and three copies of which two must confirm."""
    yield ("copies", "relay/s", "follow/s")
    for copies, confirmed in ((1, 1), (3, 2)):
        servers.broker = replace(servers.broker, replication=copies, min_insync=confirmed)
        yield (str(copies), *_moved(servers))


def _moved(servers: Servers) -> tuple[str, str]:
    relay = _rate(relaying.ours(servers))
    following.fill(servers)
    return relay, _rate(following.ours(servers))


def by_web_workers(servers: Servers, folder: Path) -> Iterator[tuple[str, ...]]:
    """8 callers of one service over HTTP, each waiting until its line is back through the log."""
    yield ("web workers", "writes/s")
    for count in WEB_WORKERS:
        yield (str(count), _written(servers, folder / f"web{count}", count))


def _written(servers: Servers, folder: Path, count: int) -> str:
    from deploy.server.data_folder import make_keys

    make_keys(folder / "keys")
    servers.fresh_topics()
    port, other = free_port(), free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(Path.cwd()),
        "ARBITER_SERVICE": "pairing",
        "ARBITER_DATABASE_URL": servers.fresh_database(),
        "ARBITER_KAFKA": servers.kafka.bootstrap,
        "ARBITER_PARTITIONS": str(servers.broker.partitions),
        "ARBITER_DATA": str(folder / "keys"),
        "ARBITER_WORKERS": str(count),
        "ARBITER_RATE": "0",
        "ARBITER_READS": "0",
    }
    web = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "deploy.server.wsgi:app"]
    processes = [
        Process("web", web, environment | {"ARBITER_PORT": str(port)}, folder / "web.log"),
        Process("worker", [sys.executable, "-m", "deploy.server.worker.worker"], environment | {"ARBITER_PORT": str(other)},
                folder / "worker_state.log"),
    ]  # fmt: skip
    try:
        for process in processes:
            process.start()
        token = issue(folder / "keys", "chief_arbiter", "bench")
        made = {"id": "B", "name": "B", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "campus"}
        until(lambda: _made(port, made, token), "for the service")
        # Each web process asks for its worker once; until then it answers 503.
        for n in range(40 * count):
            until(lambda n=n: _written_one(port, n, token), "for every web process")
        callers = http_write.callers(port, token)

        def work() -> tuple[int, float]:
            start = time.perf_counter()
            return callers(), time.perf_counter() - start

        return _rate(work)
    finally:
        for process in processes:
            process.end()


def _made(port: int, body: dict[str, object], token: str) -> bool:
    try:
        return http_write.call(port, "POST", "/v1/tournaments", body, token)[0] in (201, 409, 422)
    except OSError:
        return False


def _written_one(port: int, n: int, token: str) -> bool:
    body: dict[str, object] = {"name": f"warm{n}", "role": "arbiter"}
    return http_write.call(port, "POST", "/v1/tournaments/B/officials", body, token)[0] != 503


if __name__ == "__main__":
    sys.exit(main())
