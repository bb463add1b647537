"""Winners of matches, sides that go on and sides that are out, alike in pairing and table (002-X 11.1, 21.3; 000-B 4, 9)."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.pairing.rules.commands import WithdrawPairing, WithdrawPlayer
from shared.core import events as ev
from shared.core.readings.outdated_bases import find_outdated_bases
from shared.core.rounds.matches import match_results, matches, members_of, places, teams_meet
from shared.core.rulebook.formats import Format
from shared.core.terms import GAMES, PlayerId, TeamConditions
from tests.rules.formats_story import CAMPUS, by_number, office, play_round
from tests.rules.pairing_story import CHIEF, WHY, Office
from tests.rules.stage_story import (
    BOTH_LOST,
    annul,
    beats,
    board_of,
    correct,
    enter_teams,
    lose_both,
    next_round,
    on_outdated_bases,
    played_out,
    ranks,
    rule_result,
)
from tests.tiers import examples


def pairs(paired):
    return sorted(tuple(sorted((b.white, b.black))) for b in paired.boards)


# ------------------------------------------------------------ a result that changes after the next pairing


@pytest.mark.parametrize("said", ["0-1", "1/2", "0-0", "-/-"])
def test_a_semi_final_corrected_after_the_final_was_paired_leaves_one_champion(said):
    """A pairing in force stands as played: 1 was seated in the final, and has won the semi-final."""
    cup = office(4, "knockout")
    semi = play_round(cup)
    final = cup.pair()
    assert pairs(final) == [(1, 2)]
    game = board_of(semi, 1, 4)
    correct(cup, game, {"1/2": "=", "0-1": "0-1" if game.white == 1 else "1-0"}.get(said, said))
    cup.results("1-0" if final.boards[0].white == 2 else "0-1")
    assert ranks(cup) == {2: 1, 1: 2, 3: 3, 4: 3}
    assert matches(cup.t)[1].winner == 1 != match_results(cup.t)[1].winner


@pytest.mark.parametrize(("format", "players"), [("knockout", 8), ("double_knockout", 8), ("knockout", 5)])
def test_an_annulled_ruling_behind_the_final_leaves_one_champion(format, players):
    """A ruling gives 1 the semi-final; it is annulled after the final was paired."""
    cup = office(players, format)
    first = next_round(cup)
    lost = first.boards[0]
    ruling = rule_result(cup, lost, "0-1" if by_number(lost) == "1-0" else "1-0")
    next_round(cup)
    annul(cup, ruling)
    played_out(cup)
    table = ranks(cup)
    assert list(table.values()).count(1) == 1
    assert list(places(cup.t).values()).count(1) == 1


def test_the_loser_seated_in_the_second_bracket_has_lost_whatever_is_corrected():
    """Double knock-out: 2 went down after the final of the first bracket, for which 1 waits."""
    cup = office(4, "double_knockout")
    play_round(cup)
    second = play_round(cup)
    third = cup.pair()
    assert 2 in (third.boards[0].white, third.boards[0].black)
    upper = board_of(second, 1, 2)
    correct(cup, upper, "0-1" if upper.white == 1 else "1-0")
    cup.results(by_number(third.boards[0]))
    with on_outdated_bases():
        final = cup.pair()
    assert pairs(final) == [(1, 2)], "the final, against the winner of the first bracket as it was played"


def test_both_finalists_can_be_first_until_the_final_is_repeated():
    """Double knock-out: 2 has beaten 1, and both have lost once."""
    cup = office(4, "double_knockout")
    for _ in range(3):
        play_round(cup)
    play_round(cup, beats(2))
    assert places(cup.t) == {1: 1, 2: 1, 3: 3, 4: 4}
    play_round(cup)
    assert ranks(cup) == {1: 1, 2: 2, 3: 3, 4: 4}


def test_after_withdrawal_the_next_pairing_follows_the_correction():
    cup = office(4, "knockout")
    semi = play_round(cup)
    cup.pair()
    game = board_of(semi, 1, 4)
    correct(cup, game, "0-1" if game.white == 1 else "1-0")
    assert [b.kind for b in find_outdated_bases(cup.t)] == ["match"]
    cup.do(WithdrawPairing(CHIEF, 2, WHY))
    assert find_outdated_bases(cup.t) == ()
    assert pairs(next_round(cup)) == [(2, 4)]
    assert ranks(cup)[1] == 3


def test_of_a_best_of_three_a_corrected_game_changes_no_seat_of_the_final():
    cup = office(4, "knockout", games=3, best=True)
    first = play_round(cup)
    play_round(cup)
    final = cup.pair()
    assert pairs(final) == [(1, 2)]
    for board in first.boards:
        correct(cup, board, "0-1" if by_number(board) == "1-0" else "1-0")
    assert not match_results(cup.t)[1].over, "a third game would be due"
    assert all(matches(cup.t)[n].over for n in (1, 2))
    cup.results("1-0" if final.boards[0].white == 1 else "0-1")
    with on_outdated_bases():
        second = cup.pair()
    assert pairs(second) == [(1, 2)], "the second game of the final, not a third of a semi-final"
    assert {b.seated for b in find_outdated_bases(cup.t)} == {(1, 2)}


@pytest.mark.parametrize(
    ("first", "then", "expected"), [(4, 1, {2: 1, 1: 2, 3: 3, 4: 3}), (1, 4, {2: 1, 4: 2, 1: 3, 3: 3})]
)
def test_of_two_that_left_the_first_has_lost(first, then, expected):
    """Best of three: one leaves after a game each, the other while the second semi-final is still played."""
    cup = office(4, "knockout", games=3, best=True)
    play_round(cup)
    cup.do(WithdrawPlayer(CHIEF, PlayerId(first), WHY))
    assert pairs(play_round(cup, beats(3))) == [(2, 3)]
    cup.do(WithdrawPlayer(CHIEF, PlayerId(then), WHY))
    assert matches(cup.t)[1].winner == then
    assert ranks(played_out(cup)) == expected


def test_a_corrected_board_of_teams_leaves_one_champion():
    cup = team_cup(4)
    semi = next_round(cup)
    final = cup.pair()
    for board in (b for b in semi.boards if {b.white, b.black} & {1, 2}):
        correct(cup, board, "0-1" if board.white in (1, 2) else "1-0")
    cup.results(*(by_number(b) for b in final.boards))
    assert ranks(cup) == {1: 1, 2: 2, 3: 3, 4: 3}


# ------------------------------------------------------------ both lose 双方均负


def team_cup(teams: int) -> Office:
    rules = replace(CAMPUS, pairing=replace(CAMPUS.pairing, both_absent="lots"))
    cup = Office(2 * teams, 0, "knockout", seed=7, rules=rules, team=TeamConditions("fixed", 2))
    enter_teams(cup, teams)
    return cup


def test_two_who_both_lost_are_out_and_the_other_side_goes_on_without_a_game():
    """Chess 结束 16, Go 行棋 3: 双方均负. Eight: 1 and 8 both lose, and 4 goes on to the final's half without a game."""
    cup = office(8, "knockout")
    first = play_round(cup)
    lose_both(cup, first, [board_of(first, 1, 8).board])
    semi = cup.pair()
    assert pairs(semi) == [(2, 3)]
    assert [seat.player for seat in semi.byes] == [4]
    cup.results(*(by_number(b) for b in semi.boards))
    assert pairs(next_round(cup)) == [(2, 4)]
    table = ranks(cup)
    assert (table[2], table[4], table[3]) == (1, 2, 3)
    assert {table[n] for n in (1, 5, 6, 7, 8)} == {4}


