"""``python -m tests.verifiers N SEED``: compare the verifiers on N mutants, and on tables of N / 5 random events of each kind."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.foreign import build
from tests.verifiers.campaign import compare
from tests.verifiers.page_tables import compare as compare_on_page
from tests.verifiers.page_tables import tiebreak_log
from tests.verifiers.tables import RANKED, compare_tables


def main(number: int, seed: int) -> int:
    with TemporaryDirectory() as folder:
        verifier = build.verifier(Path(folder))
        outcome = compare(range(seed, seed + number), verifier, Path(folder) / "cases")
        events = range(seed, seed + number // 5)
        tables = compare_tables(events, verifier, Path(folder))
        ranked = compare_on_page([tiebreak_log(n) for n in events], Path(folder))
    for one in outcome.differences:
        print(f"command {one.command}, page {one.page}, Go program {one.go}: {one.done}")
    differences = [*tables.differences, *ranked.differences]
    print("\n".join(differences))
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(outcome.verdicts.items()))
    print(f"{number} mutants: {counts}; {len(outcome.differences)} judged differently")
    print(", ".join(f"{name}: {tables.counts[name]}" for name in RANKED))
    print(f"{tables.tables} tables of {len(events)} events; {ranked.counts['equal']} on the page by all tie-breaks")
    print(f"{len(differences)} derived differently")
    return 1 if outcome.differences or differences else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
