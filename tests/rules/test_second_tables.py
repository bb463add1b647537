"""Second tables and brackets after tables: what they change for sides that were left behind, or left later."""

from dataclasses import replace

import pytest

from services.standings.rules import publication
from services.standings.rules.commands import PublishStandings
from services.standings.rules.table.table import standings
from shared.core import events as ev
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.terms import Refusal
from tests.rules.pairing_story import CHIEF
from tests.rules.stage_story import next_round, played_out, publish_table, ranks, staged

TABLE = StageRule("table", "round_robin", qualifiers=4)
GROUPS = StageRule("groups", "groups", groups=2, qualifiers=2)
SECOND = StageRule("second", "round_robin")
CUP = StageRule("cup", "knockout")


def until(cup, stage):
    """Play to the first round of a stage, without its results."""
    while cup.t.pairings[-1].event.stage != stage if cup.t.pairings else True:
        assert next_round(cup) is not None
    return cup


@pytest.mark.parametrize("first", [TABLE, GROUPS])
def test_sides_left_behind_keep_their_tie_breaks(first):
    """002-X 11.3, 15.1."""
    cup = staged(8, first, SECOND)
    while not cup.t.publications:
        next_round(cup)
    last = cup.t.publications[-1].event.round
    before, rows = ranks(cup, last), standings(cup.t, after_round=last).rows
    played_out(cup)
    left = set(before) - set(cup.t.current(last + 1).event.groups[0])
    now = {row.player: row for row in standings(cup.t).rows}
    assert left
    assert all(now[row.player].values == row.values for row in rows if row.player in left)
    assert sorted(left, key=before.__getitem__) == sorted(left, key=ranks(cup).__getitem__)


def test_leaving_a_second_table_annuls_only_its_results():
    """002-X 20.3: the opponents of the table that is left, which has met one of three."""
    cup = until(staged(8, TABLE, SECOND), "second")
    gone = cup.t.pairings[-1].event.groups[0][-1]
    cup.do(cup.leave(gone))
    assert not cup.t.withdrawal_of(gone).results_stand
    assert [cup.t.annulling_event(g) is not None for g in cup.t.games_in_force() if gone in (g.white, g.black)] == (
        [False] * 7 + [True]
    )
    played_out(cup)
    assert ranks(cup)[gone] == 4


def test_opponents_with_annulled_results_are_neither_met_nor_due():
    """002-X 20.3 注销."""
    cup = staged(6, TABLE, SECOND)
    for _ in range(2):
        next_round(cup)
    games = [g for g in cup.t.games_in_force() if 1 in (g.white, g.black)]
    first, second = (g.white + g.black - 1 for g in games)
    cup.do(cup.leave(first))
    cup.do(cup.leave(1))
    assert not cup.t.results_annulled(second)
    assert (cup.t.withdrawal_of(1).played, cup.t.withdrawal_of(1).results_stand) == (1, False)


def test_qualified_player_barred_from_the_first_round_goes_on():
    """002-X 18.2: the loss of that game."""
    cup = staged(8, TABLE, CUP)
    while not cup.t.publications:
        next_round(cup)
        if cup.t.rounds_paired() == 7:
            cup.rule(ev.Effect("exclude", rounds=(8,)), 1)
            publish_table(cup)
    next_round(cup)
    assert 1 in cup.t.current(8).event.groups[0]
    played_out(cup)
    assert ranks(cup)[1] > 2


def test_final_table_waits_for_the_last_match_of_a_bracket():
    """000-B 4, 002-X 11.1."""
    cup = until(staged(8, TABLE, CUP), "cup")
    final = PublishStandings(CHIEF, (), "2026", cup.t.rounds_paired(), True)
    refused = publication.publish(cup.t, final)
    assert isinstance(refused, Refusal) and (refused.code, refused.article) == ("bracket-unfinished", "000-B 4")
    played_out(cup)
    assert not isinstance(publication.publish(cup.t, replace(final, round=cup.t.rounds_paired())), Refusal)


def test_games_of_a_bracket_are_no_play_off():
    """002-X 15.6."""
    cup = until(staged(8, TABLE, CUP), "cup")
    assert all(row.values["PO"].quarters is None for row in standings(cup.t, ("PO",)).rows)
