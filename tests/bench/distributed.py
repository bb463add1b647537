"""What the distributed system costs, on a real Kafka and a real PostgreSQL started for it."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench import committing, following, relaying, reported
from tests.bench.measure import Ratio
from tests.log.distributed import Servers
from tests.stack import kafka, postgres


def lacking() -> list[str]:
    """What this machine lacks for them."""
    return [lack for lack in (kafka.missing(), postgres.missing()) if lack is not None]


@contextmanager
def servers(folder: Path) -> Iterator[Servers]:
    """A cluster and a broker, whose files lie in ``folder``."""
    database, broker = postgres.Postgres(folder / "postgres"), kafka.Kafka(folder)
    try:
        database.start()
        broker.start()
        yield Servers(database, broker)
    finally:
        broker.end()
        database.end()


def benchmarks() -> Iterator[Ratio]:
    """Raises RuntimeError in CI (``CI`` set) where something is missing; elsewhere it is told, and nothing measured."""
    lacks = lacking()
    if lacks and os.environ.get("CI"):
        raise RuntimeError(f"in CI nothing is skipped: {'; '.join(lacks)}")
    if lacks:
        print(f"NOT MEASURED HERE, the lines of the distributed system: {'; '.join(lacks)}", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-") as folder, servers(Path(folder)) as running:
        for module in (committing, relaying, following):
            yield from module.benchmarks(running)
    yield from reported.benchmarks()
