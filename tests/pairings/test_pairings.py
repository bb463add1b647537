"""Simulated competitions of every format: no illegal round, nobody forgotten, no refusal where there is a round."""

import pytest

from tests.pairings.tournament import KINDS, simulated


def test_two_hundred_competitions_are_paired_without_fault() -> None:
    outcomes = [simulated(seed) for seed in range(1, 201)]
    assert [wrong for one in outcomes for wrong in one.wrong] == []
    assert {one.kind for one in outcomes} == {kind.name for kind in KINDS}
    assert sum(one.boards for one in outcomes) > 3000


RARE = (209, 218, 221, 344, 395, 469, 538, 649, 2832, 2956, 7515, 11573)
"""Seeds of what none of the first two hundred comes to: a Dutch Swiss of either edition, and one of two games, without a legal
pairing (somebody may meet nobody of his bracket), groups that became too small, a match drawn to its end, two finalists who
both left."""


@pytest.mark.parametrize("seed", RARE)
def test_rare_competitions_end_without_fault(seed: int) -> None:
    assert simulated(seed).wrong == []


def test_where_somebody_may_meet_nobody_of_his_bracket_there_is_a_refusal_and_no_crash() -> None:
    for seed in (218, 344, 469):
        assert simulated(seed).refusals["no-legal-pairing"] == 1
