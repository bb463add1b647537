"""Relays and followers of one service, each in a process that owns some of the partitions.

``python -m tests.bench.worker_processes PART DATABASE BOOTSTRAP PARTITIONS`` is such a process. It joins the group, and begins
its work when it reads a line.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import count
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from typing import Any

import psycopg

from shared.core.terms import GAMES, PAIRING, Source
from shared.log.distributed import DistributedLog
from shared.log.kafka.broker import TOURNAMENTS, Broker
from shared.log.kafka.consumer import partition_of
from shared.log.worker import worker_lock
from shared.log.worker.follower import Follower
from shared.log.worker.membership import Membership
from shared.log.worker.relay import Relay
from tests.bench import following, share
from tests.bench.process_counts import Kind, Measured
from tests.log.distributed import Servers, until

_KEYS = 8
"""Tournaments in each partition, so that all processes have the same work."""
_WARM_SECONDS, _SECONDS, _BARE_SECONDS = 2.0, 12.0, 4.0
_RECORDS = {True: 90_000, False: 160_000}
"""Records for each process, more than it can move: held to a share of a core, and without a limit."""
_LINES = 2_000
"""Events of each tournament that followers read, more than they can store."""
_FILL = """INSERT INTO outbox (topic, key, record, at, partition)
SELECT %s, key, convert_to(lpad(n::text, 560, 'x'), 'UTF8'), 0, partition
FROM generate_series(1, %s) AS n CROSS JOIN unnest(%s::text[], %s::int[]) AS names(key, partition) ORDER BY n"""
_SENT = "SELECT count(*) FROM outbox"
_READ = "SELECT coalesce(sum(next), 0) FROM positions WHERE reader = 'follower'"
_POSITIONS = "SELECT topic, partition, topicid, next, digest, ledger, strangers FROM positions WHERE reader = 'relay'"
_RESTORED = """INSERT INTO positions (reader, topic, partition, topicid, next, digest, ledger, strangers)
VALUES ('relay', %s, %s, %s, %s, %s, %s, %s)"""
_OWNED = "SELECT count(*) FROM owners WHERE until > 0 AND member <> '' GROUP BY member"


class _Unrestored(Relay):
    """A relay that begins at once: no follower runs here, so nothing was sent before."""

    def _begun(self, lock: worker_lock.Lock) -> bool:
        return True


def _names(partitions: int) -> list[tuple[str, int]]:
    """Return `_KEYS` tournaments of each partition, with their partition, by turns of the partitions."""
    found: dict[int, list[str]] = {n: [] for n in range(partitions)}
    for number in count():
        name = f"B{number}"
        names = found[partition_of(name, partitions)]
        if len(names) < _KEYS:
            names.append(name)
        if all(len(names) == _KEYS for names in found.values()):
            return [(found[n][turn], n) for turn in range(_KEYS) for n in range(partitions)]
    raise AssertionError


def _fill_outbox(servers: Servers, url: str, records: int) -> None:
    _restored.clear()
    servers.fresh_topics()
    names = _names(servers.broker.partitions)
    with _connected(url) as database:
        keys, partitions = zip(*names, strict=True)
        database.execute(_FILL, (TOURNAMENTS, records // len(names) + 1, list(keys), list(partitions)))


_restored: dict[int, list[tuple[object, ...]]] = {}
"""Number of partitions -> the positions up to which a follower has restored its own events, while the topics hold the events."""


def _fill_topics(servers: Servers, url: str, records: int) -> None:
    """Fill the topics once, and let a follower restore. Each measured follower begins where that one began to follow."""
    partitions = servers.broker.partitions
    if partitions not in _restored:
        _restored.clear()
        following.fill_named(servers, [name for name, _ in _names(partitions)], _LINES)
        former = servers.fresh_database()
        with _started(servers, "follower", former, 1) as (process,), _connected(former) as database:
            _begin(process)
            until(lambda: _number(database, _READ) > 0, "for the follower to restore")
            _restored[partitions] = database.execute(_POSITIONS).fetchall()
    with _connected(url) as database, database.cursor() as cursor:
        cursor.executemany(_RESTORED, _restored[partitions])


def _connected(url: str) -> psycopg.Connection[tuple[Any, ...]]:
    return psycopg.connect(url.replace("+psycopg", ""), autocommit=True)


def _number(database: psycopg.Connection[tuple[Any, ...]], query: str) -> int:
    row = database.execute(query).fetchone()
    assert row is not None
    return int(row[0])


@contextmanager
def _started(servers: Servers, part: str, url: str, number: int) -> Iterator[list[Popen[str]]]:
    """Start processes, and wait until each has claimed its part of the partitions."""
    partitions = servers.broker.partitions
    command = [sys.executable, "-m", "tests.bench.worker_processes", part, url, servers.kafka.bootstrap]
    processes = [Popen([*command, str(partitions)], stdin=PIPE, stdout=DEVNULL, text=True) for _ in range(number)]
    try:
        with _connected(url) as database:
            share_of_each = [(partitions // number,)] * number
            until(lambda: database.execute(_OWNED).fetchall() == share_of_each, "for each process to own partitions")
        yield processes
    finally:
        for process in processes:
            process.terminate()
            process.wait()


def _begin(process: Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("begin\n")
    process.stdin.flush()


def _measure(
    part: str,
    fill: Callable[[Servers, str, int], None],
    done: str,
    servers: Servers,
    folder: Path,
    number: int,
    limit: float | None,
) -> Measured:
    """Measure ``number`` processes, each held to this part of a core (None: without a limit)."""
    url, seconds = servers.fresh_database(), _SECONDS if limit else _BARE_SECONDS
    fill(servers, url, number * _RECORDS[limit is not None])
    with _started(servers, part, url, number) as processes, _connected(url) as database:
        pids = [process.pid for process in processes]
        with share.held(pids, limit) if limit else nullcontext():
            filled = _number(database, done)
            for process in processes:
                _begin(process)
            until(lambda: _number(database, done) != filled, "for the first record")
            time.sleep(_WARM_SECONDS)
            began, cpu, before = time.perf_counter(), share.cpu_seconds(pids), _number(database, done)
            time.sleep(seconds)
            took, cpu, after = (
                time.perf_counter() - began,
                share.cpu_seconds(pids) - cpu,
                _number(database, done),
            )
    moved = abs(after - before)
    end = 0 if part == "relay" else _LINES * _KEYS * servers.broker.partitions
    assert moved and after != end, f"there was too little work for {number} processes: {before}, {after}"
    return Measured(moved / took, 1000 * cpu / moved)


KINDS = (
    Kind("relays", "records", partial(_measure, "relay", _fill_outbox, _SENT)),
    Kind("followers", "events", partial(_measure, "follower", _fill_topics, _READ)),
)


def _parts(part: str, url: str, broker: Broker, stop: threading.Event) -> Iterator[Callable[[], None]]:
    """Yield what runs in a process: its membership, and its relay or follower."""
    source: Source = PAIRING if part == "relay" else GAMES
    membership = Membership(DistributedLog(url, source), broker, stop)
    yield membership.run
    log = DistributedLog(url, source)
    yield (_Unrestored if part == "relay" else Follower)(log, broker, stop, owned=membership).run


def main(part: str, url: str, bootstrap: str, partitions: str) -> None:
    join, work = _parts(part, url, Broker(bootstrap, partitions=int(partitions)), threading.Event())
    threading.Thread(target=join, daemon=True).start()
    sys.stdin.readline()
    work()


if __name__ == "__main__":
    main(*sys.argv[1:])
