"""``python -m tests.pairings.compare PROGRAM [N] [first seed]``: N tournaments paired by bbpPairings too; 1 where one differs.

``python -m tests.pairings.compare PROGRAM record``: its answers to the tournaments of the table are written anew.
"""

import json
import sys
from collections import Counter
from pathlib import Path

from services.pairing.rules.engines import gacrux
from services.pairing.rules.engines.board_order import board_order
from tests.pairings.second_program import ANSWERS, BYE_TO_WHO_MAY_NOT, accelerated, answer, difference, inputs, states

RECORDED = range(1, 81)
"""The seeds of the tournaments whose answers are kept."""


def main() -> int:
    program = Path(sys.argv[1])
    if sys.argv[2:] == ["record"]:
        return record(program)
    wanted, first = (int(number) for number in (*sys.argv[2:], *("2000", "1")[len(sys.argv) - 2 :]))
    count: Counter[str] = Counter()
    for seed in range(first, first + wanted):
        for state in (*states(seed), *accelerated(seed)):
            count["rounds"] += 1
            found = difference(state, answer(program, state))
            if found is not None:
                count[found if found == BYE_TO_WHO_MAY_NOT else "differ"] += 1
                print(found, flush=True)
        for start in inputs(seed):
            count["matched"] += 1
            if gacrux.pair(start) != _by_networkx(start):
                count["differ"] += 1
                print(
                    f"seed {seed}, round {start.round}: the compiled matching pairs otherwise than networkx", flush=True
                )
    print(f"{wanted} tournaments: " + ", ".join(f"{name} {number}" for name, number in sorted(count.items())))
    return bool(count["differ"])


def record(program: Path) -> int:
    """Write the table of answers."""
    table = {
        seed: [state.digest(answer(program, state)) for state in (*states(seed), *accelerated(seed))]
        for seed in RECORDED
    }
    ANSWERS.write_text(json.dumps(table, indent=0) + "\n", encoding="ascii")
    return 0


def _by_networkx(start: gacrux.PairingInput) -> object:
    pairs = gacrux.pair_in_own_order(start)
    return board_order(start, pairs) if isinstance(pairs, list) else pairs


if __name__ == "__main__":
    sys.exit(main())
