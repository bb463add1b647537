"""Groups, then finals 分组循环 (002-X 11.3), and its snake of seeds."""

import pytest

from services.pairing.rules.formats.groups import snake
from tests.rules.formats_story import colours, met, office, play_out, play_round, publish
from tests.rules.pairing_story import seats


def both(rounds):
    return sorted(tuple(sorted(pair)) for pair in met(rounds))


@pytest.mark.parametrize(
    ("sides", "groups", "said"),
    [
        (8, 2, ((1, 4, 5, 8), (2, 3, 6, 7))),
        (9, 3, ((1, 6, 7), (2, 5, 8), (3, 4, 9))),
        (7, 2, ((1, 4, 5), (2, 3, 6, 7))),
        (10, 4, ((1, 8, 9), (2, 7, 10), (3, 6), (4, 5))),
    ],
)
def test_seeds_are_spread_by_snake(sides, groups, said):
    assert snake(tuple(range(1, sides + 1)), groups) == said


def test_all_groups_play_at_the_same_time_with_boards_numbered_through():
    cup = office(8, "groups", groups=2, qualifiers=2)
    first = cup.pair()
    assert (first.stage, first.groups) == ("groups", ((1, 4, 5, 8), (2, 3, 6, 7)))
    assert [b.board for b in first.boards] == [1, 2, 3, 4]
    assert seats(first) == [(1, 8), (4, 5), (2, 7), (3, 6)]


def test_a_smaller_group_waits_for_the_larger():
    cup = office(7, "groups", groups=2, qualifiers=1)
    rounds = [play_round(cup) for _ in range(3)]
    assert [[s.player for s in r.byes] for r in rounds] == [[1], [5], [4]]
    assert both(rounds) == [(1, 4), (1, 5), (2, 3), (2, 6), (2, 7), (3, 6), (3, 7), (4, 5), (6, 7)]


def test_who_goes_on_follows_from_the_table_as_published():
    cup = office(8, "groups", groups=2, qualifiers=2)
    for _ in range(3):
        play_round(cup)
    refusal = cup.refused(cup.by_engine())
    assert (refusal.code, refusal.article, refusal.see) == (
        "standings-not-published", "002-X 11.3", "/v1/tournaments/T/publications",
    )  # fmt: skip
    publish(cup, [3], [1], [2], [5], [4], [6], [7], [8])
    finals = play_out(cup)
    assert [r.stage for r in finals] == ["finals"] * 3
    assert finals[0].groups == ((1, 3, 2, 5),)
    assert [r.groups for r in finals[1:]] == [(), ()]
    assert both(finals) == [(1, 2), (1, 3), (1, 5), (2, 3), (2, 5), (3, 5)]


def test_a_table_published_before_the_last_round_does_not_count():
    cup = office(8, "groups", groups=2, qualifiers=1)
    for _ in range(2):
        play_round(cup)
    publish(cup, range(1, 9))
    play_round(cup)
    assert cup.refused(cup.by_engine()).code == "standings-not-published"


def test_results_carried_over_stand_for_a_second_game():
    """Those of one group have met; only those of different groups do in the finals."""
    cup = office(8, "groups", groups=2, qualifiers=2, carried=True)
    for _ in range(3):
        play_round(cup)
    publish(cup, *([n] for n in range(1, 9)))
    finals = play_out(cup)
    assert finals[0].groups == ((1, 2, 3, 4),)
    assert both(finals) == [(1, 2), (1, 3), (2, 4), (3, 4)]
    assert len(finals) == 2


@pytest.mark.parametrize("qualifiers", [1, 2, 3, 4])
def test_two_groups_whose_results_are_carried_over_take_as_many_rounds_as_go_on(qualifiers):
    cup = office(8, "groups", groups=2, qualifiers=qualifiers, carried=True)
    for _ in range(3):
        play_round(cup)
    publish(cup, *([n] for n in range(1, 9)))
    finals = play_out(cup)
    assert len(finals) == qualifiers
    assert len(set(both(finals))) == qualifiers**2
    for player in finals[0].groups[0]:
        said = colours(finals, player)
        assert len(said) == qualifiers and abs(said.count("w") - said.count("b")) <= 1


def test_of_three_groups_nobody_meets_those_of_the_own_again():
    cup = office(9, "groups", groups=3, qualifiers=2, carried=True)
    while cup.t.rounds_paired() < 3:
        play_round(cup)
    groups = cup.t.current(1).event.groups
    publish(cup, *([n] for n in range(1, 10)))
    finals = play_out(cup)
    assert len(both(finals)) == len(set(both(finals))) == 12
    assert not any(set(pair) <= set(group) for pair in both(finals) for group in groups)


def test_a_place_shared_across_the_line_is_drawn_by_lot_and_the_seed_kept():
    cup = office(8, "groups", groups=2, qualifiers=1)
    for _ in range(3):
        play_round(cup)
    publish(cup, [1, 4, 5, 2], [3, 6], [7, 8])
    final = cup.pair()
    (going,) = final.groups
    assert final.seed == 7
    assert going[0] in (1, 4, 5) and going[1] == 2


def test_who_has_left_does_not_go_on():
    cup = office(8, "groups", groups=2, qualifiers=1)
    for _ in range(3):
        play_round(cup)
    cup.do(cup.leave(1))
    publish(cup, *([n] for n in range(1, 9)))
    assert cup.pair().groups == ((4, 2),)


def test_groups_that_are_too_small_for_those_who_go_on_are_refused():
    cup = office(5, "groups", groups=2, qualifiers=3)
    refusal = cup.refused(cup.by_engine())
    assert (refusal.code, refusal.article) == ("groups-too-small", "002-X 11.3")
    single = office(3, "groups", groups=2, qualifiers=1)
    assert single.refused(single.by_engine()).code == "groups-too-small"


def test_two_who_meet_again_in_the_finals_may_where_nothing_is_carried():
    cup = office(8, "groups", groups=2, qualifiers=2)
    for _ in range(3):
        play_round(cup)
    publish(cup, *([n] for n in range(1, 9)))
    again = cup.pair((4, 1), (3, 2))
    assert (again.stage, again.groups) == ("finals", ((1, 2, 3, 4),))
    cup.results("=")
    assert cup.refused(cup.by_hand((4, 1), (3, 2))).code == "absolute-rule"
