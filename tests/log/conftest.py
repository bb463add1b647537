"""The backends under contract: each opens, appends like a desk would, and lets time pass."""

import threading
from pathlib import Path
from random import Random

import pytest

from shared.core.terms import GAMES, SOURCES, Source
from shared.log.port import Log, NewRow, Row
from shared.log.sqlite import SqliteLog
from tests.deploy.servers import SERVERS, broker, database
from tests.log.distributed import Servers, World, found, line
from tests.log.lagging import LaggingLog, settle


class Backend:
    """One backend in a folder; ``open`` is a process's handle, ``settle`` lets everything arrive."""

    def __init__(self, kind: str, folder: Path, world: World | None = None) -> None:
        self.kind, self.folder, self.world = kind, folder, world
        self._handles: list[Log] = []

    def open(self, source: Source = GAMES) -> Log:
        if self.world is not None:
            return self.world.open(source)
        if self.kind == "sqlite":
            log: Log = SqliteLog(self.folder / "arbiter.sqlite")
        elif self.kind == "kafka":
            log = found(self.folder / "world.json", source)
        else:
            log = LaggingLog(self.folder, source, Random(7))
        self._handles.append(log)
        return log

    def settle(self) -> None:
        if self.world is not None:
            self.world.settle()
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
        with log.transaction([stream]) as tx:
            held = log.lines(stream)
            back = sum(r.source == source for r in held)
            first = back + len(tx.own_since({stream: back})) + 1
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


@pytest.fixture(scope="package")
def servers(tmp_path_factory: pytest.TempPathFactory):
    """PostgreSQL and Kafka, started once."""
    with database(tmp_path_factory.mktemp("postgres")) as postgres, broker(tmp_path_factory.mktemp("kafka")) as kafka:
        yield Servers(postgres, kafka)


@pytest.fixture
def world(servers: Servers, tmp_path: Path):
    """Four services on fresh databases and topics; their workers do not run yet."""
    made = World(servers, tmp_path)
    yield made
    made.close()


@pytest.fixture(params=["sqlite", "lagging", pytest.param("kafka", marks=SERVERS)])
def backend(request: pytest.FixtureRequest, tmp_path: Path):
    world = World(request.getfixturevalue("servers"), tmp_path, (GAMES,)) if request.param == "kafka" else None
    made = Backend(request.param, tmp_path, world)
    yield made
    made.close()
    if world is not None:
        world.close()


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
