"""Walkovers next to a match that is undecided now, extra games of a match that was won before them, and lots on matches."""

from dataclasses import replace

import pytest

from services.pairing.rules.commands import DrawLots, WithdrawPairing
from shared.core.readings.outdated_bases import find_outdated_bases
from shared.core.readings.settlement import describe
from shared.core.rounds.matches import matches
from tests.rules.formats_story import CAMPUS, by_number, office, play_round
from tests.rules.pairing_story import CHIEF, WHY, Office
from tests.rules.stage_story import board_of, correct, lose_both
from tests.rules.test_brackets import pairs
from tests.rules.test_outdated_bases import uphold, won


def test_a_walkover_is_outdated_while_a_match_for_the_other_seat_is_undecided():
    """1 and 8 both lost, so that 4 went on without a game. Now they have drawn, and the winner would meet 4."""
    cup = office(8, "knockout", extra=1)
    game = board_of(play_round(cup), 1, 8)
    correct(cup, game, "0-0")
    play_round(cup)
    correct(cup, game, "=")
    (basis,) = find_outdated_bases(cup.t)
    assert (basis.round, basis.boards, basis.seated, basis.due) == (2, (), (4,), (1, 4, 8))
    assert cup.refused(cup.by_engine()).code == "basis-outdated"


def quarter_final_passed():
    """Sixteen: 2 v 15 and 7 v 10 are lost by both, so that 3 is in the final's half alone. Then 2 and 7 have won."""
    cup = office(16, "knockout")
    first = play_round(cup)
    games = board_of(first, 2, 15), board_of(first, 7, 10)
    lose_both(cup, first, [game.board for game in games])
    play_round(cup)
    assert pairs(play_round(cup)) == [(1, 4)]
    for game in games:
        correct(cup, game, by_number(game))
    return cup


def test_a_walkover_is_outdated_if_the_other_seat_would_be_played_for_now():
    cup = quarter_final_passed()
    (basis,) = find_outdated_bases(cup.t)
    assert (basis.round, basis.match, basis.seated, basis.due) == (3, 14, (3,), (2, 3, 7))
    assert "player 3 advanced without an opponent, but players 2, 7 would play for the other seat" in str(
        describe(cup.t, basis)
    )
    cup.do(WithdrawPairing(CHIEF, 3, WHY, played=True))
    assert find_outdated_bases(cup.t) == ()
    assert pairs(play_round(cup)) == [(2, 7)]
    assert pairs(cup.pair()) == [(1, 4), (2, 3)]


def test_an_upheld_walkover_passes_the_match_before_it():
    cup = quarter_final_passed()
    (basis,) = find_outdated_bases(cup.t)
    uphold(cup, basis)
    assert find_outdated_bases(cup.t) == ()
    assert pairs(play_round(cup)) == [(1, 3)]
    assert cup.refused(cup.by_engine()).code == "no-round-left"


def extra_game(winner):
    """Play a drawn match of two, with the extra game won by ``winner``. Then correct the first game: 1 has won it."""
    cup = office(2, "match", extra=1)
    first = play_round(cup, lambda board: "=").boards[0]
    extra = cup.pair()
    if winner:
        cup.results(won(extra.boards[0], winner))
    correct(cup, first, won(first, 1))
    return cup


@pytest.mark.parametrize("winner", [2, None])
def test_an_extra_game_of_a_match_that_was_won_before_it_is_outdated(winner):
    """000-B 9: an extra game is for a drawn match."""
    cup = extra_game(winner)
    (basis,) = find_outdated_bases(cup.t)
    assert (basis.kind, basis.pairing, basis.match, basis.seated, basis.due) == ("match", 2, 1, (1, 2), ())
    cup.do(WithdrawPairing(CHIEF, 2, WHY, played=winner is not None))
    assert find_outdated_bases(cup.t) == ()
    assert matches(cup.t)[1].winner == 1


def test_an_extra_game_that_changes_no_winner_is_not_outdated():
    assert find_outdated_bases(extra_game(1).t) == ()


def test_an_upheld_extra_game_counts():
    cup = extra_game(2)
    (basis,) = find_outdated_bases(cup.t)
    uphold(cup, basis)
    assert find_outdated_bases(cup.t) == ()
    assert cup.refused(cup.by_engine()).code == "match-drawn"


def decided_by_lot(result, both_absent, **said):
    """Play a match of two with this result, and decide it by lot."""
    rules = replace(CAMPUS, pairing=replace(CAMPUS.pairing, both_absent=both_absent))
    cup = Office(2, 0, "match", seed=7, rules=rules, **said)
    play_round(cup, lambda board: result)
    cup.do(DrawLots(CHIEF, 1, 5))
    assert matches(cup.t)[1].over
    return cup, cup.t.pairings[0].event.boards[0]


def test_a_lot_does_not_count_while_an_extra_game_is_due():
    """000-B 9: nobody came, and the lot decided. But the game was drawn: extra games come before the lot."""
    cup, game = decided_by_lot("-/-", "lots", extra=1)
    correct(cup, game, "=")
    assert cup.pair().matches[0].leg == 2
    cup.results("=")
    former = cup.t.lots[1]
    cup.do(DrawLots(CHIEF, 1, 6))
    assert cup.t.lots[1] != former and matches(cup.t)[1].winner == cup.t.lots[1].winner


def test_a_lot_does_not_count_if_nobody_came_and_both_are_out():
    """002-X 21.3."""
    cup, game = decided_by_lot("=", "both_out")
    correct(cup, game, "-/-")
    assert (matches(cup.t)[1].over, matches(cup.t)[1].winner) == (True, 0)


def test_the_second_edition_keeps_a_lot():
    cup, game = decided_by_lot("-/-", "lots", extra=1)
    cup.t.regulations = replace(cup.t.regulations, decisions=2)
    correct(cup, game, "=")
    assert matches(cup.t)[1].winner == cup.t.lots[1].winner
