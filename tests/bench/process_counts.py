"""The same work by 1, 2 and 4 processes: each held to a share of a core, and one and two of them without limit."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tests.log.distributed import Servers

SHARE = 0.2
REQUIRED = {1: 1.0, 2: 1.8, 4: 3.2}
"""Number of processes → at least so many times the work of one."""
DEAREST = 1.15
"""The CPU of a unit of work by two processes is at most so many times that by one."""
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
    """Yield a row for each number of processes: their rate and ratio under the limit, and their CPU per unit without it."""

    def measured(count: int, part: float | None) -> Measured:
        return kind.measure(servers, folder / f"{kind.name}{next(_NUMBERS)}", count, part)

    yield (
        kind.name,
        f"{kind.unit}/s, {SHARE:g} core each",
        "ratio",
        f"CPU ms per {kind.unit[:-1]}, bare cores",
        "ratio",
    )
    first, bare = Measured(0, 0), {count: measured(count, None) for count in (1, 2)}
    for count, required in REQUIRED.items():
        held = measured(count, SHARE)
        first = held if count == 1 else first
        ratio = held.rate / first.rate
        growth.require(ratio >= required, f"{count} {kind.name} do {ratio:.2f} times the work of one, not {required}")
        cpu = ("", "") if count not in bare else (f"{bare[count].cpu:.2f}", f"{bare[count].cpu / bare[1].cpu:.2f}")
        yield (str(count), f"{held.rate:,.0f}", f"{ratio:.2f}", *cpu)
    dearer = bare[2].cpu / bare[1].cpu
    growth.require(dearer <= DEAREST, f"a unit costs two {kind.name} {dearer:.2f} times the CPU of one, not {DEAREST}")
