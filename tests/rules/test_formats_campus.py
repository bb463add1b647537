"""The campus Swiss (000-A 瑞士制规则): by lot, then near in points, nobody twice, found as one matching."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.pairing.rules.formats.campus_swiss import (
    WHOLE,
    Contender,
    assign_colours,
    colour_wanted,
    costs,
    pair,
    sort_field,
)
from services.pairing.rules.formats.weighted_matching import best_pairs
from shared.core.rounds.stages import drawn_order
from shared.core.terms import HalfPoints, Refusal
from tests.rules.formats_story import CAMPUS, met, office, play_round
from tests.rules.pairing_story import seats
from tests.tiers import examples

LIMITS = CAMPUS.pairing
NONE: frozenset[tuple[int, int]] = frozenset()


def side(number, points=0, met=(), colours="", barred=False):
    return Contender(number, number, HalfPoints(points), HalfPoints(0), tuple(met), colours, barred)


def paired(*sides, forbidden=NONE):
    """The pairs as numbers, 0 for the bye."""
    found = pair(sort_field(sides), forbidden, LIMITS)
    assert not isinstance(found, Refusal), found
    return [(a.side, b.side if b else 0) for a, b in found]


# ---------------------------------------------------------------- round by round


def test_round_one_is_drawn_by_lot_and_the_seed_is_kept():
    club = office(7, "swiss", rounds=5)
    first = club.pair()
    assert first.seed == 7
    assert (first.engine.name, first.initial_colour) == ("rustworkx", "white")
    order = drawn_order(7, range(1, 8))
    assert seats(first) == [(order[0], order[1]), (order[2], order[3]), (order[4], order[5])]
    assert [s.player for s in first.byes] == [order[6]]
    assert order != tuple(range(1, 8))


def test_other_lots_make_another_round():
    drawn = {tuple(seats(office(8, "swiss", rounds=3).world.decide("/services/pairing", c).events[0])) for c in asked()}
    assert len(drawn) > 15


def asked() -> Iterator[object]:
    club = office(8, "swiss", rounds=3)
    return (club.by_engine(seed=seed) for seed in range(1, 21))


def test_from_round_two_on_points_decide_and_nothing_is_drawn():
    club = office(8, "swiss", rounds=3)
    play_round(club)
    second = club.pair()
    assert second.seed == 0
    won = {min(pair) for pair in met([club.t.current(1).event])}
    assert all((b.white in won) == (b.black in won) for b in second.boards)


def test_high_meets_high_and_nobody_twice():
    assert paired(side(1, 4, [2]), side(2, 4, [1]), side(3, 2), side(4, 2)) == [(1, 3), (2, 4)]
    assert paired(side(1, 4), side(2, 4), side(3, 2), side(4, 2)) == [(1, 2), (3, 4)]


def test_the_bye_goes_to_the_fewest_points_who_had_none():
    assert paired(side(1, 4), side(2, 2), side(3, 0))[-1] == (3, 0)
    assert paired(side(1, 4), side(2, 2), side(3, 0, barred=True))[-1] == (2, 0)


def test_the_bye_stays_low_even_if_the_others_are_then_farther_apart():
    """1 and 2 have met: a bye for 2 would leave one pair nearer, but 3 has fewer points."""
    assert (3, 0) in paired(side(1, 6, [2]), side(2, 2, [1]), side(3, 0), side(4, 1), side(5, 1))


def test_a_legal_round_is_found_where_pairing_from_the_top_runs_into_a_dead_end():
    """1-2, 3-4 first would leave 5 and 6, who have met."""
    sides = side(1, 8), side(2, 8), side(3, 6), side(4, 6), side(5, 0, [6]), side(6, 0, [5])
    assert paired(*sides) == [(1, 2), (3, 5), (4, 6)]


def test_criterion_3_rather_two_small_differences_than_a_large_one():
    sides = side(1, 4, [2]), side(2, 3, [1]), side(3, 2, [4]), side(4, 1, [3])
    assert paired(*sides) == [(1, 3), (2, 4)]


def test_criterion_4_the_top_groups_meet_inside_first():
    """Three of 4 points, two of 2, three of 0: one floats from each of the upper groups, and no one two groups down."""
    sides = [side(n, 4) for n in (1, 2, 3)] + [side(n, 2) for n in (4, 5)] + [side(n, 0) for n in (6, 7, 8)]
    assert paired(*sides) == [(1, 2), (3, 4), (5, 6), (7, 8)]


def test_criterion_6_who_wants_the_same_colour_does_not_meet_where_others_are_as_near():
    sides = side(1, 2, colours="w"), side(2, 2, colours="w"), side(3, 2, colours="b"), side(4, 2, colours="b")
    assert paired(*sides) == [(1, 3), (2, 4)]


def test_forbidden_pairs_do_not_meet():
    assert paired(side(1), side(2), side(3), side(4), forbidden=frozenset({(1, 2)})) == [(1, 3), (2, 4)]


# ---------------------------------------------------------------- colours


@pytest.mark.parametrize(
    ("one", "other", "white"),
    [
        ("", "", 1),
        ("w", "b", 2),
        ("b", "w", 1),
        ("w", "w", 2),
        ("b", "b", 1),
        ("wwb", "bww", 1),
        ("wbw", "bwb", 2),
        ("bww", "wwb", 2),
        ("ww", "w", 2),
        ("w", "ww", 1),
        ("bb", "", 1),
    ],
)
def test_colours_even_out_and_alternate(one, other, white):
    """002-X 13.3: who had White (先走) less often; then by the last round in which they differed."""
    first, _ = assign_colours(side(1, colours=one), side(2, colours=other), LIMITS)
    assert first.side == white


@pytest.mark.parametrize(
    ("colours", "wanted"), [("", ""), ("w", "b"), ("b", "w"), ("wb", "w"), ("wwb", "b"), ("bw", "b")]
)
def test_the_colour_wanted(colours, wanted):
    assert colour_wanted(side(1, colours=colours)) == wanted


def test_over_nine_rounds_colours_stay_within_the_limits():
    club = office(16, "swiss", rounds=9)
    rounds = [play_round(club) for _ in range(9)]
    games = met(rounds)
    assert len(games) == len(set(games)) == 72
    for player in range(1, 17):
        said = "".join(
            "w" if b.white == player else "b" for r in rounds for b in r.boards if player in (b.white, b.black)
        )
        assert abs(said.count("w") - said.count("b")) <= 2


# ---------------------------------------------------------------- refusals


def test_nobody_may_have_the_bye():
    found = pair(sort_field([side(n, barred=True) for n in (1, 2, 3)]), NONE, LIMITS)
    assert isinstance(found, Refusal)
    assert (found.code, str(found.detail)) == (
        "no-legal-pairing", "3 players are present, so one must have the bye, but all have had one",
    )  # fmt: skip


def test_a_refusal_says_who_cannot_be_paired_with_whom():
    everybody = {1: [2, 3, 4], 2: [1], 3: [1], 4: [1]}
    found = pair(sort_field([side(n, met=m) for n, m in everybody.items()]), NONE, LIMITS)
    assert isinstance(found, Refusal)
    assert "only 2 of 4 players can be paired" in str(found.detail)
    assert "1 has met every player present, or must not meet them" in str(found.detail)


def test_when_all_have_met_there_is_no_round():
    club = office(4, "swiss", rounds=5)
    for _ in range(3):
        play_round(club)
    assert club.refused(club.by_engine()).code == "no-legal-pairing"


# ---------------------------------------------------------------- against brute force


def every_round(nodes: tuple[int, ...]) -> Iterator[tuple[tuple[int, int], ...]]:
    """All ways to pair an even number of nodes."""
    if not nodes:
        yield ()
        return
    first, *rest = nodes
    for n, other in enumerate(rest):
        for others in every_round(tuple(rest[:n] + rest[n + 1 :])):
            yield ((first, other), *others)


@st.composite
def fields(draw):
    """Up to eight sides with points, meetings, colours and byes, and forbidden pairs."""
    size = draw(st.integers(2, 8))
    numbers = range(1, size + 1)
    couples = [(a, b) for a in numbers for b in numbers if a < b]
    games = draw(st.sets(st.sampled_from(couples), max_size=len(couples)))
    apart = draw(st.sets(st.sampled_from(couples), max_size=2))
    sides = [
        side(
            n,
            draw(st.integers(0, 6)),
            [a + b - n for a, b in games if n in (a, b)],
            draw(st.text("wb", max_size=4)),
            draw(st.booleans()),
        )
        for n in numbers
    ]
    return sort_field(sides), frozenset(apart)


@settings(max_examples=examples(300), deadline=None)
@given(fields())
def test_the_best_legal_round_is_found_and_refused_only_where_there_is_none(field):
    order, forbidden = field
    cost = costs(order, forbidden, LIMITS)
    nodes = len(order) + len(order) % 2
    legal = [
        tuple(map(sum, zip(*found, strict=True)))
        for whole in every_round(tuple(range(nodes)))
        if None not in (found := [cost(a, b) for a, b in whole])
    ]
    made = pair(order, forbidden, LIMITS)
    if isinstance(made, Refusal):
        assert legal == []
        return
    place = {c.side: n for n, c in enumerate(order)}
    told = [cost(place[a.side], place[b.side] if b else len(order)) for a, b in made]
    assert None not in told
    assert tuple(map(sum, zip(*told, strict=True))) == min(legal)


@settings(max_examples=examples(12), deadline=None)
@given(st.integers(WHOLE + 1, 90), st.randoms(use_true_random=False))
def test_a_large_field_has_the_least_sum_of_differences_too(size, chance):
    """Looking at neighbours only is as good as looking at all."""
    sides = [side(n, chance.randrange(12), chance.sample(range(1, size + 1), 6)) for n in range(1, size + 1)]
    order = sort_field([s for s in sides if s.side not in s.met])
    nodes, cost = len(order) + len(order) % 2, costs(order, NONE, LIMITS)
    made = pair(order, NONE, LIMITS)
    assert not isinstance(made, Refusal)
    place = {c.side: n for n, c in enumerate(order)}
    told = [cost(place[a.side], place[b.side] if b else len(order)) for a, b in made]
    best = [cost(a, b) for a, b in best_pairs(nodes, cost, nodes, len(order))]
    assert bye_and_sum(told) == bye_and_sum(best)


def bye_and_sum(found):
    return sum(bye for bye, *_ in found), sum(apart for _, apart, *_ in found)
