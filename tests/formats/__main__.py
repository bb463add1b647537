"""Play random competitions beside the second implementation and record the figures: ``python -m tests.formats NUMBER [SEED]``."""

import sys
from concurrent.futures import ProcessPoolExecutor
from os import cpu_count

from tests.figures.pages import write_pages
from tests.figures.store import record_campaign
from tests.formats.matrix import Ran, play_all, sample, table

CHUNK = 50


def main(number: int, first: int) -> int:
    whole, chunks = Ran(), [range(n, min(n + CHUNK, first + number)) for n in range(first, first + number, CHUNK)]
    with ProcessPoolExecutor(cpu_count()) as pool:
        for ran in pool.map(_play, chunks):
            whole.add(ran)
            played = sum(whole.histories.values())
            print(f"{played} competitions, {len(whole.wrong)} disagreements", file=sys.stderr, flush=True)
    print(table(whole))
    print("\n".join((*whole.wrong, f"{len(whole.wrong)} disagreements")))
    record_campaign("formats", number, first, len(whole.wrong), rounds=whole.rounds, outdated_bases=whole.settled)
    write_pages()
    return bool(whole.wrong)


def _play(numbers: range) -> Ran:
    return play_all(sample(numbers))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
