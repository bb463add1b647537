"""The same work by 1, 2 and 4 processes: each held to a share of a core, and one and two of them without limit."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.log.distributed import Servers

SHARE = 0.2
REQUIRED = {1: 1.0, 2: 1.8, 4: 3.2}
"""Number of processes → the least multiple of the work of one that they must do."""
DEAREST = 1.15
"""The CPU of a unit of work by two processes, as a multiple of that by one, is at most this."""
_HELD = 1.15
"""Part of its share that a process may seem to have taken: the kernel counts in ticks, and a period may begin before the time."""
TURNS = 3
_NUMBERS = iter(range(1000))


class Measured(NamedTuple):
    """Units per second, and the processes' own CPU per unit in milliseconds."""

    rate: float
    cpu: float


class Kind(NamedTuple):
    """A kind of process: ``name``, the ``unit`` of its work, and what measures ``count`` of them held to a ``part`` of a core."""

    name: str
    unit: str
    measure: Callable[[Servers, Path, int, float | None], Measured]


@dataclass
class Growth:
    """The promises that were not kept."""

    broken: list[str] = field(default_factory=list)

    def require(self, kept: bool, sentence: str) -> None:
        if not kept:
            self.broken.append(f"NOT KEPT: {sentence}")


def by_count(kind: Kind, servers: Servers, folder: Path, growth: Growth) -> Iterator[tuple[str, ...]]:
    """Yield a row for each number of processes: rate, ratio and used share under the limit, and CPU per unit without it.

    A turn measures every number, so that a machine that drifts drifts for all. Figures are medians of the turns.
    """

    def turn(counts: Iterable[int], part: float | None) -> dict[int, Measured]:
        return {n: kind.measure(servers, folder / f"{kind.name}{next(_NUMBERS)}", n, part) for n in counts}

    yield (
        kind.name,
        f"{kind.unit}/s, {SHARE:g} core each",
        "ratio",
        "of the share used",
        "CPU ms each, bare cores",
        "ratio",
    )
    held, bare = ([turn(counts, part) for _ in range(TURNS)] for counts, part in ((REQUIRED, SHARE), ((1, 2), None)))
    for n, required in REQUIRED.items():
        rate, ratio = median(one[n].rate for one in held), median(one[n].rate / one[1].rate for one in held)
        used = median(one[n].rate * one[n].cpu / 1000 for one in held) / n / SHARE
        assert used < _HELD, f"{n} {kind.name} took {used:.0%} of their share, so it was not held"
        growth.require(ratio >= required, f"{n} {kind.name} do {ratio:.2f} times the work of one, not {required}")
        cpu = ("", "")
        if n in bare[0]:
            dearer = median(one[n].cpu / one[1].cpu for one in bare)
            growth.require(dearer <= DEAREST, f"a unit costs {n} {kind.name} {dearer:.2f} times the CPU of one")
            cpu = (f"{median(one[n].cpu for one in bare):.2f}", f"{dearer:.2f}")
        yield (str(n), f"{rate:,.0f}", f"{ratio:.2f}", f"{used:.0%}", *cpu)
