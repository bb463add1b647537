"""How a benchmark is measured: ours and a floor in turn, in one run, the best of each."""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass

Work = Callable[[], int | tuple[int, float]]


@dataclass(frozen=True, slots=True)
class Ratio:
    """Work per second of ours and of the floor, in ``unit``; ``required`` is what the project promises."""

    name: str
    ours: float
    floor: float
    unit: str
    required: float

    @property
    def ratio(self) -> float:
        return self.ours / self.floor

    def __str__(self) -> str:
        verdict = "" if self.ratio >= self.required else f"   BELOW {self.required}"
        return f"{self.name:<44} {self.ratio:7.3f} {self.ours:12,.0f} {self.floor:12,.0f} {self.unit}{verdict}"


def rate(work: Work) -> float:
    """Units a second of one call; ``work`` returns how many units it did.

    Work with a set-up of its own measures itself, and returns the seconds too.
    """
    gc.collect()
    start = time.perf_counter()
    done = work()
    if isinstance(done, tuple):
        return done[0] / done[1]
    return done / (time.perf_counter() - start)


def compare(name: str, unit: str, required: float, ours: Work, floor: Work, rounds: int = 3) -> Ratio:
    """Ours against its floor, turn by turn, so that a machine that drifts drifts for both."""
    ours_best = floor_best = 0.0
    for _ in range(rounds):
        floor_best = max(floor_best, rate(floor))
        ours_best = max(ours_best, rate(ours))
    return Ratio(name, ours_best, floor_best, unit, required)
