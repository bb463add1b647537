"""Simulated competitions of every format: no illegal round, nobody forgotten, no refusal where there is a round."""

from tests.pairings.tournament import KINDS, simulated


def test_two_hundred_competitions_are_paired_without_fault() -> None:
    outcomes = [simulated(seed) for seed in range(1, 201)]
    assert [wrong for one in outcomes for wrong in one.wrong] == []
    assert {one.kind for one in outcomes} == {kind.name for kind in KINDS}
    assert sum(one.boards for one in outcomes) > 3000
