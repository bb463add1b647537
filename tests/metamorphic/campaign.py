"""Histories by the thousand: what they held, and where a relation failed."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.metamorphic.history import History
from tests.metamorphic.invariants import broken
from tests.metamorphic.relations import annulled_at_once, corrected_to_the_same, removed_from_the_log

STEPS = 24


@dataclass
class Outcome:
    """How many histories had each kind of event, and the differences, each with its seed."""

    histories: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def add(self, other: "Outcome") -> None:
        """Take another outcome in."""
        self.histories += other.histories
        self.counts += other.counts
        self.differences += other.differences


def play(seed: int) -> Outcome:
    """Play one history and check every relation in it."""
    history = History(seed)
    removed, found = [], []
    counts: Counter[str] = Counter({f"format: {history.kind.name}": 1, f"ruleset: {history.set}": 1})
    for n in range(STEPS):
        if not history.step():
            break
        if n % 4 == seed % 4:
            if (answer := annulled_at_once(history)) is not None:
                differences, events = answer
                counts["annulled at once"] += 1
                found += [f"seed {seed}, step {n}: annulled at once: {one}" for one in differences]
                removed += events
        elif n % 6 == 5 and (same := corrected_to_the_same(history)) is not None:
            counts["corrected to the same"] += 1
            found += [f"seed {seed}, step {n}: corrected to the same: {one}" for one in same]
        elif n % 3 == 2:
            found += [f"seed {seed}, step {n}: {one}" for one in broken(history)]
    found += [f"seed {seed}, at the end: {one}" for one in broken(history)]
    if removed and not found:
        counts["removed from the log"] += 1
        found += [f"seed {seed}: removed from the log: {one}" for one in removed_from_the_log(history, removed)]
    counts.update({name: 1 for name, number in history.counts.items() if number})
    return Outcome(1, counts, found)


def campaign(seeds: Iterable[int]) -> Outcome:
    """Play a history of each seed."""
    whole = Outcome()
    for seed in seeds:
        whole.add(play(seed))
    return whole
