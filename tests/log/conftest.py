"""The backends under contract: each opens, appends like a desk would, and lets time pass."""

import threading
from pathlib import Path
from random import Random

import pytest

from shared.log.lagging import LaggingLog, settle
from shared.log.port import Log, NewRow, Row
from shared.log.sqlite import SqliteLog
from shared.terms import GAMES, SOURCES, Source


def line(source: Source, stream: str, number: int, text: str = "") -> bytes:
    """A line as far as a backend looks into it."""
    return (
        f'{{"source":"{source}","sourceseq":{number},"subject":"{stream}","causationid":"c","text":"{text}"}}'
    ).encode()


class Backend:
    """One backend in a folder; ``open`` is a process's handle, ``settle`` lets everything arrive."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.folder = kind, folder
        self._handles: list[Log] = []

    def open(self, source: Source = GAMES) -> Log:
        if self.kind == "sqlite":
            log: Log = SqliteLog(self.folder / "arbiter.sqlite")
        else:
            log = LaggingLog(self.folder, source, Random(7))
        self._handles.append(log)
        return log

    def settle(self) -> None:
        if self.kind == "lagging":
            world = {source: LaggingLog(self.folder, source, Random(11)) for source in SOURCES}
            settle(world)
            for log in world.values():
                log.close()

    def close(self) -> None:
        for log in self._handles:
            log.close()

    def append(
        self, log: Log, stream: str = "tournaments/T", count: int = 1, command: str | None = None, text: str = ""
    ) -> list[bytes]:
        """One command of ``count`` lines, numbered under the lock as a desk numbers them."""
        source = log.sources[0] if len(log.sources) == 1 else GAMES
        with log.transaction() as tx:
            held = log.lines(stream)
            own = [r for r in held if r.source == source] + tx.own(stream)
            first = len(own) + 1
            lines = [line(source, stream, first + i, text) for i in range(count)]
            tx.append(
                [
                    NewRow(stream, len(held) + 1 + i, source, first + i, command or f"{source}{stream}{first}", i, data)
                    for i, data in enumerate(lines)
                ]
            )
        return lines

    def read(self, log: Log, stream: str = "tournaments/T") -> list[Row]:
        return log.lines(stream)


@pytest.fixture(params=["sqlite", "lagging"])
def backend(request: pytest.FixtureRequest, tmp_path: Path):
    made = Backend(request.param, tmp_path)
    yield made
    made.close()


def together(*tasks) -> None:
    """Run tasks in threads that start at one moment; the first failure is raised."""
    barrier, failures = threading.Barrier(len(tasks)), []

    def run(task):
        barrier.wait()
        try:
            task()
        except Exception as failure:
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
