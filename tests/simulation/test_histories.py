"""After any simulated faults, acknowledged events are in every ledger once, in one order, or a loss is reported.

The history of one seed: ``python -m tests.simulation 1 SEED``. More of them: ``make campaign NAME=simulation N=100000``.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation import seams
from tests.simulation.campaign import play_one, told

HISTORIES, PARTS = 1000, 10
FIRST = 1


@pytest.mark.parametrize("part", range(PARTS))
def test_simulated_histories_hold(part):
    seeds = range(FIRST + part, FIRST + HISTORIES, PARTS)
    with seams.seams():
        failed = next((played for played in map(play_one, seeds) if played.problems), None)
    assert failed is None, "\n".join(told(failed.seed))


def test_one_seed_is_one_history():
    with seams.seams():
        first, other, again = play_one(7), play_one(8), play_one(7)
    assert first.digest == again.digest != other.digest


def test_one_seed_is_one_history_under_other_hash_seeds():
    program = "from tests.simulation.campaign import _share; print([played.digest for played in _share([7, 12, 20])])"
    root = Path(__file__).parents[2]
    told = {
        subprocess.run(
            [sys.executable, "-c", program], cwd=root, env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(told) == 1
