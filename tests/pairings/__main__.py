"""``python -m tests.pairings [N] [first seed]``: N competitions; 1 where anything was wrong."""

import sys
import time
from collections import Counter

from tests.pairings.tournament import simulated


def main() -> int:
    wanted, first = (int(said) for said in (*sys.argv[1:], *("2000", "1")[len(sys.argv) - 1 :]))
    began, wrong = time.perf_counter(), list[str]()
    count: Counter[str] = Counter()
    refusals: Counter[str] = Counter()
    rounds = boards = 0
    for seed in range(first, first + wanted):
        outcome = simulated(seed)
        count[outcome.kind] += 1
        refusals += outcome.refusals
        rounds, boards = rounds + outcome.rounds, boards + outcome.boards
        wrong += outcome.wrong
    for kind, number in sorted(count.items()):
        print(f"{number:6}  {kind}")
    print(f"{wanted:6}  competitions, {rounds} rounds, {boards} boards, {time.perf_counter() - began:.0f} s")
    print("        refused:", ", ".join(f"{code} {n}" for code, n in sorted(refusals.items())))
    for line in wrong[:50]:
        print(line)
    print(f"{len(wrong):6}  wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
