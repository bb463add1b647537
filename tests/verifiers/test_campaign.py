"""A share of the campaign: the three programs give one verdict on each mutant (`make campaign NAME=verifiers`)."""

import pytest

from tests.foreign import build
from tests.verifiers.campaign import compare
from tests.verifiers.mutations import MUTATIONS, mutant

MUTANTS = 300


@pytest.mark.xdist_group("go")
def test_the_three_verifiers_give_one_verdict_on_each_mutant(tmp_path):
    outcome = compare(range(1, MUTANTS + 1), build.verifier(tmp_path), tmp_path / "cases")
    assert outcome.differences == []
    assert set(outcome.verdicts) == {"agrees", "differs", "incomplete", "unreadable"}, "the mutants have every verdict"


def test_mutants_are_the_same_for_the_same_seed_and_use_every_mutation():
    mutants = [mutant(seed) for seed in range(200)]
    assert mutants[7] == mutant(7)
    assert all(any(name in one.done for one in mutants) for name in MUTATIONS)
