"""``python -m tests.verifiers N SEED``: compare the three verifiers on N mutants."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.foreign import build
from tests.verifiers.campaign import compare


def main(number: int, seed: int) -> int:
    with TemporaryDirectory() as folder:
        outcome = compare(range(seed, seed + number), build.verifier(Path(folder)), Path(folder) / "cases")
    for one in outcome.differences:
        print(f"command {one.command}, page {one.page}, Go program {one.go}: {one.done}")
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(outcome.verdicts.items()))
    print(f"{number} mutants: {counts}; {len(outcome.differences)} judged differently")
    return 1 if outcome.differences else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
