"""Three fouls or violations, and what becomes of the loss when one of them falls (000-A 2.7, 7.10)."""

import pytest

from services.penalties.rules import commands as co
from shared.core import events as ev
from shared.core.readings.scoring import scores
from shared.core.terms import PAIRING, PENALTIES, GameId, PlayerId, TextRef
from tests.rules.hall import ARBITER, G1, G2, Hall, rulings

WHY = TextRef("a" * 64)


def fouls(hall: Hall, number: int, player: int = 1) -> list[str]:
    """The ids of that many fouls (not of what they bring)."""
    return [hall.ruling(player)[0].ruling for _ in range(number)]


def test_two_fouls_lose_nothing() -> None:
    hall = Hall()
    fouls(hall, 2)
    assert hall.result() is None


@pytest.mark.parametrize(
    ("infraction", "rule", "article"),
    [("foul", "third_foul", "000-A 2.7"), ("violation", "third_violation", "000-A 7.10")],
)
def test_the_third_loses_the_game(infraction: str, rule: str, article: str) -> None:
    hall = Hall()
    hall.ruling(1, infraction)
    hall.ruling(1, infraction)
    third, loss = hall.ruling(1, infraction)
    assert hall.result() == "0-2"
    assert (loss.infraction, loss.article, loss.game) == (rule, article, G1)
    assert loss.because == ("r1", "r2", third.ruling)
    assert loss.rung == ev.Rung(rule, 1, G1, 3)


def test_the_loss_is_brought_by_the_rulebook_with_the_next_number() -> None:
    hall = Hall()
    fouls(hall, 2)
    decision = hall.decide(PENALTIES, co.MakeRuling(ARBITER, 1, 1, "foul"))
    assert [d.ruling for d in decision.events] == ["r3"]
    assert [d.ruling for d in decision.brought] == ["r4"]


def test_named_fouls_count_with_plain_ones_but_not_with_violations() -> None:
    hall = Hall()
    hall.ruling(1, "foul")
    hall.ruling(1, "touching_an_unmovable_piece")
    hall.ruling(1, "adjusting")
    assert hall.result() is None
    hall.ruling(1, "disturbing")
    assert hall.result() == "0-2"


def test_fouls_of_two_players_and_of_two_games_are_counted_apart() -> None:
    hall = Hall()
    fouls(hall, 2, player=1)
    fouls(hall, 2, player=2)
    fouls(hall, 2, player=3)
    assert (hall.result(G1), hall.result(G2)) == (None, None)


def test_a_third_foul_called_after_the_end_still_acts() -> None:
    hall = Hall()
    fouls(hall, 2)
    hall.reported(G1, 2, 0)
    fouls(hall, 1)
    assert hall.result() == "0-2"


def test_annulling_one_of_three_fouls_gives_the_game_back() -> None:
    hall = Hall()
    second = fouls(hall, 3)[1]
    assert hall.annul(second)[0].annuls == second
    assert hall.result() is None


def test_annulling_one_of_four_fouls_makes_the_loss_again_on_the_other_three() -> None:
    hall = Hall()
    first, second, third, fourth = fouls(hall, 4)
    annulled, again = hall.annul(third)
    assert annulled.annuls == third
    assert again.because == (first, second, fourth)
    assert hall.result() == "0-2"


def test_the_fourth_foul_brings_no_second_loss() -> None:
    hall = Hall()
    fouls(hall, 3)
    assert len(hall.ruling(1)) == 1


def test_annulling_the_annulment_restores_the_loss_and_nothing_is_made_twice() -> None:
    hall = Hall()
    fouls(hall, 3)
    (annulment,) = hall.annul("r2")
    assert hall.result() is None
    assert len(hall.annul(annulment.ruling)) == 1
    assert hall.result() == "0-2"


def test_of_two_losses_on_one_rung_only_the_first_has_effect() -> None:
    hall = Hall()
    fouls(hall, 4)
    annulment, again = hall.annul("r3")
    hall.annul(annulment.ruling)
    assert hall.tournament.is_in_force(again.ruling)
    assert [hall.tournament.has_effect(r) for r in ("r4", again.ruling)] == [True, False]


def test_a_loss_that_is_itself_annulled_is_not_made_again_on_the_same_fouls() -> None:
    hall = Hall()
    fouls(hall, 3)
    assert len(hall.annul("r4")) == 1
    fouls(hall, 1)
    assert hall.result() is None


def test_but_it_is_made_on_other_fouls() -> None:
    hall = Hall()
    fouls(hall, 4)
    hall.annul("r4")
    assert rulings(hall.annul("r1")) != []
    assert hall.result() == "0-2"


def test_when_both_reach_the_third_foul_both_lose() -> None:
    hall = Hall()
    fouls(hall, 3, player=2)
    fouls(hall, 3, player=1)
    assert hall.result() == "0-0"


def test_when_the_first_of_both_losses_falls_the_other_is_made_again_against_a_winner() -> None:
    hall = Hall()
    black = fouls(hall, 3, player=2)
    fouls(hall, 3, player=1)
    hall.annul(black[0])
    assert hall.result() == "0-2"


def test_a_third_foul_that_crossed_the_withdrawal_of_its_pairing_brings_nothing() -> None:
    hall = Hall()
    fouls(hall, 2)
    hall.happened(PAIRING, ev.PairingWithdrawn(1, 1))
    third = ev.RulingMade("r3", 1, 1, "foul", "000-A 4", ev.Effect("foul"), game=G1, counter="foul")
    hall.happened(PENALTIES, third)
    assert len(hall.ruling(5, "misconduct")) == 1


AGAIN = ev.RoundPaired(1, 2, (ev.Board(1, GameId("T.2.1"), 1, 2), ev.Board(2, GameId("T.2.2"), 3, 4)))


def replayed(regulations: str, game: str) -> Hall:
    """A round void after two fouls of player 1, and paired again."""
    hall = Hall(regulations, game, decisions=3)
    fouls(hall, 2)
    hall.happened(PAIRING, ev.PairingWithdrawn(1, 1, WHY, played=True))
    hall.happened(PAIRING, AGAIN)
    return hall


def test_fouls_of_a_void_game_do_not_count_in_the_next() -> None:
    hall = replayed("campus", "xiangqi")
    assert len(rulings(hall.ruling(1))) == 1 and hall.result(AGAIN.boards[0].game) is None
    assert hall.standing() == ["r1", "r2", "r3"]


def test_fouls_of_a_void_game_count_over_the_event() -> None:
    """The conduct of a player remains ruled on, although the game counts nothing."""
    made = rulings(replayed("gomoku-campus", "gomoku").ruling(1))
    assert [ruling.effect.kind for ruling in made][-1] == "expel"


def test_a_loss_ruled_in_a_void_game_gives_nothing() -> None:
    hall = Hall(decisions=3)
    fouls(hall, 3)
    assert hall.result() == "0-2"
    hall.happened(PAIRING, ev.PairingWithdrawn(1, 1, WHY, played=True))
    hall.happened(PAIRING, AGAIN)
    assert hall.result(AGAIN.boards[0].game) is None
    assert scores(hall.tournament)[PlayerId(1)].points == 0 == scores(hall.tournament)[PlayerId(2)].points


def test_in_a_fide_event_the_second_illegal_move_loses() -> None:
    hall = Hall("fide-2026")
    hall.ruling(2, "illegal_move")
    hall.ruling(2, "two_hands")
    assert hall.result() == "2-0"
