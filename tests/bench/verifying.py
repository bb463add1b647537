"""The audit of a federation's year, by ``arbiter verify FOLDER``: each pairing, ruling and table is recomputed.

``python -m tests.bench.verifying [TOURNAMENTS]`` measures some of the 10,000 tournaments, by default 500, and extrapolates to
all of them. The start of the command is not multiplied: the same command of a few logs is subtracted first.
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from nacl.bindings import crypto_sign, crypto_sign_keypair, crypto_sign_open

from tests.bench.federation_year import YEAR, year_folder
from tests.bench.measure import HEAD, Ratio

MEASURED = 500
"""Tournaments that are audited."""
_FEW = 20
"""Tournaments of the run that is subtracted."""
CHECKS = 4_000_000
"""Signature checks by libsodium that may take as long as the year on each of two cores. The profile is in scale.md."""
_CHECKED = 5_000
"""Signature checks that are timed in each turn."""
_TURNS = 3


class Cost(NamedTuple):
    """The cost of one command, with its processes: seconds of the clock and of CPU."""

    seconds: float
    cpu: float


def benchmarks() -> Iterator[Ratio]:
    yield _year(MEASURED)


def _year(tournaments: int) -> Ratio:
    """Return the seconds of CPU for the year, shared by two cores, against those of `CHECKS` signature checks.

    The clock depends on the other work of the machine, and is only printed.
    """
    few, many = year_folder(_FEW), year_folder(tournaments)
    turns, bounds = list[float](), list[float]()
    for _ in range(_TURNS):
        bounds.append(CHECKS * _check_seconds())
        start, whole = _verify(few), _verify(many)
        per_log = Cost(*((b - a) / (tournaments - _FEW) for a, b in zip(start, whole, strict=True)))
        turns.append((start.cpu + per_log.cpu * (YEAR - _FEW)) / 2)
        clock = start.seconds + per_log.seconds * (YEAR - _FEW)
        print(
            f"{tournaments} logs: {whole.seconds:.1f} s, {whole.cpu:.1f} s of CPU; a log {per_log.cpu * 1000:.1f} ms of CPU; "
            f"the year by the clock of {_cores()} cores {clock:.0f} s",
            file=sys.stderr,
        )
    name = f"audit of a year, {YEAR:,} logs ({tournaments} measured)"
    ratios = tuple(bound / seconds for bound, seconds in zip(bounds, turns, strict=True))
    return Ratio(name, median(turns), median(bounds), "s of CPU a core, bound", 1, ratios)


def _check_seconds() -> float:
    """Return the seconds of CPU that libsodium takes to check one signature."""
    public, secret = crypto_sign_keypair()
    signed = crypto_sign(b"x" * 32, secret)
    began = time.process_time()
    for _ in range(_CHECKED):
        crypto_sign_open(signed, public)
    return (time.process_time() - began) / _CHECKED


def _verify(folder: Path) -> Cost:
    arbiter = Path(sys.executable).parent / "arbiter"
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    ran = subprocess.run([arbiter, "verify", folder], capture_output=True, text=True, check=False)
    seconds, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return Cost(seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _cores() -> int:
    return len(os.sched_getaffinity(0))


if __name__ == "__main__":
    print(HEAD)
    print(_year(int(sys.argv[1]) if len(sys.argv) > 1 else MEASURED))
