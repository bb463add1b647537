"""Three arbiters who enter the 150 results of a round within a minute, while 300 viewers watch it, against bounds.

The 99th of a hundred entries counts: from when it is typed until its row is on the arbiter's page. Every result must be stored,
and every viewer must have the last one. The viewers are phones behind the one address of a venue's network. Each holds a
stream and asks for the changed rows as the script of its page does: at once, but at most every three seconds.
"""

import http.client
import json
import multiprocessing
import os
import re
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from gzip import decompress
from multiprocessing.queues import SimpleQueue
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Semaphore
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple
from urllib.parse import urlencode

from deploy.server import embedded_desk
from shared.http.identity.tokens import ensure_keys, issue
from shared.http.requests.auth import COOKIE
from tests.bench.http_write import call, running
from tests.bench.measure import Ratio
from tests.bench.share import cpu_seconds
from tests.deploy.viewers import Viewer, may_open
from tests.great_hall import ROUNDS, great_hall
from tests.played import CHIEF
from tests.stack.process import free_port

TURNS, ARBITERS, BOARDS, VIEWERS, SECONDS = 3, 3, 150, 300, 60.0
BOUND = 1.0
"""Seconds within which the row of an entry is on the page of its arbiter."""
_THROTTLE, _LOOK, _GIVEN_UP, _NICE = 3.0, 1.0, 60.0, 19
_SHOWN = re.compile(rb'id="seen"[^>]*data-seq="(\d+)"')


class Watched(NamedTuple):
    """The pages that all viewers got: number, bytes and refusals.

    ``behind``: viewers without the last event at the end.
    """

    pages: int
    content: int
    refused: int
    behind: int


class Turn(NamedTuple):
    """A round that was entered: the seconds of each entry, of all, and of the server's processor, and the watched pages."""

    entries: list[float]
    seconds: float
    cpu: float
    watched: Watched

    @property
    def p99(self) -> float:
        return quantiles(self.entries, n=100, method="inclusive")[98]


class Page:
    """A live page of a round, and ``shown``, the event that it shows the round at."""

    def __init__(self, port: int, path: str) -> None:
        self._path, self.shown, self.pages, self.content, self.refused = path, 0, 0, 0, 0
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_GIVEN_UP)
        self.refresh("")
        changes = f"{path.partition('/rounds/')[0]}/changes?after={self.shown}"
        self._stream = Viewer(("127.0.0.1", port), changes)
        self._stream.sock.settimeout(_LOOK)

    def refresh(self, query: str) -> None:
        """Ask for the page with a ``query``, and read the event that it shows."""
        answer, content = self._ask(self._path + query)
        self.pages, self.content = self.pages + 1, self.content + len(content)
        found = _SHOWN.search(decompress(content) if answer.headers["Content-Encoding"] == "gzip" else content)
        if answer.status == 200 and found is not None:
            self.shown = int(found[1])
        else:
            self.refused += 1

    def _ask(self, path: str) -> tuple[http.client.HTTPResponse, bytes]:
        """Return an answer and its body. A connection that the server closed meanwhile is opened again, as browsers do."""
        for _ in range(2):
            with suppress(http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                self._connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
                answer = self._connection.getresponse()
                return answer, answer.read()
            self._connection.close()
        raise AssertionError(f"{path} was not answered")

    def watch_until(self, last: "Synchronized[int]") -> None:
        """Refresh after each change, until the page shows the ``last`` event, which is 0 until that is known."""
        self.pages = self.content = 0
        while not last.value or self.shown < last.value:
            with suppress(TimeoutError):
                self._stream.take()
            assert not self._stream.ended, self._stream.read[-300:]
            if max(self._stream.ids, default=0) > self.shown:
                asked = time.monotonic()
                self.refresh(f"?since={self.shown}&q=")
                time.sleep(max(0.0, asked + _THROTTLE - time.monotonic()))


def _watch(
    port: int,
    path: str,
    viewers: int,
    nice: int,
    ready: Semaphore,
    last: "Synchronized[int]",
    out: "SimpleQueue[Watched]",
) -> None:
    """Open some pages, and watch them. ``nice``: real viewers have machines of their own, and take no time from the server's."""
    os.nice(nice)
    may_open(4 * viewers)
    pages = [Page(port, path) for _ in range(viewers)]
    threads = [threading.Thread(target=page.watch_until, args=(last,), daemon=True) for page in pages]
    for one in threads:
        one.start()
    ready.release()
    for one in threads:
        one.join()
    behind = sum(page.shown < last.value for page in pages)
    out.put(Watched(*(sum(getattr(p, name) for p in pages) for name in ("pages", "content", "refused")), behind))


class Arbiter:
    """An arbiter at the page of a round, who types results as its script sends them."""

    def __init__(self, port: int, path: str, token: str) -> None:
        self._path, self._token, self._once = path, token, 0
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_GIVEN_UP)
        self._seq = _seq_of(self._ask("GET", path)[1])

    def enter(self, board: int, result: str) -> None:
        """Send a result, and read the rows that it changes."""
        self._once += 1
        typed = {
            "seq": self._seq,
            "once": f"{self._token[-20:]}-{self._once}",
            "entry": f"{board} {result}",
            "board": board,
        }
        (address, _) = self._ask("POST", f"{self._path}/results", urlencode(typed))
        _, content = self._ask("GET", address)
        row = re.search(rb'<tr id="b%d".*?</tr>' % board, content, re.DOTALL)
        assert row is not None and b"data-open" not in row[0], content[:500]
        self._seq = _seq_of(content)

    def _ask(self, method: str, path: str, body: str | None = None) -> tuple[str, bytes]:
        """Return the ``Location`` and the body of an answer."""
        origin = f"http://127.0.0.1:{self._connection.port}"
        headers = {"Cookie": f"{COOKIE}={self._token}", "Origin": origin, "HX-Request": "true"}
        headers |= {} if body is None else {"Content-Type": "application/x-www-form-urlencoded"}
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        content = answer.read()
        assert answer.status in (200, 303), (answer.status, content[-800:])
        return answer.headers.get("Location", ""), content