def test_a_final_that_both_lost_has_no_first_place():
    cup = office(4, "knockout")
    play_round(cup)
    lose_both(cup, play_round(cup), [1])
    assert cup.refused(cup.by_engine()).code == "no-round-left"
    assert ranks(cup) == {1: 2, 2: 2, 3: 3, 4: 3}


def test_two_who_both_lost_are_behind_the_others_who_play_for_their_places():
    cup = office(4, "knockout", places=True)
    first = play_round(cup)
    lose_both(cup, first, [board_of(first, 1, 4).board])
    assert cup.refused(cup.by_engine()).code == "no-round-left"
    assert ranks(cup) == {2: 1, 3: 2, 1: 3, 4: 3}


def test_in_a_double_knock_out_two_who_both_lost_do_not_play_on():
    cup = office(4, "double_knockout")
    first = play_round(cup)
    lose_both(cup, first, [board_of(first, 1, 4).board])
    assert pairs(next_round(cup)) == [(2, 3)]
    assert next_round(cup) is None
    assert ranks(cup) == {2: 1, 3: 2, 1: 3, 4: 3}


@pytest.mark.parametrize(
    ("players", "both_lost", "expected"),
    [
        (7, (1, 4, 5), {1: 1, 2: 2, 3: 3, 6: 4, 7: 5, 4: 6, 5: 6}),
        (5, (2, 1, 4), {2: 1, 3: 2, 5: 3, 1: 4, 4: 4}),
        (8, (2, 1, 4), {2: 1, 3: 2, 6: 3, 5: 4, 7: 5, 8: 5, 1: 5, 4: 5}),
    ],
)
def test_sides_out_early_rank_behind_those_out_later(players, both_lost, expected):
    """Double knock-out with byes: both lost in round 1 or 2 of the first bracket, in which a loser would play on."""
    cup = office(players, "double_knockout")
    number, one, other = both_lost
    for _ in range(number):
        paired = play_round(cup)
    lose_both(cup, paired, [board_of(paired, one, other).board])
    assert ranks(played_out(cup)) == expected


