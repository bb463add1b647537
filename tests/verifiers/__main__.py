"""``python -m tests.verifiers N SEED``: compare the three verifiers on N mutants, and the tables of N / 5 random events."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.foreign import build
from tests.verifiers.campaign import compare
from tests.verifiers.tables import RANKED, compare_tables


def main(number: int, seed: int) -> int:
    with TemporaryDirectory() as folder:
        verifier = build.verifier(Path(folder))
        outcome = compare(range(seed, seed + number), verifier, Path(folder) / "cases")
        tables = compare_tables(range(seed, seed + number // 5), verifier, Path(folder))
    for one in outcome.differences:
        print(f"command {one.command}, page {one.page}, Go program {one.go}: {one.done}")
    print("\n".join(tables.differences))
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(outcome.verdicts.items()))
    print(f"{number} mutants: {counts}; {len(outcome.differences)} judged differently")
    print(", ".join(f"{name}: {tables.counts[name]}" for name in RANKED))
    print(f"{tables.tables} tables of {number // 5} events; {len(tables.differences)} derived differently")
    return 1 if outcome.differences or tables.differences else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
