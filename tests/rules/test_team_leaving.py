"""Teams that leave a round robin: annulled below half of the opponents met, else the rest by forfeit (002-X 20.3)."""

from dataclasses import replace

import pytest

from services.pairing.rules import commands as co
from shared.core import events as ev
from shared.core.readings.team_scoring import annulling_event, team_scores
from shared.core.terms import PlayerId
from tests.rules.pairing_story import ORGANISER, WHY, Office
from tests.rules.test_teams import office, teams


def four(rounds: int) -> Office:
    """Four teams of two (1 and 2, 3 and 4, …) after so many rounds of three, all games drawn."""
    told = office(players=8)
    told.world.tournament.regulations = replace(told.t.regulations, leaving=rules())
    told.do(teams((1, 2), (3, 4), (5, 6), (7, 8)))
    for _ in range(rounds):
        told.do(told.by_engine())
        told.results("=")
    return told


def rules():
    from shared import regulations

    return regulations.load("xiangqi-1999").leaving


def leave(*players: int) -> co.WithdrawPlayers:
    return co.WithdrawPlayers(ORGANISER, tuple(map(PlayerId, players)), WHY)


@pytest.mark.parametrize(
    ("rounds", "stand", "unplayed"),
    [(0, True, "not_paired"), (1, False, "forfeit"), (2, True, "forfeit"), (3, True, "forfeit")],
)
def test_a_team_is_judged_by_the_teams_it_met(rounds, stand, unplayed):
    told = four(rounds)
    said = told.do(leave(1, 2))
    assert [(d.player, d.results_stand, d.played, d.unplayed) for d in said] == [
        (1, stand, rounds, unplayed),
        (2, stand, rounds, unplayed),
    ]
    assert (annulling_event(told.t, 1) is None) is stand
    assert {r.counted for r in team_scores(told.t)[1].rounds if r.match} <= {stand}


def test_a_member_who_leaves_alone_changes_no_result():
    told = four(1)
    (said,) = told.do(told.leave(1))
    assert said.results_stand
    assert told.t.teams[1].members == (1, 2)


def test_the_last_of_a_team_leaves_as_the_team_does():
    """The games of who left before are annulled with the match."""
    told = four(1)
    told.do(told.leave(1))
    (said,) = told.do(told.leave(2))
    assert not said.results_stand
    made = team_scores(told.t)[1].rounds[0]
    assert (made.counted, made.match_points, made.game_points) == (False, 0, 0)
    opponent = team_scores(told.t)[made.opponent].rounds[0]
    assert (opponent.counted, opponent.match_points, opponent.game_points) == (False, 0, 0)


def test_what_a_team_forfeits_is_won_by_the_others():
    told = four(2)
    told.do(leave(1, 2))
    told.do(told.by_engine())
    made = next(r for r in team_scores(told.t)[1].rounds if r.number == 3)
    opponent = team_scores(told.t)[made.opponent].rounds[2]
    assert (made.kind, made.match_points) == ("forfeit", 0)
    assert (opponent.kind, opponent.match_points, opponent.game_points) == ("forfeit", 4, 4), "002-X 21.4"


def test_a_team_whose_results_are_annulled_is_not_paired_any_more():
    told = four(1)
    told.do(leave(1, 2))
    (paired,) = told.do(told.by_engine())
    assert 1 not in {side for m in paired.matches for side in (m.first, m.second)}


@pytest.mark.parametrize(
    ("players", "code"), [((), "nobody-left"), ((1, 99), "unknown-player"), ((3, 4), "player-left")]
)
def test_who_is_not_there_cannot_leave(players, code):
    told = four(0)
    told.do(leave(3, 4))
    assert told.refused(leave(*players)).code == code


def test_one_who_comes_back_brings_the_results_back():
    told = four(1)
    told.do(leave(1, 2))
    for player in (1, 2):
        told.do(co.ReturnPlayer(ORGANISER, PlayerId(player), WHY))
    assert annulling_event(told.t, 1) is None
    assert isinstance(told.do(told.by_engine())[0], ev.RoundPaired)
