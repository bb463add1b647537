"""`make bench`: one line a benchmark, each ratio from one run. Exit 1 where a promise is not kept."""

import sys

from tests.bench import http_write, replaying, writing


def main() -> int:
    print(f"{'name':<44} {'ratio':>7} {'ours':>12} {'floor':>12} unit")
    kept = True
    for module in (replaying, writing, http_write):
        for ratio in module.benchmarks():
            print(ratio, flush=True)
            kept = kept and ratio.ratio >= ratio.required
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