def _seq_of(content: bytes) -> int:
    found = _SHOWN.search(content)
    assert found is not None, content[-800:]
    return int(found[1])


def entered(
    port: int, data: Path, t: str, server: int, viewers: int = VIEWERS, seconds: float = SECONDS, nice: int = _NICE
) -> Turn:
    """Enter the last round of a great hall within some ``seconds``, each arbiter every third board, at an even pace."""
    chief = issue(data, "chief_arbiter", CHIEF.name)
    path, spawn = f"/t/{t}/rounds/{ROUNDS}", multiprocessing.get_context("spawn")
    names = [f"arbiter{n}" for n in range(ARBITERS)]
    for name in names:
        status, content = call(port, "POST", f"/v1/tournaments/{t}/officials", {"name": name, "role": "arbiter"}, chief)
        assert status == 201, content
    ready, last, out = spawn.Semaphore(0), spawn.Value("q", 0), spawn.SimpleQueue()
    crowd = spawn.Process(target=_watch, args=(port, path, viewers, nice, ready, last, out), daemon=True)
    crowd.start()
    ready.acquire()
    arbiters = [Arbiter(port, path, issue(data, "arbiter", name)) for name in names]
    entries: list[float] = []
    begin, cpu = time.monotonic(), _cpu_seconds(server)

    def enter(n: int) -> None:
        for board in range(n + 1, BOARDS + 1, ARBITERS):
            due = begin + (board - 1) * seconds / BOARDS
            time.sleep(max(0.0, due - time.monotonic()))
            arbiters[n].enter(board, "10="[board % 3])
            entries.append(time.monotonic() - due)

    with ThreadPoolExecutor(ARBITERS) as typing:
        list(typing.map(enter, range(ARBITERS)))
    took, used = time.monotonic() - begin, _cpu_seconds(server) - cpu
    last.value = _seq_of(arbiters[0]._ask("GET", path)[1])
    watched = out.get()
    crowd.join()
    listed = json.loads(call(port, "GET", f"/v1/tournaments/{t}/results?round={ROUNDS}&limit=500", None, chief)[1])
    stored = {one["board"]: one["notation"] for one in listed["results"]}
    assert stored == {board: ("1-0", "0-1", "1/2-1/2")[board % 3] for board in range(1, BOARDS + 1)}, stored
    return Turn(entries, took, used, watched)


def _cpu_seconds(process: int) -> float:
    """Return the processor time of a process and of those that it has started."""
    started = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return cpu_seconds([process, *map(int, started)])


def benchmarks() -> Iterator[Ratio]:
    with (
        tempfile.TemporaryDirectory(prefix="arbiter-bench-") as folder,
        served(Path(folder), TURNS) as (port, data, server),
    ):
        turns = [entered(port, data, f"hall{n}", server) for n in range(TURNS)]
    for turn in turns:
        print(f"{turn.seconds:.1f} s, {turn.cpu:.1f} s of CPU, {turn.watched}", file=sys.stderr)
    within = f"{BOARDS} results by {ARBITERS} arbiters, {VIEWERS} viewers"
    yield _bounded(f"{within}: p99", BOUND, "s, bound", [turn.p99 for turn in turns])
    yield _bounded(f"{within}: processor", SECONDS, "s, bound", [turn.cpu for turn in turns])


def _bounded(name: str, bound: float, unit: str, measured: list[float]) -> Ratio:
    return Ratio(name, median(measured), bound, unit, 1, tuple(bound / one for one in measured))


@contextmanager
def served(folder: Path, halls: int) -> Iterator[tuple[int, Path, int]]:
    """Serve that many great halls whose last round has no result: the port, the folder of data, and the server's process."""
    data, port = folder / "data", free_port()
    ensure_keys(data)
    desk = embedded_desk.open_desk(data)
    for n in range(halls):
        great_hall(desk, f"hall{n}", 2 * BOARDS + 1, open_every=1)
    desk.close()
    command = [str(Path(sys.executable).parent / "arbiter"), "serve", "--data", str(data), "--port", str(port)]
    with running(command, str(folder), port) as server:
        yield port, data, server
