"""The campaign: each mutant is given to the three programs, whose verdicts must be the same."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

from tests.verifiers.mutations import mutant
from tests.verifiers.programs import CaseVerdict, command, go_program, page, write

BATCH = 500
"""Cases for which each program is started once."""


class Difference(NamedTuple):
    """A mutant that the programs judge differently."""

    done: str
    command: CaseVerdict
    page: CaseVerdict
    go: CaseVerdict


class Outcome(NamedTuple):
    """The number of each common verdict, and the mutants with different ones."""

    verdicts: Counter[CaseVerdict]
    differences: list[Difference]


def compare(seeds: range, verifier: Path, folder: Path) -> Outcome:
    """Give the mutants of these seeds to the three programs."""
    verdicts: Counter[CaseVerdict] = Counter()
    differences = []
    for first in range(seeds.start, seeds.stop, BATCH):
        for one in _batch(range(first, min(first + BATCH, seeds.stop)), verifier, folder):
            if one.command == one.page == one.go:
                verdicts[one.command] += 1
            else:
                differences.append(one)
    return Outcome(verdicts, differences)


def _batch(seeds: range, verifier: Path, folder: Path) -> Iterator[Difference]:
    mutants = [mutant(seed) for seed in seeds]
    cases = [write(one.case, folder / str(seed)) for one, seed in zip(mutants, seeds, strict=True)]
    given = command(cases), page(cases), go_program(verifier)(cases)
    for one, *verdicts in zip(mutants, *given, strict=True):
        yield Difference(one.done, *verdicts)
    for case in cases:
        rmtree(case[0].parent)
