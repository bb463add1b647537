"""Ranks of competitions in stages: sides that reached a later stage stand before those that did not (002-X 11.1, 11.3)."""

from dataclasses import replace

import pytest

from services.standings.rules.table.table import standings
from shared.core.rulebook.ranking_rules import StageRule
from tests.rules.formats_story import office, play_out
from tests.rules.stage_story import next_round, played_out, publish_table, ranks, staged

SWISS = StageRule("swiss", "swiss", rounds=3, qualifiers=4)
TABLE = StageRule("table", "round_robin", qualifiers=4)
GROUPS = StageRule("groups", "groups", groups=2, qualifiers=2)
CUP = StageRule("cup", "knockout")
DOUBLE = StageRule("cup", "double_knockout")
PLACES = StageRule("cup", "knockout", places=True)


@pytest.mark.parametrize("teams", [False, True])
@pytest.mark.parametrize("second", [CUP, DOUBLE, PLACES])
@pytest.mark.parametrize("first", [SWISS, TABLE, GROUPS])
def test_a_side_that_dropped_out_ranks_behind_every_qualified_one(first, second, teams):
    cup = staged(8, first, second, teams=teams)
    while len(cup.t.publications) == 0:
        assert next_round(cup) is not None
    began = next(p.event.round for p in cup.t.pairings if p.event.stage == "cup")
    before, (qualified,) = ranks(cup, began - 1), cup.t.current(began).event.groups
    played_out(cup)
    after = ranks(cup)
    assert sorted(qualified) == [1, 2, 3, 4]
    assert (after[1], after[2]) == (1, 2)
    assert {side for side, rank in after.items() if rank <= 4} == set(qualified)
    dropped = sorted(set(after) - set(qualified), key=before.__getitem__)
    assert [after[side] for side in dropped] == sorted(after[side] for side in dropped), "by the stage before"


@pytest.mark.parametrize("teams", [False, True])
def test_a_match_of_the_best_two_of_a_swiss_gives_the_first_two_places(teams):
    cup = staged(6, StageRule("swiss", "swiss", rounds=3, qualifiers=2), StageRule("final", "match"), teams=teams)
    played_out(cup)
    table = ranks(cup)
    assert (table[1], table[2]) == (1, 2)
    assert all(rank > 2 for side, rank in table.items() if side > 2)


def test_the_underdog_of_the_swiss_that_wins_the_cup_is_first():
    """Fourth of the Swiss, and first of the cup."""
    cup = staged(8, SWISS, CUP)
    for _ in range(3):
        next_round(cup)
    publish_table(cup)
    order = sorted(ranks(cup), key=ranks(cup).__getitem__)
    strength = {side: n for n, side in enumerate([order[3], *order[:3]])}
    played_out(cup, lambda b: "1-0" if strength.get(b.white, 9) < strength.get(b.black, 9) else "0-1")
    table = ranks(cup)
    assert table[order[3]] == 1
    assert {side for side, rank in table.items() if rank <= 4} == set(order[:4])


def test_three_stages_rank_by_the_last_one_reached():
    cup = staged(
        8,
        StageRule("groups", "groups", groups=2, qualifiers=3),
        StageRule("table", "round_robin", qualifiers=2),
        StageRule("final", "match"),
    )
    played_out(cup)
    table = ranks(cup)
    assert [table[n] for n in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    assert {table[7], table[8]} == {7, 8}


def test_sides_of_one_place_of_a_later_bracket_are_parted_by_points_of_the_stage_before():
    """No text parts them; they had points before, which a bracket does not take away (000-B 4)."""
    cup = staged(8, StageRule("table", "round_robin", qualifiers=4), CUP)
    played_out(cup)
    table, points = ranks(cup), {row.player: row.points for row in standings(cup.t).rows}
    assert points[3] > points[4]
    assert (table[3], table[4]) == (3, 4)


def test_losers_of_one_round_of_a_knock_out_share_their_place():
    cup = office(8, "knockout")
    play_out(cup)
    assert ranks(cup) == {1: 1, 2: 2, 3: 3, 4: 3, 5: 5, 6: 5, 7: 5, 8: 5}


@pytest.mark.parametrize("format", ["knockout", "groups"])
def test_a_player_in_no_stage_is_last(format):
    """Entered and gone before the first pairing."""
    said = {"groups": 2, "qualifiers": 2} if format == "groups" else {}
    cup = office(7, format, **said)
    cup.do(cup.leave(1))
    for _ in range(3):
        next_round(cup)
    table = ranks(cup)
    assert table[1] == 7 and min(table.values()) == 1


def test_the_second_edition_keeps_its_table():
    """What a log of decisions 2 decided stays: a Swiss before a bracket was no stage."""
    cup = played_out(staged(8, SWISS, CUP))
    cup.t.regulations = replace(cup.t.regulations, decisions=2)
    assert ranks(cup)[1] > 1
