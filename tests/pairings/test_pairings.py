"""Simulated competitions of every format: no illegal round, nobody forgotten, no refusal where there is a round."""

from tests.pairings.tournament import KINDS, simulated


def test_two_hundred_competitions_are_paired_without_fault() -> None:
    outcomes = [simulated(seed) for seed in range(1, 201)]
    assert [wrong for one in outcomes for wrong in one.wrong] == []
    assert {one.kind for one in outcomes} == {kind.name for kind in KINDS}
    assert sum(one.boards for one in outcomes) > 3000


def test_where_somebody_may_meet_nobody_of_his_bracket_there_is_a_refusal_and_no_crash() -> None:
    outcome = simulated(218)
    assert outcome.wrong == [] and outcome.refusals["no-legal-pairing"] == 1
