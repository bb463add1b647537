"""Round robins by the tables (FIDE C.05, Annex 1; 002-X 11.2, 13.1, 13.5, 20.2, 20.3)."""

from dataclasses import replace

import pytest

from services.pairing.rules.commands import AssignNumbers, PairPlayOff
from shared.core.rounds.berger_tables import berger, double_cycle
from shared.core.rulebook.regulations import LeavingRule
from shared.core.terms import PlayerId
from tests.rules.formats_story import CAMPUS, colours, longest, met, office, play_out, play_round
from tests.rules.pairing_story import CHIEF, ORGANISER, WHY, Office, seats

FIDE = {
    4: "1-4 2-3 | 4-3 1-2 | 2-4 3-1",
    6: "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3 | 3-8 4-2 5-1 6-7 | 8-7 1-6 2-5 3-4 "
    "| 4-8 5-3 6-2 7-1",
}
"""The tables as FIDE prints them (C.05, Annex 1): White first."""


def written(table):
    return " | ".join(" ".join(f"{w}-{b}" for w, b in round) for round in table)


@pytest.mark.parametrize("players", range(3, 9))
def test_the_tables_are_those_of_fide(players):
    assert written(berger(players)) == FIDE[players + players % 2]


@pytest.mark.parametrize("players", range(2, 25))
def test_everybody_meets_everybody_once_with_colours_balanced_within_one(players):
    rounds = play_out(office(players, "round_robin"))
    every = [frozenset((a, b)) for a in range(1, players + 1) for b in range(1, a)]
    assert sorted(map(sorted, met(rounds))) == sorted(map(sorted, every))
    assert len(rounds) == players - 1 + players % 2
    for player in range(1, players + 1):
        said = colours(rounds, player)
        assert abs(said.count("w") - said.count("b")) <= 1
    for paired in rounds:
        seated = [p for b in paired.boards for p in (b.white, b.black)] + [s.player for s in paired.byes]
        assert sorted(seated) == list(range(1, players + 1))


@pytest.mark.parametrize("players", range(2, 25))
def test_in_a_second_cycle_colours_are_changed_and_never_three_in_a_row_alike(players):
    table = double_cycle(berger(players))
    games = [pair for round in table for pair in round]
    assert sorted(games) == sorted((b, w) for w, b in games)
    assert len(games) == len(set(games))
    rounds = play_out(office(players, "double_round_robin"))
    assert all(longest(colours(rounds, p)) <= 2 for p in range(1, players + 1))


def test_who_rests_has_no_points_for_it():
    made = office(5, "round_robin").pair()
    assert [(s.player, s.kind) for s in made.byes] == [(1, "Z")]
    assert seats(made) == [(2, 5), (3, 4)]
    assert made.groups == ((1, 2, 3, 4, 5),)


def test_numbers_are_drawn_again_before_the_start_and_stay_from_then_on():
    """002-X 20.2: who leaves before the start leaves an even number, so lots are drawn again."""
    club = office(5, "round_robin")
    club.do(club.leave(2))
    (assigned,) = club.do(AssignNumbers(ORGANISER, seed=11))
    assert assigned.seed == 11
    assert sorted(n.number for n in assigned.numbers) == [1, 2, 3, 4, 5]
    assert next(n.number for n in assigned.numbers if n.player == 2) == 5
    first = club.pair()
    order = [n.player for n in assigned.numbers[:4]]
    assert first.groups == (tuple(order),)
    assert seats(first) == [(order[0], order[3]), (order[1], order[2])]
    assert club.refused(AssignNumbers(ORGANISER, seed=12)).code == "numbers-fixed"


def leaving(unplayed, results="stand"):
    rule = LeavingRule(("round_robin",), results, unplayed, "002-X 20.3")
    rules = replace(CAMPUS, leaving=replace(CAMPUS.leaving, formats=(rule,)))
    return Office(6, 0, "round_robin", seed=7, rules=rules)


def test_who_leaves_is_paired_on_where_the_games_left_are_forfeited():
    """002-X 20.3: half or more met, the rest is won by the opponents."""
    club = leaving("forfeit")
    for _ in range(3):
        play_round(club)
    club.do(club.leave(6))
    rest = play_out(club)
    assert [frozenset((b.white, b.black)) for r in rest for b in r.boards if 6 in (b.white, b.black)] == [
        {6, 5}, {3, 6},
    ]  # fmt: skip
    assert len(met(rest)) == 6


@pytest.mark.parametrize(("unplayed", "results"), [("not_paired", "stand"), ("forfeit", "annul_below_half")])
def test_who_leaves_is_not_paired_on_where_nothing_is_forfeited_or_all_is_annulled(unplayed, results):
    club = leaving(unplayed, results)
    play_round(club)
    club.do(club.leave(6))
    second = club.pair()
    assert [s.player for s in second.byes] == [4]
    assert seats(second) == [(5, 3), (1, 2)]


def test_two_games_in_a_row_with_the_same_opponent_and_colours_changed():
    """002-X 13.5 两局制."""
    rounds = play_out(office(4, "round_robin", games=2))
    assert len(rounds) == 6
    for first, second in zip(rounds[::2], rounds[1::2], strict=True):
        assert seats(second) == [(b, w) for w, b in seats(first)]
        assert [(m.match, m.leg) for m in second.matches] == [(m.match, 2) for m in first.matches]


def test_an_odd_number_rests_in_both_games():
    rounds = play_out(office(3, "round_robin", games=2))
    assert [[s.player for s in r.byes] for r in rounds] == [[1], [1], [3], [3], [2], [2]]


def test_a_table_that_takes_more_rounds_than_were_announced_is_refused():
    club = office(6, "round_robin", rounds=4)
    refusal = club.refused(club.by_engine())
    assert (refusal.code, refusal.article) == ("rounds-do-not-fit", "002-X 11.2")
    assert "5 rounds" in str(refusal.detail)


def test_nobody_enters_a_table_late_and_nobody_asks_for_a_bye():
    club = office(4, "round_robin")
    assert club.refused(club.bye(1, 1)).code == "no-byes"
    club.pair()
    with pytest.raises(AssertionError, match="too-late"):
        club.enter(5)


def test_one_player_makes_no_round_robin():
    club = office(1, "round_robin")
    assert club.refused(club.by_engine()).code == "too-few-players"


def test_a_round_by_hand_takes_the_place_of_the_tables():
    club = office(4, "round_robin")
    play_round(club)
    assert club.refused(club.by_hand((1, 4))).code == "absolute-rule"
    by_hand = club.pair((2, 1), (3, 4))
    assert seats(by_hand) == [(2, 1), (3, 4)]
    club.results("=")
    assert seats(club.pair()) == [(2, 4), (3, 1)]


def test_a_play_off_takes_no_round_of_the_table():
    club = office(4, "round_robin")
    play_round(club)
    club.do(PairPlayOff(CHIEF, ((PlayerId(1), PlayerId(4)),), WHY))
    club.results("1-0")
    assert seats(club.pair()) == [(4, 3), (1, 2)]
