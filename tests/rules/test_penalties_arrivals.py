"""Lateness, absence (000-A 8) and fallen flags (000-A 国际象棋, 对局结束 5, 14)."""

import pytest

from services.penalties.rules import commands as co
from shared.core import events as ev
from shared.core.events import FindingAnswered
from shared.core.terms import PAIRING, RULEBOOK
from tests.rules.hall import APPEALS, ARBITER, G1, Hall


@pytest.mark.parametrize(
    ("regulations", "late", "result"),
    [
        ("campus", 0, None),
        ("campus", 900, None),
        ("campus", 901, "-/+"),
        ("campus", None, "-/+"),
        ("fide-2026", 0, None),
        ("fide-2026", 1, "-/+"),
    ],
)
def test_more_than_the_limit_loses_unplayed(regulations: str, late: int | None, result: str | None) -> None:
    hall = Hall(regulations)
    hall.arrival(1, late)
    assert hall.result() == result


def test_the_forfeit_is_a_ruling_that_names_its_article() -> None:
    noted, loss = Hall().arrival(2, 1000)
    assert (noted.game, noted.late) == (G1, 1000)
    assert (loss.ruling, loss.infraction, loss.article) == ("r2", "lateness", "000-A 8.1")


def test_when_both_come_too_late_both_forfeit() -> None:
    hall = Hall()
    hall.arrival(1, 1000)
    hall.arrival(2, None)
    assert hall.result() == "-/-"


def test_when_one_of_two_forfeits_falls_the_other_side_alone_has_lost() -> None:
    hall = Hall()
    hall.arrival(1, 1000)
    hall.arrival(2, None)
    annulled, again = hall.annul("r2")
    assert (annulled.annuls, again.infraction, again.player) == ("r2", "absence", 2)
    assert hall.result() == "+/-"


def test_a_forfeit_that_is_annulled_itself_stays_so() -> None:
    hall = Hall()
    hall.arrival(1, 1000)
    assert len(hall.annul("r2")) == 1
    hall.ruling(2)
    assert hall.result() is None


def test_an_arrival_is_noted_once_and_not_after_a_result_at_the_board() -> None:
    hall = Hall()
    hall.arrival(1, 60)
    assert hall.no(co.NoteArrival(ARBITER, 1, 70, round=1)).code == "arrival-noted"
    hall.reported(G1, 1, 1)
    assert hall.no(co.NoteArrival(ARBITER, 2, 70, round=1)).code == "game-decided"


@pytest.mark.parametrize(
    ("player", "late", "round", "code"),
    [(5, 60, 1, "no-game"), (9, 60, 1, "unknown-player"), (1, 60, 2, "no-game"), (1, -1, 1, "bad-lateness")],
)
def test_arrivals_refused(player: int, late: int, round: int, code: str) -> None:
    assert Hall().no(co.NoteArrival(ARBITER, player, late, round=round)).code == code


def test_a_fallen_flag_loses() -> None:
    hall = Hall()
    hall.flag(1)
    answered, loss = (e.data for e in hall.events[-2:])
    assert answered == ev.FindingAnswered("f1")
    assert (loss.finding, loss.article, loss.player) == ("f1", "000-A 国际象棋, 对局结束 5, 14", 1)
    assert {e.role for e in hall.events[-2:]} == {"rulebook"}
    assert hall.result() == "0-2"


def test_a_fallen_flag_draws_where_the_opponent_cannot_win() -> None:
    hall = Hall(game="chess")
    hall.flag(1, opponent_can_win=False)
    assert hall.result() == "1-1"


def test_a_finding_is_answered_once() -> None:
    hall = Hall()
    hall.flag(1)
    assert hall.no(co.AnswerFinding(RULEBOOK, FindingAnswered("f1"))).code == "finding-answered"
    assert hall.no(co.AnswerFinding(RULEBOOK, FindingAnswered("f2"))).code == "unknown-finding"


def test_a_flag_after_a_ruled_end_is_answered_and_acts_only_when_that_ruling_falls() -> None:
    hall = Hall()
    hall.ruling(2, "refusal_to_obey")
    hall.flag(1)
    assert isinstance(hall.events[-1].data, ev.FindingAnswered)
    assert hall.result() == "2-0"
    _, loss = hall.annul("r1")
    assert (loss.finding, hall.result()) == ("f1", "0-2")


def test_a_loss_on_time_that_is_annulled_is_not_made_again() -> None:
    hall = Hall()
    hall.flag(1)
    assert len(hall.told(co.AnnulRuling(APPEALS, "r2"))) == 1
    assert hall.result() is None


def test_a_flag_in_a_withdrawn_pairing_is_answered_and_nothing_follows() -> None:
    hall = Hall()
    hall.happened(PAIRING, ev.PairingWithdrawn(1, 1))
    hall.flag(1)
    assert isinstance(hall.events[-1].data, ev.FindingAnswered)