@pytest.mark.parametrize(
    ("said", "legs", "winner"),
    [
        (["0-0", "first", "first"], 3, "first"),
        (["0-0", "0-0", "0-0"], 3, None),
        (["first", "second", "0-0"], 3, None),
        (["first", "0-0", "drawn"], 3, "first"),
    ],
)
def test_a_match_goes_on_after_a_game_that_both_lost(said, legs, winner):
    """Best of three: the game gives nothing. A level match whose last game both lost has no winner: no lot is drawn."""
    cup = office(2, "match", games=3, best=True)
    opener = None
    for result in said:
        paired = cup.pair()
        opener = opener or paired.boards[0].white
        board = paired.boards[0]
        first = "1-0" if board.white == opener else "0-1"
        second = "0-1" if first == "1-0" else "1-0"
        marks = BOTH_LOST[{"first": first, "second": second, "drawn": "=", "0-0": "0-0"}[result]]
        cup.told(GAMES, ev.ResultReported(board.game, *marks))
    score = matches(cup.t)[1]
    assert (score.legs, score.over) == (legs, True)
    assert score.winner == (0 if winner is None else opener)
    assert cup.refused(cup.by_engine()).code == "no-round-left"


def test_an_extra_game_that_both_lost_puts_both_out():
    cup = office(2, "match", extra=1)
    play_round(cup, lambda b: "=")
    lose_both(cup, play_round(cup), [1])
    assert (matches(cup.t)[1].over, matches(cup.t)[1].winner) == (True, 0)


def test_teams_that_lost_every_board_are_both_out():
    cup = team_cup(4)
    semi = next_round(cup)
    lose_both(cup, semi, [b.board for b in semi.boards if {b.white, b.black} & {1, 2}])
    assert next_round(cup) is None
    assert ranks(cup) == {2: 1, 1: 2, 3: 2, 4: 2}


def test_teams_level_by_boards_that_somebody_won_are_not_out():
    """Board 1 lost by both, board 2 drawn: the match is drawn, and the lots decide (000-B 9)."""
    cup = team_cup(2)
    (one, two) = cup.pair().boards
    cup.told(GAMES, ev.ResultReported(one.game, *BOTH_LOST["0-0"]))
    cup.told(GAMES, ev.ResultReported(two.game, *BOTH_LOST["="]))
    assert cup.refused(cup.by_engine()).code == "match-drawn"


@pytest.mark.parametrize("reading", ["lots", "both_out"])
def test_absence_of_both_follows_its_own_value(reading):
    """双方弃权 (002-X 21.3): `pairing.both_absent` chooses, as before."""
    rules = replace(CAMPUS, pairing=replace(CAMPUS.pairing, both_absent=reading))
    cup = Office(2, 0, "match", seed=7, rules=rules)
    cup.pair()
    cup.results("-/-")
    assert cup.refused(cup.by_engine()).code == ("match-drawn" if reading == "lots" else "no-round-left")


def test_the_second_edition_draws_lots_between_two_who_both_lost():
    cup = Office(2, 0, "match", seed=7, rules=replace(CAMPUS, decisions=2))
    cup.t.regulations = replace(cup.t.regulations, decisions=2)
    lose_both(cup, play_round(cup), [1])
    assert cup.refused(cup.by_engine()).code == "match-drawn"


# ------------------------------------------------------------ random histories

SAID = ("1-0", "1-0", "0-1", "0-1", "=", "0-0", "-/-", "+/-", "-/+")


