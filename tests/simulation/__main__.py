"""Plays simulated histories: ``python -m tests.simulation [N] [SEED]``, or ``make campaign NAME=simulation N=100000``.

It stops at the first history that fails, and prints it. ``N=1`` prints the history of that seed in any case. Others are
recorded in deploy/docs/figures.json if all hold.
"""

import sys

from tests.figures.pages import write_pages
from tests.figures.store import record_campaign
from tests.simulation.campaign import play_many, told

_TOLD = 1000


def main(count: int = 1000, first: int = 1) -> int:
    """Play ``count`` histories. Return 1 if one fails."""
    if count == 1:
        lines = told(first)
        print("\n".join(lines))
        return int(lines[-1].startswith("wrong:"))
    for played in play_many(first, count):
        if played.problems:
            print(f"The history of seed {played.seed} fails:")
            print("\n".join(told(played.seed)))
            print(f"Play it again: python -m tests.simulation 1 {played.seed}")
            return 1
        if (number := played.seed - first + 1) % _TOLD == 0:
            print(f"{number} of {count} histories hold", flush=True)
    print(f"{count} histories from seed {first}: nothing acknowledged was lost, doubled, reordered or unnoticed")
    record_campaign("simulation", count, first, 0)
    write_pages()
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
