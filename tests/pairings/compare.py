"""``python -m tests.pairings.compare PROGRAM [N] [first seed]``: N tournaments paired by bbpPairings too; 1 where one differs.

``python -m tests.pairings.compare PROGRAM record``: its answers to the tournaments of the table are written anew.
``python -m tests.pairings.compare PROGRAM 2017 [N] [first seed]`` and ``… record 2017``: the same with a program that pairs by
the Dutch rules of 2017.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from services.pairing.rules.engine_adapters import gacrux_1_11_65 as gacrux
from services.pairing.rules.engine_adapters.record import PairingInput, board_order
from tests.pairings.second_program import (
    ANSWERS,
    ANSWERS_2017,
    BYE_TO_WHO_MAY_NOT,
    State,
    accelerated,
    answer,
    difference,
    inputs,
    of_2017,
    states,
)

RECORDED, RECORDED_2017 = range(1, 81), (*range(1, 41), 134)
"""The seeds of the tournaments whose answers are kept; in round 7 of 134 the bye decides who floats (C.7 of 2017)."""


def main() -> int:
    program, told = Path(sys.argv[1]), sys.argv[2:]
    old = "2017" in told
    if "record" in told:
        return record(program, old)
    numbers = [number for number in told if number != "2017"]
    wanted, first = (int(number) for number in (*numbers, *("2000", "1")[len(numbers) :]))
    count: Counter[str] = Counter()
    for seed in range(first, first + wanted):
        for state in of_2017(seed) if old else _of_2026(seed):
            count["rounds"] += 1
            found = difference(state, answer(program, state))
            if found is not None:
                count[found if found == BYE_TO_WHO_MAY_NOT else "differ"] += 1
                print(found, flush=True)
        for start in () if old else inputs(seed):
            count["matched"] += 1
            if gacrux.pair(start) != _by_networkx(start):
                count["differ"] += 1
                print(
                    f"seed {seed}, round {start.round}: the compiled matching pairs otherwise than networkx", flush=True
                )
    print(f"{wanted} tournaments: " + ", ".join(f"{name} {number}" for name, number in sorted(count.items())))
    return bool(count["differ"])


def record(program: Path, old: bool) -> int:
    """Write the table of answers; ``old``: by the rules of 2017."""
    seeds, states_of = (RECORDED_2017, of_2017) if old else (RECORDED, _of_2026)
    table = {seed: [state.digest(answer(program, state)) for state in states_of(seed)] for seed in seeds}
    (ANSWERS_2017 if old else ANSWERS).write_text(json.dumps(table, indent=0) + "\n", encoding="ascii")
    return 0


def _of_2026(seed: int) -> Iterator[State]:
    yield from states(seed)
    yield from accelerated(seed)


def _by_networkx(start: PairingInput) -> object:
    return board_order(start, gacrux.pair_in_own_order(start))


if __name__ == "__main__":
    sys.exit(main())
