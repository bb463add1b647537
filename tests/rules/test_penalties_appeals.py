"""Appeals: whose they are, until when, how often, and who decides them (002-X 8.5, 16.3)."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from services.penalties.rules import commands as co
from shared import regulations as books
from shared.core import events as ev
from shared.core.events import Effect
from shared.core.rulebook.regulations import AppealRule, Regulations
from shared.core.terms import PAIRING, PENALTIES, Actor, Mark, Role
from tests.rules.hall import APPEALS, ARBITER, CHIEF, DEPUTY, G1, ORGANISER, Hall

DRAWN = Effect("set_marks", white=Mark(1, True), black=Mark(1, True))


# ---------------------------------------------------------------- what an appeal does


def test_an_upheld_appeal_annuls_its_ruling_by_the_committees_own_hand() -> None:
    hall = Hall()
    hall.ruling(2, "refusal_to_obey")
    (lodged,) = hall.told(hall.appeal(2, "r1"))
    decided, annulled = hall.told(co.DecideAppeal(APPEALS, lodged.appeal, upheld=True))
    assert (lodged.appeal, lodged.lodged) == ("a2", hall.time)
    assert (decided.upheld, annulled.ruling, annulled.annuls, annulled.appeal) == (True, "r4", "r1", "a2")
    assert hall.result() is None


def test_an_appeal_that_is_turned_down_changes_nothing() -> None:
    hall = Hall()
    hall.ruling(2, "refusal_to_obey")
    hall.told(hall.appeal(2, "r1"))
    assert len(hall.told(co.DecideAppeal(APPEALS, "a2", upheld=False))) == 1
    assert hall.result() == "2-0"


def test_an_appeal_upheld_against_what_has_fallen_meanwhile_annuls_nothing_twice() -> None:
    hall = Hall()
    hall.ruling(1)
    hall.told(hall.appeal(1, "r1"))
    hall.annul("r1")
    assert len(hall.told(co.DecideAppeal(APPEALS, "a2", upheld=True))) == 1


def test_an_appeal_is_decided_once() -> None:
    hall = Hall()
    hall.ruling(1)
    hall.told(hall.appeal(1, "r1"))
    hall.told(co.DecideAppeal(APPEALS, "a2", upheld=False))
    assert hall.no(co.DecideAppeal(APPEALS, "a2", upheld=True)).code == "appeal-decided"


# ---------------------------------------------------------------- whom a ruling concerns


def a_foul(hall: Hall) -> str:
    hall.ruling(1)
    return "r1"


def a_third_foul(hall: Hall) -> str:
    """The loss that the rulebook made of it."""
    for _ in range(3):
        hall.ruling(1)
    return "r4"


def a_loss(hall: Hall) -> str:
    hall.ruling(1, "refusal_to_obey")
    return "r1"


def a_draw_against_an_opponent_who_cannot_win(hall: Hall) -> str:
    hall.ruling(1, "grave_misconduct", by=CHIEF, effect=DRAWN)
    return "r1"


def an_annulled_foul(hall: Hall) -> str:
    hall.ruling(1)
    hall.annul("r1")
    return "r2"


def an_annulled_foul_that_had_lost_the_game(hall: Hall) -> str:
    a_third_foul(hall)
    hall.annul("r1")
    return "r5"


def a_loss_annulled_and_restored(hall: Hall) -> str:
    a_loss(hall)
    hall.annul("r1")
    hall.annul("r2")
    return "r3"


def a_warning_of_one_who_has_a_bye(hall: Hall) -> str:
    hall.ruling(5, "misconduct")
    return "r1"


@pytest.mark.parametrize(
    ("made", "concerned"),
    [
        (a_foul, [1]),
        (a_third_foul, [1, 2]),
        (a_loss, [1, 2]),
        (a_draw_against_an_opponent_who_cannot_win, [1, 2]),
        (an_annulled_foul, [1]),
        (an_annulled_foul_that_had_lost_the_game, [1, 2]),
        (a_loss_annulled_and_restored, [1, 2]),
        (a_warning_of_one_who_has_a_bye, [5]),
    ],
)
def test_a_ruling_concerns_whom_it_is_on_and_both_of_a_game_that_it_decides(
    made: Callable[[Hall], str], concerned: list[int]
) -> None:
    hall = Hall()
    ruling = made(hall)
    for player in range(1, 6):
        for by, kind in ((None, "authority"), (ARBITER, "rule")):
            answer = hall.decide(PENALTIES, hall.appeal(player, ruling, by))
            if player in concerned:
                assert answer.events[0].by == player
            else:
                assert (answer.kind, answer.code, answer.article) == (kind, "not-concerned", "002-X 8.5")
                assert "only " + " and ".join(f"player {n}" for n in concerned) + " may appeal" in str(answer.detail)


@pytest.mark.parametrize("name", ["2", "player", "１"])
def test_a_player_speaks_for_himself(name: str) -> None:
    hall = Hall()
    hall.ruling(1)
    refusal = hall.no(hall.appeal(1, "r1", Actor(name, "player")))
    assert (refusal.kind, refusal.code, refusal.article) == ("authority", "another-players", "002-X 8.5")
    assert "player 1 or an official" in str(refusal.detail)


@pytest.mark.parametrize("by", [ARBITER, CHIEF, DEPUTY, ORGANISER, APPEALS])
def test_an_official_lodges_it_for_the_player(by: Actor) -> None:
    hall = Hall()
    hall.ruling(1)
    assert hall.told(hall.appeal(1, "r1", by))[0].by == 1


def test_a_strangers_appeal_blocks_nobody() -> None:
    hall = Hall()
    hall.ruling(1)
    assert hall.no(hall.appeal(3, "r1")).code == "not-concerned"
    assert hall.told(hall.appeal(1, "r1"))[0].by == 1


# ---------------------------------------------------------------- once, and in time


@pytest.mark.parametrize(("upheld", "state"), [(None, "is open"), (False, "was rejected")])
def test_a_player_appeals_once_whatever_came_of_it(upheld: bool | None, state: str) -> None:
    hall = Hall()
    hall.ruling(1, "refusal_to_obey")
    hall.told(hall.appeal(1, "r1"))
    if upheld is not None:
        hall.told(co.DecideAppeal(APPEALS, "a2", upheld))
    for by in (None, ARBITER):
        refusal = hall.no(hall.appeal(1, "r1", by))
        assert (refusal.kind, refusal.code, refusal.article) == ("rule", "appealed-before", "002-X 8.5")
        assert f"a2 {state}" in str(refusal.detail)
    assert hall.told(hall.appeal(2, "r1"))[0].by == 2, "the opponent, whose game it decides, has his own"


@pytest.mark.parametrize(
    ("lodged", "code"),
    [
        ("2026-11-21T09:30:00.000000Z", None),
        ("2026-11-22T09:30:00.000000Z", None),
        ("2026-11-22T17:30:00+08:00", None),
        ("2026-11-22T09:30:00.000001Z", "appeal-too-late"),
        ("2026-11-22T17:30:01+08:00", "appeal-too-late"),
        ("2027-01-01T00:00:00Z", "appeal-too-late"),
        ("soon", "bad-time"),
        ("2026-11-21T10:00:00", "bad-time"),
        ("", "bad-time"),
    ],
)
@pytest.mark.parametrize("against", ["r1", "r2"])
def test_an_appeal_is_in_time_within_a_day_of_the_ruling_or_the_annulment(
    lodged: str, code: str | None, against: str
) -> None:
    """Instants are compared, not texts; the ruling was made at half past nine."""
    hall = Hall("xiangqi-1999")
    hall.ruling(1)
    if against == "r2":
        hall.annul("r1")
    answer = hall.decide(PENALTIES, hall.appeal(1, against, lodged=lodged))
    assert getattr(answer, "code", None) == code
    if code == "appeal-too-late":
        assert answer.article.startswith("house: one day")
        assert "until 2026-11-22T09:30:00+00:00" in str(answer.detail) and "annulled by appeals" in str(answer.detail)


@pytest.mark.parametrize("rule", [None, AppealRule(None, "the text sets none")])
def test_where_no_article_sets_a_deadline_there_is_none(rule: AppealRule | None) -> None:
    hall = Hall()
    regulations = books.load("campus")
    hall.happened(
        PAIRING, ev.RegulationsAdopted(replace(regulations, rulebook=replace(regulations.rulebook, appeals=rule)))
    )
    hall.ruling(1)
    assert hall.told(hall.appeal(1, "r1", lodged="2030-01-01T00:00:00Z"))[0].appeal == "a2"


# ---------------------------------------------------------------- who decides


def by_himself(hall: Hall, name: str) -> str:
    hall.ruling(1, by=Actor(name, "arbiter"))
    return "r1"


def by_what_it_rests_on(hall: Hall, name: str) -> str:
    for _ in range(2):
        hall.ruling(1)
    hall.ruling(1, by=Actor(name, "arbiter"))
    return "r4"


def by_annulling_it(hall: Hall, name: str) -> str:
    hall.ruling(1)
    hall.told(co.AnnulRuling(Actor(name, "appeals"), "r1"))
    return "r2"


def by_having_made_what_was_annulled(hall: Hall, name: str) -> str:
    hall.ruling(1, by=Actor(name, "chief_arbiter"))
    hall.annul("r1")
    return "r2"


@pytest.mark.parametrize("made", [by_himself, by_what_it_rests_on, by_annulling_it, by_having_made_what_was_annulled])
@pytest.mark.parametrize("upheld", [True, False])
def test_who_decided_does_not_decide_the_appeal(made: Callable[[Hall, str], str], upheld: bool) -> None:
    hall = Hall()
    ruling = made(hall, "li")
    (lodged,) = hall.told(hall.appeal(1, ruling))
    refusal = hall.no(co.DecideAppeal(Actor("li", "appeals"), lodged.appeal, upheld))
    assert (refusal.kind, refusal.code, refusal.article) == ("authority", "own-decision", "002-X 8.5")
    assert "li made the decision" in str(refusal.detail)
    assert hall.told(co.DecideAppeal(Actor("wang", "appeals"), lodged.appeal, upheld))


# ---------------------------------------------------------------- decisions 1


def of_decisions_1(regulations: Regulations) -> Regulations:
    return replace(regulations, decisions=1)


@pytest.mark.parametrize(("role", "name"), [("player", "player"), ("player", "3"), ("arbiter", "li")])
def test_by_decisions_1_an_appeal_is_anybodys_and_blocks_while_it_is_open(role: Role, name: str) -> None:
    hall = Hall()
    hall.happened(PAIRING, ev.RegulationsAdopted(of_decisions_1(books.load("campus"))))
    hall.ruling(1, game=G1)
    by = Actor(name, role)
    (lodged,) = hall.told(hall.appeal(4, "r1", by, "2030-01-01T00:00:00Z"))
    assert lodged.lodged == ""
    assert hall.no(hall.appeal(4, "r1", by)).code == "appeal-open"
    hall.told(co.DecideAppeal(Actor(ARBITER.name, "appeals"), "a2", False))
    assert hall.told(hall.appeal(4, "r1", by))
