"""A foul for each four moves in a row that are not recorded (002-X 7.1: 每连续漏记4着, 判犯规一次)."""

from typing import Any

import pytest

from services.penalties.rules import commands as co
from shared.core import events as ev
from shared.core.terms import TextRef
from tests.rules.hall import APPEALS, ARBITER, G1, Hall


def hall(decisions: int = 3) -> Hall:
    return Hall("xiangqi-1999", decisions=decisions)


def missed(hall: Hall, moves: int, **more: Any) -> list[ev.RulingMade]:
    facts = {"missed_in_a_row": moves}
    return hall.ruling(1, "missing_records", facts=facts, **more)


def fouls(hall: Hall) -> list[str]:
    return [r.event.ruling for r in hall.tournament.rulings_with_effect() if r.event.counter == "foul"]


@pytest.mark.parametrize(("moves", "count"), [(4, 1), (7, 1), (8, 2), (11, 2)])
def test_each_four_moves_are_a_foul(moves: int, count: int) -> None:
    one = hall()
    made = missed(one, moves)
    assert len(fouls(one)) == count and one.result() is None
    assert [(r.infraction, r.article, r.because) for r in made[1:]] == [("missing_records", "002-X 7.1", ("r1",))] * (
        count - 1
    )


def test_earlier_editions_count_one_foul() -> None:
    one = hall(decisions=2)
    assert [r.ruling for r in missed(one, 8)] == ["r1"]


def test_eight_moves_and_a_foul_lose_the_game() -> None:
    one = hall()
    one.ruling(1, "disturbing")
    made = missed(one, 8)
    assert [r.infraction for r in made] == ["missing_records", "missing_records", "third_foul"]
    assert made[-1].because == ("r1", "r2", "r3") and one.result() == "0-2"


def test_twelve_moves_alone_lose_the_game() -> None:
    one = hall()
    made = missed(one, 12)
    assert made[-1].rung == ev.Rung("third_foul", 1, G1, 3) and one.result() == "0-2"


def test_an_annulled_report_takes_its_further_foul_and_the_loss_along() -> None:
    one = hall()
    one.ruling(1, "disturbing")
    missed(one, 8)
    one.annul("r2")
    assert fouls(one) == ["r1"] and one.result() is None
    one.annul("r5")
    assert fouls(one) == ["r1", "r2", "r3"] and one.result() == "0-2"


def test_a_retracted_report_takes_its_further_foul_along() -> None:
    one = hall()
    missed(one, 8)
    one.told(co.RetractRuling(ARBITER, "r1", TextRef("4" * 64)))
    assert fouls(one) == []
    assert len(missed(one, 8)) == 2 and len(fouls(one)) == 2


def test_a_further_foul_that_is_annulled_itself_is_not_made_again() -> None:
    one = hall()
    missed(one, 8)
    one.annul("r2")
    one.ruling(1, "disturbing")
    assert fouls(one) == ["r1", "r4"] and one.result() is None
    assert one.no(co.RetractRuling(APPEALS, "r2", TextRef("4" * 64))).kind in ("authority", "rule")
