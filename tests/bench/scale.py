"""How cost and throughput grow: `python -m tests.bench.scale`. It writes the tables of deploy/docs/scale.md.

``python -m tests.bench.scale "web processes" relays`` measures these tables only. Exit 1 if a promise is not kept.

- Each of 1, 2 and 4 processes is held to a fifth of a core, as on a machine of its own. They must do at least 1, 1.8 and 3.2
  times as much as one.
- On bare cores, a unit of work may cost two processes at most 1.15 times the CPU of one: they do not work against each other.
"""

import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median

from tests.bench import committing, distributed, following, relaying, share, web_processes, worker_processes
from tests.bench.cluster import joined
from tests.bench.measure import Work
from tests.bench.process_counts import Growth, Kind, by_count
from tests.bench.start_up import start_up
from tests.figures.pages import write_pages
from tests.figures.store import record_table
from tests.log.distributed import Servers

COUNTS = (1, 10, 100, 1000)
PARTITIONS = (1, 4, 16)
_USUAL_PARTITIONS = 12
_TURNS = 3
Table = Iterator[tuple[str, ...]]
Part = Callable[[Servers, Path], Table]


def main() -> int:
    lacking = [*distributed.lacking(), *filter(None, (share.missing(),))]
    if lacking:
        print("NOT MEASURED HERE:", *lacking, sep="\n", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # What was started is ended then, too.
    growth = Growth()
    wanted = sys.argv[1:] or list(_parts(growth))
    with tempfile.TemporaryDirectory(prefix="arbiter-scale-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        with distributed.servers(folder) as servers:
            for part, rows in _parts(growth).items():
                if part in wanted:
                    _record(part, rows(servers, folder))
    write_pages()
    print(*growth.broken, sep="\n", file=sys.stderr)
    return 1 if growth.broken else 0


def _parts(growth: Growth) -> dict[str, Part]:
    """Return what fills each table, in the order in which they are measured. Three brokers remain until the servers end."""
    kinds = (web_processes.KIND, *worker_processes.KINDS)
    return {
        **{kind.name: _growing(kind, growth) for kind in kinds},
        "tournaments": by_tournaments,
        "partitions": by_partitions,
        "copies": by_brokers,
    }


def _growing(kind: Kind, growth: Growth) -> Part:
    def rows(servers: Servers, folder: Path) -> Table:
        usual = servers.broker
        servers.broker = replace(usual, partitions=_USUAL_PARTITIONS)
        yield from by_count(kind, servers, folder, growth)
        servers.broker = usual

    return rows


def _record(name: str, rows: Table) -> None:
    told = []
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)
        told.append(row)
    record_table(name, told[0], told[1:])


def _rate(work: Work) -> str:
    """Units a second, the median of a few turns."""
    turns = []
    for _ in range(_TURNS):
        done = work()
        assert isinstance(done, tuple)
        turns.append(done[0] / done[1])
    return f"{median(turns):,.0f}"


def by_tournaments(servers: Servers, folder: Path) -> Table:
    """Append, relay and follow while work goes round many tournaments; what a process that holds all of them takes."""
    yield ("tournaments", "append/s", "relay/s", "follow/s", "start-up s", "MiB", "table ms", "view ms")
    for count in COUNTS:
        append = _rate(committing.ours(servers, count))
        relay = _rate(relaying.ours(servers, count))
        each = following.TOTAL // count
        following.fill(servers, count, each)
        follow = _rate(following.ours(servers, count * each))
        yield (f"{count:,}", append, relay, follow, *start_up(servers, count))


def by_partitions(servers: Servers, folder: Path) -> Table:
    yield ("partitions", "relay/s", "follow/s")
    usual = servers.broker
    for count in PARTITIONS:
        servers.broker = replace(usual, partitions=count)
        yield (str(count), *_moved(servers))
    servers.broker = usual


def by_brokers(servers: Servers, folder: Path) -> Table:
    """One copy on one broker of three, and three copies of which two must confirm."""
    yield ("copies on 3 brokers, of which must confirm", "relay/s", "follow/s")
    with joined(servers.kafka, folder):
        for copies, confirmed in ((1, 1), (3, 2)):
            servers.broker = replace(servers.broker, replication=copies, min_insync=confirmed)
            yield (f"{copies}, {confirmed}", *_moved(servers))


def _moved(servers: Servers) -> tuple[str, str]:
    relay = _rate(relaying.ours(servers))
    following.fill(servers)
    return relay, _rate(following.ours(servers))


if __name__ == "__main__":
    sys.exit(main())
