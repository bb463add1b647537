"""`make bench`: one line a benchmark, each ratio from one run. Exit 1 where a promise is not kept."""

import signal
import sys

from tests.bench import (
    auditing,
    dearest,
    distributed,
    feeding,
    http_write,
    live_hall,
    pairing,
    ranking,
    reading,
    replaying,
    signing,
    writing,
    xiangqi,
)
from tests.bench.measure import HEAD


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # What was started is ended then, too.
    print(HEAD)
    kept = True
    for module in (
        replaying,
        writing,
        signing,
        http_write,
        feeding,
        live_hall,
        distributed,
        ranking,
        pairing,
        reading,
        dearest,
        xiangqi,
        auditing,
    ):
        for ratio in module.benchmarks():
            print(ratio, flush=True)
            kept = kept and ratio.ratio >= ratio.required
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
