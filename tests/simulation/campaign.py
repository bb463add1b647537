"""Many histories: which of them fail, and why."""

import gc
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from os import cpu_count
from typing import NamedTuple

from tests.simulation import scheduler, seams
from tests.simulation.checks import check
from tests.simulation.history import play
from tests.simulation.opening import opening

_SHARE = 25
"""Histories that a process plays before it takes more."""


class Played(NamedTuple):
    """The result of one history."""

    seed: int
    problems: list[str]
    digest: str


def play_one(seed: int) -> Played:
    """Play and check the history of a seed. Call it within `seams.seams`."""
    try:
        problems = check(play(seed))
    except Exception as problem:
        problems = [f"{type(problem).__name__}: {problem}"]
    return Played(seed, problems, scheduler.current().digest())


def first_failure(seeds: Iterable[int]) -> tuple[int, list[str]] | None:
    """Return the first seed whose history fails, with its problems. Call it within `seams.seams`."""
    for seed in seeds:
        if problems := play_one(seed).problems:
            return seed, problems
    return None


def _share(seeds: list[int]) -> list[Played]:
    with seams.seams():
        opening()
        gc.collect()
        return [play_one(seed) for seed in seeds]


def play_many(first: int, count: int, processes: int | None = None) -> Iterator[Played]:
    """Play the histories of consecutive seeds on all cores, and yield their results in order."""
    shares = [list(range(n, min(n + _SHARE, first + count))) for n in range(first, first + count, _SHARE)]
    with ProcessPoolExecutor(processes or cpu_count(), get_context("forkserver")) as pool:
        for share in pool.map(_share, shares):
            yield from share


def told(seed: int) -> list[str]:
    """Play a history, and return its events as lines for readers, with the problems at the end."""
    with seams.seams():
        opening()
        played = play_one(seed)
        return [*scheduler.current().lines(), *(f"wrong: {problem}" for problem in played.problems)]
