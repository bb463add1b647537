"""Two workers share the partitions of games while both are struck: each acknowledged command is in the log once and in order.

``ARBITER_SHARING`` is the number of runs, each by another seed from ``ARBITER_SEED`` on (`make campaign NAME=sharing N=20`).
"""

import os
import signal
import threading
from collections.abc import Callable
from random import Random

import psycopg
import pytest

from shared.core.terms import GAMES
from shared.log.kafka.broker import MOVES, TOURNAMENTS
from shared.log.kafka.consumer import partition_of
from shared.log.port import CommitUnknown, LogUnavailable, NewRow
from shared.log.texts import salted
from shared.log.worker.acceptance import place_in_log
from tests.deploy.servers import SERVERS
from tests.log.conftest import servers, world  # noqa: F401 (fixtures)
from tests.log.distributed import World, line, until
from tests.log.test_shared_partitions import COUNT, CUPS, Workers, records_of

pytestmark = SERVERS
RUNS = int(os.environ.get("ARBITER_SHARING", "2"))
SEED = int(os.environ.get("ARBITER_SEED", "1"))
FAULTS = int(os.environ.get("ARBITER_SHARING_FAULTS", "4"))
_SLEEP = threading.Event()
_CUT = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND split_part(application_name, ' ', 3) <> ''"""


class Writers:
    """Threads that each write to one tournament, its sheets and texts, until they are stopped. They note what was accepted."""

    def __init__(self, workers: Workers) -> None:
        self.accepted: dict[str, list[str]] = {cup: [] for cup in CUPS}
        """Tournament → the commands that were committed, in order."""
        self._log, self._stop = workers.log, threading.Event()
        self._threads = [threading.Thread(target=self._write, args=(cup,)) for cup in CUPS]
        for thread in self._threads:
            thread.start()

    def _write(self, cup: str) -> None:
        number = 0
        while not self._stop.is_set():
            number += 1
            command = f"{cup}-{number}"
            official, sheet = f"tournaments/{cup}", f"games/{cup}.1.{number % 4}"
            rows = [(official, number), (sheet, (number - 1) // 4 + 1)]
            new = [NewRow(s, n, GAMES, n, command, i, _line(s, n, command)) for i, (s, n) in enumerate(rows)]
            while True:
                try:
                    with self._log.transaction([official]) as tx:
                        tx.put_texts([salted(command, cup)])
                        tx.append(new)
                    break
                except CommitUnknown:
                    if self._log.command_lines(command, cup):
                        break
                except LogUnavailable:
                    _SLEEP.wait(0.1)
            self.accepted[cup].append(command)
            _SLEEP.wait(0.02)

    def end(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(60)

    def count(self) -> int:
        return sum(map(len, self.accepted.values()))


def _line(stream: str, number: int, command: str) -> bytes:
    return line(GAMES, stream, number).replace(b'"causationid":"c"', b'"causationid":"%s"' % command.encode())


class Faults:
    """Seeded faults of the workers, the database and the broker."""

    def __init__(self, world: World, workers: Workers, seed: int) -> None:  # noqa: F811
        self._world, self._workers, self._rng = world, workers, Random(seed)
        self._running = [workers.start(), workers.start()]
        until(lambda: workers.shared_by(2), "for two workers to share the partitions")
        self.struck: list[str] = []

    def strike(self) -> Callable[[], None]:
        """Strike once; return what heals it."""
        act = self._rng.choice((self._kill, self._stall, self._end, self._cut, self._pause_broker))
        self.struck.append(act.__name__.strip("_"))
        return act()

    def _kill(self) -> Callable[[], None]:
        one = self._running.pop(self._rng.randrange(2))
        one.kill()
        return self._start

    def _end(self) -> Callable[[], None]:
        one = self._running.pop(self._rng.randrange(2))
        one.terminate()
        return self._start

    def _start(self) -> None:
        self._running.append(self._workers.start())

    def _stall(self) -> Callable[[], None]:
        one = self._rng.choice(self._running)
        os.kill(one.pid, signal.SIGSTOP)
        return lambda: os.kill(one.pid, signal.SIGCONT)

    def _cut(self) -> Callable[[], None]:
        with psycopg.connect(self._world.urls[GAMES].replace("+psycopg", ""), autocommit=True) as database:
            database.execute(_CUT)
        return lambda: None

    def _pause_broker(self) -> Callable[[], None]:
        kafka = self._world.servers.kafka.process
        kafka.pause()
        return kafka.resume


@pytest.mark.parametrize("seed", range(SEED, SEED + RUNS))
def test_whatever_strikes_two_workers_each_command_is_in_the_log_once(world: World, seed: int) -> None:  # noqa: F811
    workers, rng = Workers(world), Random(f"pauses {seed}")
    faults = Faults(world, workers, seed)
    writers = Writers(workers)
    try:
        for _ in range(FAULTS):
            more = writers.count() + 30
            until(lambda more=more: writers.count() >= more, "for commands to be accepted")
            heal = faults.strike()
            _SLEEP.wait(rng.uniform(0.1, 14))  # a session in the group lasts ten
            heal()
        writers.end()
        until(workers.settled, f"for the workers to send and read everything after {faults.struck}", 120)
        until(lambda: len(workers.owned()) == COUNT)
        judge(workers, writers)
    finally:
        writers.end()
        workers.end()
    print(f"seed {seed}: {writers.count()} commands, {faults.struck}")


def judge(workers: Workers, writers: Writers) -> None:
    for cup, accepted in writers.accepted.items():
        rows = workers.log.lines(f"tournaments/{cup}")
        assert [row.command for row in rows] == accepted
        assert [row.seq for row in rows] == [row.sourceseq for row in rows] == list(range(1, len(rows) + 1))
    assert workers.log.findings() == []
    assert workers.log.halts() == {}
    assert workers.log.parked() == {}
    # and a plain reader of the topics, which leaves out repeated numbers, finds the same
    for topic in (TOURNAMENTS, MOVES):
        ends: dict[str, int] = {}
        for record in records_of(workers.world, topic):
            place = place_in_log((record.value or b"").split(b"\n"))
            assert place is not None
            assert place.first <= ends.get(place.stream, 0) + 1, f"{place} comes too early"
            ends[place.stream] = max(ends.get(place.stream, 0), place.first)
        numbered = {cup: len(accepted) for cup, accepted in writers.accepted.items()}
        if topic == TOURNAMENTS:
            assert {stream.partition("/")[2]: end for stream, end in ends.items()} == numbered
        else:
            assert sum(ends.values()) == sum(numbered.values())
    assert all(partition_of(cup, COUNT) == partition for partition, cup in enumerate(CUPS))
