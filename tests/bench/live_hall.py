"""A live hall: how soon 300 viewers have what 64 boards report, against the same sender with lines flushed to a file.

The figure is the reciprocal of a time, so that more is better: half of the floor is at most twice its time. A time is from
the line's own ``time`` until a viewer has it. The 99th percentile over viewers and changes counts.
"""

import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from statistics import quantiles

from shared.http.identity.tokens import issue
from tests.bench.feeding import BOARDS, paired
from tests.bench.http_write import call, running
from tests.bench.measure import Ratio, of_turns
from tests.deploy.viewers import Viewer, Viewers, may_open
from tests.stack.process import free_port

TURNS, VIEWERS = 3, 300
_SECONDS = 4.0
"""In which all boards report, one after the other."""
_TIME = re.compile(rb'"time":"([^"]+)"')

Report = Callable[[int], tuple[int, bytes]]
"""Report a board; status and body of the answer."""


class Timed(Viewer):
    """A viewer that notes when it got what."""

    def __init__(self, address: tuple[str, int], path: str) -> None:
        super().__init__(address, path)
        self.pieces: list[tuple[float, bytes]] = []
        self.changes = 0

    def take(self) -> None:
        before = len(self.read)
        super().take()
        piece = self.read[before:]
        self.pieces.append((time.time(), piece))
        self.changes += piece.count(b"\ndata: ")

    def seconds(self) -> Iterator[float]:
        """From each line's time until it was here in full."""
        rest = b""
        for now, piece in self.pieces:
            whole, _, rest = (rest + piece).rpartition(b"\n\n")
            for text in _TIME.findall(whole):
                yield now - datetime.fromisoformat(text.decode()).timestamp()


def p99(port: int, path: str, report: Report) -> float:
    """Seconds within which viewers have what boards report."""
    with Viewers(Timed(("127.0.0.1", port), path) for _ in range(VIEWERS)) as hall:
        hall.read_until(lambda viewer: b"retry: " in viewer.read)
        refused: list[bytes] = []
        reports = [threading.Thread(target=_report, args=(report, n, refused)) for n in range(1, BOARDS + 1)]
        for one in reports:
            one.start()
        hall.read_until(lambda viewer: viewer.changes >= BOARDS)
        for one in reports:
            one.join()
        assert not refused, refused
        return quantiles((s for viewer in hall.all for s in viewer.seconds()), n=100)[98]


def _report(report: Report, board: int, refused: list[bytes]) -> None:
    time.sleep(board * _SECONDS / BOARDS)
    status, content = report(board)
    if status != 201:
        refused.append(content)


def benchmarks() -> Iterator[Ratio]:
    may_open(4 * VIEWERS)
    with tempfile.TemporaryDirectory() as folder:
        data, ours, floor = Path(folder) / "data", free_port(), free_port()
        serve = [str(Path(sys.executable).parent / "arbiter"), "serve", "--data", str(data), "--port", str(ours)]
        memory = [sys.executable, "-m", "tests.bench.memory_server", folder, str(floor)]
        with running(serve, folder, ours), running(memory, str(Path(__file__).parents[2]), floor):
            chief, turns = issue(data, "chief_arbiter", "bench"), []
            for turn in range(TURNS):
                t = f"B{turn}"
                seq = paired(ours, data, t)

                def board(number: int, t: str = t) -> tuple[int, bytes]:
                    body = {"round": 1, "results": [{"board": number, "result": "1-0"}]}
                    return call(ours, "POST", f"/v1/tournaments/{t}/results", body, chief)

                def line(number: int) -> tuple[int, bytes]:
                    return call(floor, "POST", "/lines", {"board": number, "result": "1-0", "pad": "x" * 600}, "")

                low = p99(floor, f"/events?after={turn * BOARDS}", line)
                high = p99(ours, f"/v1/tournaments/{t}/events?after={seq}", board)
                turns.append((1 / high, 1 / low))
            yield of_turns(f"{VIEWERS} viewers, {BOARDS} boards, to flushed lines", "1/p99", 0.5, turns)
