"""How an embedded server with many finished tournaments starts and answers: `python -m tests.bench.many_tournaments`.

Writes the table of deploy/docs/scale.md. Each process is measured by its CPU time and memory, from Linux' /proc.
"""

import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tests.bench.federation_folder import make_folder
from tests.figures.pages import write_pages
from tests.figures.store import record_table
from tests.stack.process import Process, free_port

COUNTS = (100, 10_000)
TIMES = 10
"""A start with the most tournaments takes at most this many times the CPU time of one with the fewest."""
_TURNS, _REQUESTS = 3, 20
"""Starts of a server, of which the median counts, and requests for each address."""
_MINUTE = 60.0
_ADDRESSES = {
    "front page, CPU ms": "/",
    "list, CPU ms": "/v1/tournaments?limit=100",
    "search, CPU ms": "/v1/tournaments?q=t00&order=-date",
    "table, CPU ms": "/v1/tournaments/t00042/standings",
    "archive, CPU ms": "/v1/tournaments/t00043/archive",
}
_TICKS = os.sysconf("SC_CLK_TCK")
Figures = dict[str, float]


def main() -> int:
    columns = []
    with tempfile.TemporaryDirectory(prefix="arbiter-many-") as name:
        for count in COUNTS:
            data = Path(name) / str(count)
            events = make_folder(data, count)
            figures = {"events": float(events), **measured(data)}
            columns.append((f"{count:,}", figures))
            before = _size(data)
            command = _command("compress", "--days", "0", "--data", str(data))
            cold = {"events": float(events), "compress, CPU s": command, **measured(data)}
            columns.append((f"{count:,}, compressed", cold))
            print(f"{count}: {before / 1e6:,.1f} MB before, {_size(data) / 1e6:,.1f} MB compressed", file=sys.stderr)
    rows = list(_rows([figures for _, figures in columns]))
    print(*map(" | ".join, rows), sep="\n")
    record_table("finished tournaments", ["finished tournaments", *(name for name, _ in columns)], rows)
    write_pages()
    few, many = columns[0][1]["start, CPU s"], columns[-2][1]["start, CPU s"]
    return 0 if many <= TIMES * few else 1


def measured(data: Path) -> Figures:
    """Return the figures of a data folder."""
    figures: Figures = {"database MB": _size(data) / 1e6}
    figures["people rebuilt, CPU s"] = _command("rebuild", "people", "--data", str(data))
    starts = []
    for turn in range(_TURNS):
        with _served(data) as (server, url, start):
            starts.append(start | {"memory when ready, MiB": _memory(server)})
            if turn == 0:
                time.sleep(_MINUTE)
                figures["first minute after it, CPU s"] = _cpu(server) - start["start, CPU s"]
                figures["memory then, MiB"] = _memory(server)
            else:
                answered = {name: _milliseconds(server, url + path) for name, path in _ADDRESSES.items()}
    figures = {name: median(start[name] for start in starts) for name in starts[0]} | figures | answered
    figures["doctor, CPU s"] = _command("doctor", "--data", str(data))
    return figures


@contextmanager
def _served(data: Path) -> Iterator[tuple[Process, str, Figures]]:
    """Serve a data folder. Yield the process, its address, and what its start took."""
    port = free_port()
    command = [sys.executable, "-m", "deploy.cli.main", "serve", "--data", str(data), "--port", str(port)]
    environment = os.environ | {"ARBITER_READS": "0"}
    server = Process("serve", command, environment, data.with_suffix(".log"))
    url = f"http://127.0.0.1:{port}"
    server.start()
    try:
        server.wait_until(lambda: _answers(f"{url}/readyz"), look=0.01, seconds=600)
        yield server, url, {"start, CPU s": _cpu(server)}
    finally:
        server.end()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _milliseconds(server: Process, url: str) -> float:
    """Return the milliseconds of CPU that a server takes for one request."""
    before = _cpu(server)
    for _ in range(_REQUESTS):
        with urllib.request.urlopen(url, timeout=600) as answer:
            answer.read()
    return 1000 * (_cpu(server) - before) / _REQUESTS


def _cpu(server: Process) -> float:
    """Return the CPU seconds of a process and its children, living and dead."""
    return sum(sum(map(int, _stat(pid)[11:15])) for pid in server.family()) / _TICKS


def _memory(server: Process) -> float:
    """Return the memory of a process and its children in MiB: shared pages are counted once (PSS)."""
    found = 0
    for pid in server.family():
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                found += int(line.split()[1])
    return found / 1024


def _stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _command(*arguments: str) -> float:
    """Run a command of the command line, and return its CPU seconds."""
    before = os.times()
    subprocess.run([sys.executable, "-m", "deploy.cli.main", *arguments], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def _size(data: Path) -> int:
    return sum(file.stat().st_size for file in data.glob("arbiter.db*"))


def _rows(columns: list[Figures]) -> Iterator[list[str]]:
    for name in dict.fromkeys(name for figures in columns for name in figures):
        values = (figures.get(name) for figures in columns)
        yield [name, *("" if value is None else _number(value) for value in values)]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 20 else f"{value:.1f}" if value >= 2 else f"{value:.2f}"


if __name__ == "__main__":
    sys.exit(main())
