"""`make bench`: one line per benchmark, each ratio from one run. Exit 1 if a promise is not kept.

``python -m tests.bench ranking replaying`` runs these modules only. Each ratio is recorded in deploy/docs/figures.json, from
which the page deploy/docs/performance.md is written.
"""

import signal
import sys

from tests.bench import (
    auditing,
    crowding,
    dearest,
    distributed,
    feeding,
    hall_entry,
    http_write,
    live_hall,
    pairing,
    ranking,
    reading,
    replaying,
    screens,
    signing,
    verifying,
    writing,
    xiangqi,
)
from tests.bench.measure import HEAD
from tests.figures.pages import write_pages
from tests.figures.store import record_ratio

MODULES = (
    replaying,
    verifying,
    writing,
    signing,
    http_write,
    feeding,
    live_hall,
    hall_entry,
    screens,
    distributed,
    ranking,
    pairing,
    reading,
    dearest,
    xiangqi,
    auditing,
    crowding,
)


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # What was started is ended then, too.
    print(HEAD)
    kept, wanted = True, sys.argv[1:]
    for module in MODULES:
        if wanted and module.__name__.rpartition(".")[2] not in wanted:
            continue
        for ratio in module.benchmarks():
            print(ratio, flush=True)
            record_ratio(ratio)
            kept = kept and ratio.ratio >= ratio.required
    write_pages()
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
