"""Line-ups by the kinds of 002-X 12, and who has Red on which board (002-X 13)."""

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.pairing.rules import commands as co
from services.pairing.rules.sides.lineups import lineup_for
from services.pairing.rules.sides.model import Meeting
from services.pairing.rules.sides.team_participants import boards, everybody_red
from shared import regulations
from shared.core import events as ev
from shared.core.events import Effect, LineupHandedIn
from shared.core.terms import GAMES, PAIRING, Conditions, PlayerId, TeamConditions
from tests.rules.pairing_story import CHIEF, DRAW, Office
from tests.rules.test_teams import teams


def office(kind="substitutes", boards=4, substitutes=2) -> Office:
    """Team 1 has the players 1 to 6 (or as many as may be), team 2 the players 11 to 16; in the order of rating."""
    told = Office(rounds=0)
    conditions = Conditions(team=TeamConditions(kind, boards, substitutes))
    told.told(PAIRING, ev.TournamentAnnounced("Cup", "xiangqi", "round_robin", 3, (), conditions))
    told.told(PAIRING, ev.RegulationsAdopted(regulations.load("campus")))
    told.enter(*range(1, 19))
    size = boards + (substitutes if kind in ("substitutes", "lineup") else 0)
    told.do(teams(tuple(range(1, 1 + size)), tuple(range(11, 11 + size))))
    return told


def lineup(*players: int, team: int = 1, round: int = 1) -> co.HandInLineup:
    return co.HandInLineup(CHIEF, LineupHandedIn(team, round, tuple(map(PlayerId, players))))


def paired(told: Office, round: int = 1) -> None:
    """Team 1 against team 2, seated as the rules seat them."""
    seats = boards(told.t, round, Meeting(1, 2))
    games = tuple(ev.Board(n, f"T.{len(told.t.pairings) + 1}.{n}", *s) for n, s in enumerate(seats, 1) if all(s))
    byes = tuple(ev.ByeSeat(PlayerId(max(s)), "F") for s in seats if not all(s))
    match = ev.Match(1, 1, 2, tuple(range(1, len(seats) + 1)))
    told.told(PAIRING, ev.RoundPaired(round, len(told.t.pairings) + 1, games, byes, seed=5, matches=(match,)))


# ---------------------------------------------------------------- 分台换人


def test_four_boards_and_two_substitutes_give_exactly_fifteen_line_ups():
    told = office()
    allowed = [p for p in permutations(range(1, 7), 4) if not hasattr(told.world.decide(PAIRING, lineup(*p)), "code")]
    assert len(allowed) == 15, "002-X 12.2"
    assert allowed[0] == (1, 2, 3, 4) and allowed[-1] == (3, 4, 5, 6)
    assert allowed == sorted(allowed)


@given(st.integers(1, 4), st.data())
def test_a_line_up_of_substitutes_is_allowed_exactly_where_the_order_is_kept(boards, data):
    told = office(boards=boards, substitutes=2)
    members = told.t.teams[1].members
    chosen = data.draw(st.lists(st.sampled_from(members), min_size=1, max_size=boards, unique=True))
    answer = told.world.decide(PAIRING, lineup(*chosen))
    assert getattr(answer, "code", None) == (None if chosen == sorted(chosen) else "order-reversed")


# ---------------------------------------------------------------- 临时定台


def test_a_line_up_for_the_match_has_any_order():
    told = office("lineup")
    told.do(lineup(6, 1, 3, 2))
    assert lineup_for(told.t, 1, 1) == (6, 1, 3, 2)
    assert lineup_for(told.t, 1, 2) == (1, 2, 3, 4), "the next match has its own"


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("command", "code", "article"),
    [
        (lineup(1, 2, 4, 3), "order-reversed", "002-X 12.2"),
        (lineup(1, 2, 3, 11), "not-a-member", "002-X 12.2, 12.3"),
        (lineup(1, 2, 3, 99), "not-a-member", "002-X 12.2, 12.3"),
        (lineup(1, 2, 2, 3), "player-twice", None),
        (lineup(1, 2, 3, 4, 5), "lineup-size", None),
        (lineup(), "lineup-size", None),
        (lineup(1, 2, 3, 4, team=3), "unknown-team", None),
        (lineup(1, 2, 3, 4, round=4), "no-such-round", None),
        (lineup(1, 2, 3, 6), "not-there", None),
    ],
)
def test_a_line_up_that_the_rules_do_not_allow_is_refused(command, code, article):
    told = office()
    told.do(told.leave(6))
    refusal = told.refused(command)
    assert (refusal.code, refusal.article) == (code, article)


