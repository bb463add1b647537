"""Play histories, print what they contained and record the figures: ``python -m tests.metamorphic NUMBER [SEED]``."""

import sys
from concurrent.futures import ProcessPoolExecutor
from os import cpu_count

from tests.figures.pages import write_pages
from tests.figures.store import record_campaign
from tests.metamorphic.campaign import Outcome, campaign

CHUNK = 250


def main(number: int, first: int) -> int:
    whole, chunks = Outcome(), [range(n, min(n + CHUNK, first + number)) for n in range(first, first + number, CHUNK)]
    with ProcessPoolExecutor(cpu_count()) as pool:
        for outcome in pool.map(campaign, chunks):
            whole.add(outcome)
            print(f"{whole.histories} histories, {len(whole.differences)} differences", file=sys.stderr, flush=True)
    for name, count in sorted(whole.counts.items()):
        print(f"{count:8} {name}")
    print("\n".join(whole.differences))
    print(f"{whole.histories} histories, {len(whole.differences)} differences")
    compared = {name.replace(" ", "_"): whole.counts[name] for name in ("annulled at once", "removed from the log")}
    record_campaign("histories", whole.histories, first, len(whole.differences), **compared)
    write_pages()
    return bool(whole.differences)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
