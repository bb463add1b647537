"""Writes over HTTP to the web processes of one service, by 64 callers for each process, over many tournaments.

The worker of the service runs without a limit. A caller goes from one tournament to the next, so every process writes to each.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import count
from pathlib import Path

from shared.http.identity.tokens import issue
from tests.bench import callers, http_write, share
from tests.bench.process_counts import Kind, Measured
from tests.log.distributed import Servers, until
from tests.stack.process import Process, descendants, free_port

CALLERS = 64
"""Callers for each web process."""
TOURNAMENTS = 256
_CREATORS = 16
_WARM_SECONDS, _SECONDS = 3.0, 12.0
_PREPARED = 150
"""Requests of each caller for each second, more than it can send."""
_CALLERS_AT_MOST = 0.3
"""Share of a core that the callers may take: beyond it, they would be what is measured."""
_NUMBERS = count()


class Web:
    """A running service: its ``port``, the processes that answer, and its keys."""

    def __init__(self, port: int, server: Process, worker: Process, keys: Path, number: int) -> None:
        self.port, self.server, self.worker, self.keys, self.number = port, server, worker, keys, number

    @property
    def pids(self) -> list[int]:
        """The processes that answer, without gunicorn's own that started them."""
        return sorted(descendants(self.server.pid) - {self.server.pid})


@contextmanager
def running(servers: Servers, folder: Path, number: int) -> Iterator[Web]:
    """Run pairing with this number of web processes and its worker, on a database of its own with `TOURNAMENTS`."""
    from deploy.server.data_folder import make_keys

    keys = folder / "keys"
    make_keys(keys)
    servers.fresh_topics()
    port = free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(Path.cwd()),
        "ARBITER_SERVICE": "pairing",
        "ARBITER_DATABASE_URL": servers.fresh_database(),
        "ARBITER_KAFKA": servers.kafka.bootstrap,
        "ARBITER_PARTITIONS": str(servers.broker.partitions),
        "ARBITER_DATA": str(keys),
        "ARBITER_WORKERS": str(number),
        "ARBITER_RATE": "0",
        "ARBITER_READS": "0",
    }
    command = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "deploy.server.wsgi:app"]
    server = Process("web", command, environment | {"ARBITER_PORT": str(port)}, folder / "web.log")
    work = [sys.executable, "-m", "deploy.server.worker.worker"]
    worker = Process("worker", work, environment | {"ARBITER_PORT": str(free_port())}, folder / "worker.log")
    try:
        for process in (server, worker):
            process.start()
        web = Web(port, server, worker, keys, number)
        token = issue(keys, "chief_arbiter", "bench")
        until(lambda: _accepts(port, token), "for the service")
        announced = [callers.request("/v1/tournaments", _tournament(t), token) for t in range(TOURNAMENTS)]
        callers.send_all([port], [announced[n::_CREATORS] for n in range(_CREATORS)])
        yield web
    finally:
        for process in (server, worker):
            process.end()


def _tournament(t: object) -> dict[str, object]:
    return {"id": f"B{t}", "name": f"B{t}", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "campus"}


def _accepts(port: int, token: str) -> bool:
    try:
        return http_write.call(port, "POST", "/v1/tournaments", _tournament("-first"), token)[0] in (201, 409, 422)
    except OSError:
        return False


def prepared(web: Web, number: int, seconds: float) -> list[Iterator[bytes]]:
    """Return what each of ``number`` callers sends, in a different tournament each time."""
    turn = next(_NUMBERS)
    most = int(seconds * _PREPARED)

    def requests(caller: int) -> Sequence[bytes]:
        token = issue(web.keys, "chief_arbiter", "bench")
        return [
            callers.request(
                f"/v1/tournaments/B{(caller + 37 * n) % TOURNAMENTS}/officials",
                {"name": f"o{turn}-{caller}-{n}", "role": "arbiter"},
                token,
            )
            for n in range(most)
        ]

    return [iter(requests(caller)) for caller in range(number)]


def measure(servers: Servers, folder: Path, number: int, part: float | None) -> Measured:
    """Measure ``number`` processes, each held to this ``part`` of a core (None: without a limit)."""
    used = list[float]()
    with running(servers, folder, number) as web:
        sent = prepared(web, CALLERS * number, _WARM_SECONDS + _SECONDS)
        with share.held(web.pids, part) if part else nullcontext():
            begun = lambda: used.append(share.cpu_seconds(web.pids))  # noqa: E731
            load = callers.run([web.port], sent, _SECONDS, _WARM_SECONDS, begun)
            begun()
    assert load.cpu < _CALLERS_AT_MOST * load.seconds, (
        f"the callers took {load.cpu:.1f} s of CPU in {load.seconds:.1f} s"
    )
    return Measured(load.answers / load.seconds, 1000 * (used[1] - used[0]) / load.answers)


KIND = Kind("web processes", "writes", measure)