@pytest.mark.parametrize(
    ("kind", "article"), [("fixed", "002-X 12.1"), ("everybody", "002-X 12.4"), ("members", "002-X 12.5")]
)
def test_where_boards_are_fixed_nobody_hands_in_a_line_up(kind, article):
    refusal = office(kind).refused(lineup(1, 2, 3, 4))
    assert (refusal.code, refusal.article) == ("no-lineups", article)


def test_where_the_entries_say_how_many_rounds_there_are_a_line_up_may_be_for_any():
    told = office("lineup")
    told.world.tournament.announced = replace(told.t.announced, rounds=0)
    assert told.do(lineup(1, 2, 3, 4, round=5))


def test_a_line_up_is_handed_in_once():
    told = office()
    told.do(lineup(1, 2, 3, 5))
    assert told.refused(lineup(1, 2, 3, 4)).code == "lineup-exists"
    told.do(lineup(1, 2, 3, 4, round=2))


def test_after_a_later_round_was_paired_a_line_up_is_late():
    told = office()
    paired(told)
    told.results("=")
    paired(told, 2)
    refusal = told.refused(lineup(1, 2, 3, 4))
    assert (refusal.code, refusal.where) == ("lineup-late", "round")


@pytest.mark.parametrize(
    "happens",
    [
        lambda told: told.told(GAMES, ev.GameStarted("T.1.2")),
        lambda told: told.told(GAMES, ev.ResultReported("T.1.2", DRAW, DRAW)),
        lambda told: told.rule(Effect("set_marks", DRAW, DRAW), 12, "T.1.2"),
    ],
    ids=["a game began", "a result came", "a game was ruled on"],
)
def test_once_play_has_begun_a_line_up_is_late(happens):
    told = office()
    paired(told)
    happens(told)
    refusal = told.refused(lineup(1, 2, 3, 5))
    assert (refusal.code, refusal.article) == ("lineup-late", "002-X 12.3")
    assert "boards: 2" in str(refusal.detail)


# ---------------------------------------------------------------- after the pairing


def test_after_the_pairing_a_line_up_seats_the_same_match_anew():
    told = office("lineup")
    paired(told)
    handed, taken_back, anew = told.do(lineup(4, 5, 6, 1))
    assert handed == ev.LineupHandedIn(1, 1, (4, 5, 6, 1))
    assert taken_back == ev.PairingWithdrawn(1, 1)
    assert (anew.round, anew.pairing, anew.seed) == (1, 2, 5)
    assert anew.matches == (ev.Match(1, 1, 2, (1, 2, 3, 4)),)
    assert [(b.white, b.black) for b in anew.boards] == [(4, 11), (12, 5), (6, 13), (14, 1)]
    assert [b.game for b in anew.boards] == ["T.2.1", "T.2.2", "T.2.3", "T.2.4"]


def test_both_teams_may_hand_in_after_the_pairing():
    told = office("lineup")
    paired(told)
    told.do(lineup(4, 5, 6, 1))
    told.do(lineup(16, 15, 14, 13, team=2))
    current = told.t.current(1)
    assert current is not None
    assert [(b.white, b.black) for b in current.event.boards] == [(4, 16), (15, 5), (6, 14), (13, 1)]


