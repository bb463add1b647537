"""The Dutch Swiss as another program pairs it, and its matching beside networkx."""

import json
from dataclasses import replace
from random import Random

import networkx
import pytest

from services.pairing.rules.engine_adapters import gacrux_1_11_65 as gacrux
from services.pairing.rules.engine_adapters.gacrux_1_11_65 import compiled_matching, opening_pairs
from services.pairing.rules.engine_adapters.record import PairingInput, PlayerRecord, board_order
from shared.core.terms import HalfPoints, PlayerId
from tests.pairings.second_program import ANSWERS, ANSWERS_2017, accelerated, inputs, of_2017, states

RECORDED, RECORDED_2017 = (json.loads(answers.read_text("ascii")) for answers in (ANSWERS, ANSWERS_2017))


@pytest.mark.parametrize("decade", range(8))
def test_pairs_colours_and_boards_are_those_that_bbppairings_answered(decade: int) -> None:
    for seed in list(RECORDED)[decade::8]:
        found = [state.digest(state.ours) for state in (*states(int(seed)), *accelerated(int(seed)))]
        assert found == RECORDED[seed], seed


@pytest.mark.parametrize("half", range(2))
def test_rounds_of_events_before_2026_are_those_that_it_answered_when_it_paired_by_the_rules_of_2017(half: int) -> None:
    for seed in list(RECORDED_2017)[half::2]:
        assert [state.digest(state.ours) for state in of_2017(int(seed))] == RECORDED_2017[seed], seed


def test_the_recorded_answers_are_of_a_thousand_rounds_half_of_them_accelerated() -> None:
    assert sum(len(answers) for answers in RECORDED.values()) > 600
    assert sum(len(answers) for answers in RECORDED_2017.values()) > 350


def test_the_compiled_matching_pairs_a_round_as_networkx_does() -> None:
    for seed in range(101, 109):
        for start in inputs(seed):
            pairs = gacrux.pair_in_own_order(start)
            assert gacrux.pair(start) == board_order(start, pairs), (seed, start.round)


@pytest.mark.parametrize("size", range(2, 34))
def test_a_round_of_players_who_have_not_played_is_what_gacrux_makes_of_it(size: int) -> None:
    chance = Random(size)
    numbers, score = sorted(chance.sample(range(1, 3 * size), size)), HalfPoints(chance.choice((0, 1, -2)))
    players = tuple(
        PlayerRecord(PlayerId(1000 - n), n, score, "", (), (None, None), False, False, HalfPoints(size % 3))
        for n in numbers
    )
    for colour in ("white", "black"):
        start = PairingInput(1, 9, players, colour)
        pairs = gacrux.pair_in_own_order(start)
        assert opening_pairs(start) is not None
        assert gacrux.pair(start) == board_order(start, pairs)
        first, second = players[0].player, players[1].player
        assert opening_pairs(replace(start, forbidden=frozenset({(second, first)}))) is None
        barred = replace(players[0], bye_barred=True)
        assert opening_pairs(replace(start, players=(barred, *players[1:]))) is None


@pytest.mark.parametrize("widest", [1, 3, 100, 2**31, 2**32, 2**63, 2**300])
def test_the_compiled_matching_has_networkx_s_value(widest: int) -> None:
    for seed in range(70):
        chance = Random(seed)
        size = chance.randint(2, 24)
        graph = compiled_matching.Graph()
        pairs = [(a, b) for a in range(size) for b in range(a + 1, size) if chance.random() < 0.6]
        weights = {pair: chance.randint(0, widest) for pair in pairs}
        graph.add_weighted_edges_from([(a, b, weight) for (a, b), weight in weights.items()])
        other = networkx.Graph()
        other.add_weighted_edges_from((a, b, weight) for (a, b), weight in weights.items())
        ours = compiled_matching.min_weight_matching(graph)
        theirs = {(min(pair), max(pair)) for pair in networkx.min_weight_matching(other)}
        assert (len(ours), sum(weights[pair] for pair in ours)) == (
            len(theirs),
            sum(weights[pair] for pair in theirs),
        )


def test_of_nobody_there_is_no_pair() -> None:
    assert compiled_matching.min_weight_matching(compiled_matching.Graph()) == set()


def test_a_weight_below_nothing_is_refused() -> None:
    graph = compiled_matching.Graph()
    with pytest.raises(OverflowError):
        graph.add_weighted_edges_from([(1, 2, -1)])


def test_where_there_is_no_compiled_matching_networkx_pairs_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    start = next(iter(inputs(7)))
    compiled = gacrux.pair(start)
    monkeypatch.setattr(compiled_matching, "is_available", lambda: False)
    assert gacrux.pair(start) == compiled


@pytest.mark.parametrize(
    ("pairs", "boards"),
    [
        pytest.param([(3, 4), (1, 2)], [(1, 2), (3, 4)], id="the higher player's score"),
        pytest.param([(1, 5), (2, 3)], [(2, 3), (1, 5)], id="of equal ones the sum of both"),
        pytest.param([(6, 9), (8, 4), (3, 7)], [(3, 7), (8, 4), (6, 9)], id="of equal sums the higher player's number"),
        pytest.param([(5, 3), (1, 0), (2, 6)], [(2, 6), (5, 3), (1, 0)], id="the bye is last, whoever has it"),
        pytest.param(
            [(5, 11), (10, 6)], [(10, 6), (5, 11)], id="the number of the higher player, not the smaller number"
        ),
    ],
)
def test_boards_are_ordered_by_the_higher_player(pairs: list[tuple[int, int]], boards: list[tuple[int, int]]) -> None:
    """C.04.2, 3.6."""
    half_points = {1: 6, 2: 6, 3: 4, 4: 4, 5: 2, 6: 2, 7: 2, 8: 2, 9: 2, 10: 4, 11: 4}
    start = PairingInput(
        4,
        7,
        tuple(
            PlayerRecord(PlayerId(p), p, HalfPoints(score), "", (), (None, None), False, False)
            for p, score in half_points.items()
        ),
        "white",
    )
    assert board_order(start, [(PlayerId(w), PlayerId(b)) for w, b in pairs]) == boards
