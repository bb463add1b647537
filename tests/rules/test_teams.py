"""Teams as they enter, by the kinds of 002-X 12."""

from dataclasses import replace

import pytest

from services.pairing.rules import commands as co
from shared import regulations
from shared.core import events as ev
from shared.core.terms import PAIRING, Conditions, PlayerId, TeamConditions, TextRef
from tests.rules.pairing_story import CHIEF, ORGANISER, Office

NAME = TextRef("c" * 64)


def office(kind="fixed", boards=2, substitutes=0, format="round_robin", players=12, single=False) -> Office:
    """Players 1 to 12 are entered, the lower the number the higher the rating."""
    told = Office(rounds=0)
    conditions = Conditions(team=None if single else TeamConditions(kind, boards, substitutes))
    told.told(PAIRING, ev.TournamentAnnounced("Cup", "xiangqi", format, 7, (), conditions))
    told.told(PAIRING, ev.RegulationsAdopted(regulations.load("campus")))
    told.enter(*range(1, players + 1))
    return told


def teams(*members: tuple[int, ...], ids: tuple[int | None, ...] = ()) -> co.EnterTeams:
    numbers = ids or (None,) * len(members)
    listed = (co.TeamEntry(n, NAME, tuple(map(PlayerId, m))) for n, m in zip(numbers, members, strict=True))
    return co.EnterTeams(ORGANISER, tuple(listed))


def test_teams_take_the_next_free_numbers_or_those_given():
    told = office()
    entered = told.do(teams((1, 2), (3, 4), (5, 6), ids=(None, 4, None)))
    assert [(d.team, d.members) for d in entered] == [(5, (1, 2)), (4, (3, 4)), (6, (5, 6))]
    assert [told.t.teams[n].members for n in (4, 5, 6)] == [(3, 4), (1, 2), (5, 6)]


@pytest.mark.parametrize(
    ("kind", "boards", "substitutes", "members", "code", "article"),
    [
        ("fixed", 2, 0, (1, 2), None, "12.1"),
        ("fixed", 2, 0, (2, 1), "not-by-rating", "002-X 12.1"),
        ("fixed", 2, 1, (1, 2, 3), "team-size", "002-X 12"),
        ("fixed", 2, 0, (1,), "team-size", "002-X 12"),
        ("substitutes", 2, 2, (1, 2), None, "12.2"),
        ("substitutes", 2, 2, (1, 2, 3, 4), None, "12.2"),
        ("substitutes", 2, 2, (1, 3, 2), "not-by-rating", "002-X 12.2"),
        ("substitutes", 2, 2, (1, 2, 3, 4, 5), "team-size", "002-X 12"),
        ("lineup", 2, 1, (3, 1, 2), None, "12.3"),
        ("everybody", 3, 0, (3, 1, 2), None, "12.4"),
        ("everybody", 3, 0, (3, 1), "team-size", "002-X 12"),
        ("members", 2, 0, (5, 2), None, "12.5"),
        ("members", 2, 2, (5, 2, 1), "team-size", "002-X 12"),
    ],
)
def test_members_by_the_kind_of_event(kind, boards, substitutes, members, code, article):
    told = office(kind, boards, substitutes, "swiss")
    if code is None:
        assert told.do(teams(members))
    else:
        refusal = told.refused(teams(members))
        assert (refusal.code, refusal.article, refusal.where) == (code, article, "teams[0].members")


def test_who_has_no_rating_stands_behind_who_has_one():
    told = office(players=1)
    told.enter(2, rating=None)
    assert told.refused(teams((2, 1))).code == "not-by-rating"
    assert told.do(teams((1, 2)))


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ((1, 99), "unknown-player"),
        ((1, 1), "player-twice"),
        ((1, 11), "in-another-team"),
        ((1, 10), "player-left"),
    ],
)
def test_a_team_is_made_of_players_who_are_there_and_in_no_other(members, code):
    told = office()
    told.do(told.leave(10))
    told.do(teams((11, 12)))
    assert told.refused(teams((3, 4), members)).code == code
    assert told.refused(teams((3, 4), members)).where == "teams[1].members"
    assert list(told.t.teams) == [1], "all or none"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (teams(), "nobody-entered"),
        (teams((1, 2), ids=(0,)), "invalid-id"),
        (teams((1, 2), (3, 4), ids=(2, 2)), "team-exists"),
        (teams((1, 2), ids=(1,)), "team-exists"),
        (replace(teams((1, 2)), actor=replace(CHIEF, role="arbiter")), "role-may-not"),
    ],
)
def test_a_bad_list_of_teams_is_refused(command, code):
    told = office()
    told.do(teams((5, 6)))
    assert told.refused(command).code == code


def test_in_an_event_of_single_players_no_team_enters():
    assert office(single=True).refused(teams((1, 2))).code == "no-team-event"


@pytest.mark.parametrize(
    ("format", "refused"), [("round_robin", True), ("knockout", True), ("swiss", False), ("manual", False)]
)
def test_only_where_rounds_are_made_of_who_is_there_may_a_team_come_late(format, refused):
    told = office(format=format)
    told.do(teams((1, 2), (3, 4)))
    board = ev.Board(1, "T.1.1", PlayerId(1), PlayerId(3))
    told.told(PAIRING, ev.RoundPaired(1, 1, (board,), matches=(ev.Match(1, 1, 2, (1,)),)))
    if refused:
        assert told.refused(teams((5, 6))).code == "teams-fixed"
    else:
        assert told.do(teams((5, 6)))
