"""Both lose: who lost by an official's ruling while the opponent had lost too, and what becomes of it when one loss falls.

A ruling whose marks follow from another ruling rests on it (000-A 2.9; 双方均负), and is made again when that one falls.
"""

import pytest

from services.penalties.rules import commands as co
from shared.core.terms import TextRef
from tests.rules.hall import APPEALS, ARBITER, Hall, rulings

REASON = TextRef("6" * 64)


@pytest.fixture
def hall() -> Hall:
    """Player 2 has lost by his third foul (r4), then player 1 by refusing to obey (r5): both lose."""
    hall = Hall()
    for _ in range(3):
        hall.ruling(2)
    hall.ruling(1, "refusal_to_obey")
    assert hall.result() == "0-0"
    return hall


def test_the_second_loss_rests_on_the_first(hall: Hall) -> None:
    refusal = hall.tournament.rulings["r5"].event
    assert (refusal.because, refusal.rung.rule, refusal.rung.player) == (("r4",), "refusal_to_obey", 1)


def test_when_the_first_loss_falls_the_second_is_made_again_against_a_winner(hall: Hall) -> None:
    (again,) = rulings(hall.annul("r2"))
    assert (again.infraction, again.player, again.because) == ("refusal_to_obey", 1, ())
    assert (hall.result(), hall.tournament.is_in_force("r5")) == ("0-2", False)


def test_when_the_first_loss_is_restored_both_lose_again(hall: Hall) -> None:
    annulment = hall.annul("r2")[0].ruling
    assert rulings(hall.annul(annulment)) == []
    assert (hall.result(), hall.tournament.ruling_on(hall.tournament.games["T.1.1"]).event.ruling) == ("0-0", "r5")


def test_a_second_loss_that_is_annulled_itself_is_pardoned(hall: Hall) -> None:
    hall.annul("r5")
    assert hall.result() == "2-0"
    assert rulings(hall.annul("r2")) == []
    assert hall.result() is None


def test_when_the_loss_made_again_is_annulled_nothing_more_follows(hall: Hall) -> None:
    again = rulings(hall.annul("r2"))[0].ruling
    hall.annul(again)
    assert hall.result() is None
    assert rulings(hall.annul("r1")) == []


def test_a_retracted_second_loss_is_not_made_again(hall: Hall) -> None:
    hall.told(co.RetractRuling(ARBITER, "r5", REASON))
    assert rulings(hall.told(co.AnnulRuling(APPEALS, "r2", REASON))) == []
    assert hall.result() is None


def test_a_second_refusal_of_the_same_player_is_an_act_of_its_own(hall: Hall) -> None:
    (second,) = rulings(hall.ruling(1, "refusal_to_obey"))
    assert second.rung.count == 2
    again = rulings(hall.annul("r2"))
    assert [one.rung.count for one in again] == [1, 2]
    assert hall.result() == "0-2"


def test_by_the_first_edition_the_marks_stay_as_they_were_ruled() -> None:
    hall = Hall(decisions=1)
    for _ in range(3):
        hall.ruling(2)
    (refusal,) = rulings(hall.ruling(1, "refusal_to_obey"))
    assert (refusal.because, refusal.rung) == ((), None)
    assert rulings(hall.annul("r2")) == []
    assert hall.result() == "0-0"