class Chance:
    """A knock-out played by chance, with corrections and annulments of any earlier game."""

    def __init__(self, seed: int, sides: int, format: Format, teams: bool, **said: object) -> None:
        self.rng = Random(seed)
        pairing = replace(CAMPUS.pairing, both_absent=self.rng.choice(("lots", "both_out")))
        rules = replace(CAMPUS, pairing=pairing)
        team = {"team": TeamConditions("fixed", 2)} if teams else {}
        self.cup = Office(sides * (2 if teams else 1), 0, format, seed=7, rules=rules, **team, **said)
        if teams:
            enter_teams(self.cup, sides)
        self.rulings: list[str] = []

    def round(self) -> bool:
        return next_round(self.cup, lambda board: self.rng.choice(("1-0", "0-1", "=", "-/-"))) is not None

    def change(self) -> None:
        """A correction, a ruling or an annulment on any game of the log."""
        pairing = self.rng.choice([p.event for p in self.cup.t.pairings])
        if not pairing.boards:
            return
        board, said = self.rng.choice(pairing.boards), self.rng.choice(SAID)
        if self.rulings and self.rng.random() < 0.3:
            annul(self.cup, self.rulings.pop())  # type: ignore[arg-type]
        elif self.rng.random() < 0.4:
            self.rulings.append(rule_result(self.cup, board, said))
        else:
            correct(self.cup, board, said)

    def check(self) -> None:
        """Pairing and table agree: a side seated in a later match ranks above the one that it beat for that seat."""
        t = self.cup.t
        best, table, seated = places(t), ranks(self.cup), dict[int, int]()
        for pairing in t.pairings:
            for match in pairing.event.matches:
                seated |= dict.fromkeys((match.first, match.second), match.match)
        for number, score in matches(t).items() if t.announced.format == "knockout" else ():
            if score.winner and score.loser and seated[score.winner] != number and seated[score.loser] == number:
                assert best[score.winner] < best[score.loser]
                assert table[score.winner] < table[score.loser]
        leaders = [side for side, place in best.items() if place == 1]
        assert all(table[side] == 1 for side in leaders)
        assert set(table) == set(t.teams if teams_meet(t) else t.players)

    def at_the_end(self) -> None:
        leaders = [side for side, place in places(self.cup.t).items() if place == 1]
        firsts = [side for side, rank in ranks(self.cup).items() if rank == 1]
        assert len(leaders) <= 1 and firsts == leaders


@settings(max_examples=examples(30), deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(2, 16),
    st.sampled_from(("knockout", "double_knockout")),
    st.booleans(),
    st.sampled_from(({}, {"places": True}, {"games": 3, "best": True}, {"extra": 1})),
)
def test_pairing_and_table_agree_and_a_bracket_has_one_champion_at_most(seed, sides, format, teams, said):
    if said.get("places") and format != "knockout":
        said = {}
    one = Chance(seed, min(sides, 8) if teams else sides, format, teams, **said)
    while one.round():
        one.check()
        while one.rng.random() < 0.5:
            one.change()
            one.check()
    for _ in range(4):
        if not one.round():
            one.at_the_end()
        one.change()
        one.check()
    assert members_of(one.cup.t, 1)


@settings(max_examples=examples(20), deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 12), st.sampled_from(("knockout", "double_knockout")))
def test_a_correction_to_the_same_result_changes_nothing(seed, players, format):
    one = Chance(seed, players, format, False)
    while one.round() and one.rng.random() < 0.8:
        pass
    t = one.cup.t
    before = (
        find_outdated_bases(t),
        ranks(one.cup),
        matches(t),
        one.cup.world.decide("/services/pairing", one.cup.by_engine()),
    )
    for game in list(t.games.values()):
        setting = t.setting(game)
        one.cup.told(GAMES, ev.ResultCorrected(game.game, setting.white, setting.black))
        annul(one.cup, rule_result(one.cup, ev.Board(game.board, game.game, game.white, game.black), "0-0"))
    after = (
        find_outdated_bases(t),
        ranks(one.cup),
        matches(t),
        one.cup.world.decide("/services/pairing", one.cup.by_engine()),
    )
    assert before == after
    assert before[0] == ()


def test_a_match_opened_before_its_winner_is_paired_is_played_on():
    """Double knock-out of eight: the final of the first bracket is level again after another round was paired."""
    cup = office(8, "double_knockout", extra=1)
    for _ in range(2):
        next_round(cup)
    third = next_round(cup)
    upper = board_of(third, 1, 2)
    next_round(cup)
    correct(cup, upper, "=")
    again = next_round(cup)
    assert pairs(again) == [(1, 2)] and again.matches[0].leg == 2
    assert len([side for side, rank in ranks(played_out(cup)).items() if rank == 1]) == 1


def test_matches_for_places_rank_every_player():
    cup = office(4, "knockout", places=True)
    played_out(cup, beats(4))
    assert ranks(cup) == {4: 1, 2: 2, 1: 3, 3: 4}
