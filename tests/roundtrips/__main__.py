"""Export random events and import them again: ``python -m tests.roundtrips NUMBER [SEED]``."""

import sys
from concurrent.futures import ProcessPoolExecutor
from os import cpu_count
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.roundtrips.events import Ran, hall, play

CHUNK = 25


def main(number: int, first: int) -> int:
    whole, last = Ran(), first + number
    chunks = [range(n, min(n + CHUNK, last)) for n in range(first, last, CHUNK)]
    with ProcessPoolExecutor(cpu_count()) as pool:
        for ran in pool.map(_play, chunks):
            whole.add(ran)
            print(f"{whole.events.total()} events, {len(whole.wrong)} wrong", file=sys.stderr, flush=True)
    print("\n".join(f"{name}: {count}" for name, count in sorted(whole.events.items())))
    print(f"the same table: {whole.same}; refused: {whole.refused}; rulings: {whole.rulings}")
    print("columns that differ and are named:", dict(whole.named))
    print("\n".join((*whole.wrong, f"{len(whole.wrong)} wrong")))
    return bool(whole.wrong)


def _play(seeds: range) -> Ran:
    ran = Ran()
    with TemporaryDirectory() as folder, hall(Path(folder) / "data") as callers:
        for seed in seeds:
            play(seed, callers, ran)
    return ran


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