def test_when_the_pairing_was_taken_back_a_line_up_may_be_handed_in_anew():
    told = office("lineup")
    told.do(lineup(1, 2, 3, 4))
    paired(told)
    assert told.refused(lineup(4, 3, 2, 1)).code == "lineup-exists"
    told.do(co.WithdrawPairing(CHIEF, 1))
    told.do(lineup(4, 3, 2, 1))


def test_a_short_line_up_leaves_the_last_boards_to_the_opponents():
    told = office("lineup")
    paired(told)
    told.do(lineup(4, 5))
    current = told.t.current(1)
    assert current is not None
    assert [b.board for b in current.event.boards] == [1, 2]
    assert current.event.byes == (ev.ByeSeat(13, "F"), ev.ByeSeat(14, "F"))
    assert current.event.matches == (ev.Match(1, 1, 2, (1, 2, 3, 4)),)


# ---------------------------------------------------------------- who plays where nothing was handed in


@pytest.mark.parametrize(
    ("kind", "gone", "expected"),
    [
        ("fixed", 2, (1, 0, 3, 4)),
        ("substitutes", 2, (1, 3, 4, 5)),
        ("lineup", 2, (1, 3, 4, 5)),
        ("everybody", 4, (1, 2, 3, 0)),
    ],
)
def test_who_is_not_there_leaves_a_fixed_board_empty_and_else_the_next_moves_up(kind, gone, expected):
    told = office(kind)
    told.told(PAIRING, ev.PlayerWithdrew(PlayerId(gone), 0, True, 0, "20.4"))
    assert lineup_for(told.t, 1, 1) == expected


def test_a_team_that_left_and_forfeits_what_is_to_come_is_seated_all_the_same():
    told = office("fixed")
    for player in (1, 2, 3):
        told.told(PAIRING, ev.PlayerWithdrew(PlayerId(player), 0, True, 0, "20.3", unplayed="forfeit"))
    assert lineup_for(told.t, 1, 1) == (0, 0, 0, 4), "while one of the team is there, the others' boards stay empty"
    told.told(PAIRING, ev.PlayerWithdrew(PlayerId(4), 0, True, 0, "20.3", unplayed="forfeit"))
    assert lineup_for(told.t, 1, 1) == (1, 2, 3, 4)


# ---------------------------------------------------------------- colours


def test_the_team_named_first_has_red_on_the_odd_boards():
    told = office("fixed")
    assert boards(told.t, 1, Meeting(1, 2)) == ((1, 11), (12, 2), (3, 13), (14, 4)), "002-X 13.2"
    assert boards(told.t, 1, Meeting(2, 1)) == ((11, 1), (2, 12), (13, 3), (4, 14)), "002-X 13.2"
    assert boards(told.t, 2, Meeting(1, 2, leg=2)) == ((11, 1), (2, 12), (13, 3), (4, 14)), "002-X 13.5"


@pytest.mark.parametrize("size", range(1, 11))
def test_everybody_of_one_team_meets_everybody_of_the_other_once(size):
    told = office("everybody", size, 0) if size <= 7 else None
    if told is None:
        return
    met = [tuple(sorted(s)) for leg in range(1, size + 1) for s in boards(told.t, leg, Meeting(1, 2, leg=leg))]
    members = told.t.teams[1].members, told.t.teams[2].members
    assert sorted(met) == [(a, b) for a in members[0] for b in members[1]], "002-X 12.4"


@pytest.mark.parametrize("size", range(1, 17))
def test_everybodys_colours_are_balanced_within_one(size):
    red = {(n, (n + leg - 1) % size): everybody_red(size, n, leg) for n in range(size) for leg in range(1, size + 1)}
    for n in range(size):
        assert abs(2 * sum(red[n, m] for m in range(size)) - size) <= 1, f"player {n} of the first team"
        assert abs(2 * sum(red[m, n] for m in range(size)) - size) <= 1, f"player {n} of the second team"
        if size % 4 == 0:
            assert 2 * sum(everybody_red(size, m, n + 1) for m in range(size)) == size, f"round {n + 1}"
