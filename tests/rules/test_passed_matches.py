"""Extra games of a match that was won before them (000-B 9)."""

import pytest

from services.pairing.rules.commands import WithdrawPairing
from shared.core.readings.outdated_bases import find_outdated_bases
from shared.core.rounds.matches import matches
from tests.rules.formats_story import office, play_round
from tests.rules.pairing_story import CHIEF, WHY
from tests.rules.stage_story import correct
from tests.rules.test_outdated_bases import uphold, won


def extra_game(winner):
    """A drawn match of two, with the extra game won by ``winner``. Then the first game is corrected: 1 has won it."""
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
