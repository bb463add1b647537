"""How a benchmark is measured: ours and a floor in turn, in one run; the median of the turns, and how far they lie."""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

Work = Callable[[], int | tuple[int, float]]
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Ratio:
    """Ours and the floor, in ``unit``; ``turns`` are the ratios of each turn, ``required`` what the project promises.

    Where less is better (a latency) nothing is promised: ``required`` is 0.
    """

    name: str
    ours: float
    floor: float
    unit: str
    required: float
    turns: tuple[float, ...]

    @property
    def ratio(self) -> float:
        return median(self.turns)

    def __str__(self) -> str:
        verdict = "" if self.ratio >= self.required else f"   BELOW {self.required}"
        spread = f"{min(self.turns):.2f}-{max(self.turns):.2f}"
        figures = f"{self.ratio:7.3f} {spread:>11} {_figure(self.ours):>10} {_figure(self.floor):>10}"
        return f"{self.name:<48} {figures} {self.unit}{verdict}"


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


HEAD = f"{'name':<48} {'ratio':>7} {'from-to':>11} {'ours':>10} {'floor':>10} unit"


def rate(work: Work, clock: Clock = time.perf_counter) -> float:
    """Units a second of one call; ``work`` returns how many units it did.

    Work with a set-up of its own measures itself, and returns the seconds too.
    """
    gc.collect()
    start = clock()
    done = work()
    if isinstance(done, tuple):
        return done[0] / done[1]
    return done / (clock() - start)


def compare(
    name: str, unit: str, required: float, ours: Work, floor: Work, rounds: int = 5, clock: Clock = time.perf_counter
) -> Ratio:
    """Ours against its floor, turn by turn, so that a machine that drifts drifts for both."""
    turns = []
    for _ in range(rounds):
        low = rate(floor, clock)
        turns.append((rate(ours, clock), low))
    return of_turns(name, unit, required, turns)


def compare_cpu(name: str, unit: str, required: float, ours: Work, floor: Work, rounds: int = 5) -> Ratio:
    """As `compare`, in seconds of CPU of this process: for what only computes, whoever else computes meanwhile."""
    return compare(name, unit, required, ours, floor, rounds, time.process_time)


def of_turns(name: str, unit: str, required: float, turns: list[tuple[float, float]]) -> Ratio:
    """The ratio of turns measured elsewhere, each (ours, floor)."""
    ours, floor = (median(turn[i] for turn in turns) for i in (0, 1))
    return Ratio(name, ours, floor, unit, required, tuple(high / low for high, low in turns))
