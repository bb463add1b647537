"""Retractions: who takes back a slip, until when, and what falls with it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from services.penalties.rules import commands as co
from shared import regulations as books
from shared.core import events as ev
from shared.core.rulebook.regulations import Regulations
from shared.core.terms import PAIRING, PENALTIES, STANDINGS, Actor, TextRef
from tests.rules.hall import APPEALS, ARBITER, CHIEF, DEPUTY, G1, ORGANISER, PLAYER, Hall

WHY = TextRef("5" * 64)
OTHER = Actor("another", "arbiter", "t9")


def retract(ruling: str, by: Actor = ARBITER) -> co.RetractRuling:
    return co.RetractRuling(by, ruling, WHY)


def paired(hall: Hall, round: int, number: int) -> None:
    boards = (ev.Board(1, f"T.{number}.1", 1, 3), ev.Board(2, f"T.{number}.2", 2, 5))
    hall.happened(PAIRING, ev.RoundPaired(round, number, boards, (ev.ByeSeat(4, "U"),)))


def published(hall: Hall, round: int) -> None:
    hall.happened(STANDINGS, ev.StandingsPublished(("BH",), "2026", round, False))


def standing(hall: Hall) -> list[str]:
    return [id for id in hall.tournament.rulings if hall.tournament.is_in_force(id)]


@pytest.mark.parametrize("by", [ARBITER, CHIEF])
def test_a_slip_is_retracted_by_who_made_it_or_by_the_chief_arbiter(by: Actor) -> None:
    hall = Hall()
    hall.ruling(1)
    (written,) = hall.told(retract("r1", by))
    assert (written.annuls, written.retracted, written.reason) == ("r1", True, WHY)
    assert standing(hall) == []


@pytest.mark.parametrize(
    ("by", "code"),
    [
        (OTHER, "not-the-maker"),
        (DEPUTY, "not-the-maker"),
        (ORGANISER, "not-the-maker"),
        (APPEALS, "not-the-maker"),
        (Actor(ARBITER.name, "organiser"), "not-the-maker"),
        (PLAYER, "role-may-not"),
        (Actor(ARBITER.name, "player"), "role-may-not"),
        (Actor("screen", "board"), "role-may-not"),
        (Actor("reader", "auditor"), "role-may-not"),
    ],
)
def test_nobody_else_retracts_it_and_a_name_in_another_office_is_somebody_else(by: Actor, code: str) -> None:
    hall = Hall()
    hall.ruling(1)
    refusal = hall.no(retract("r1", by))
    assert (refusal.kind, refusal.code) == ("authority", code)
    assert refusal.article is not None and refusal.article.startswith("house: a slip")
    assert "chief" in str(refusal.detail)


def test_what_rested_on_the_slip_falls_and_the_same_act_may_be_ruled_again() -> None:
    """000-A 2.7: the third foul loses; a retraction is no pardon."""
    hall = Hall()
    for _ in range(3):
        hall.ruling(1)
    assert hall.result() == "0-2"
    hall.told(retract("r3"))
    assert (standing(hall), hall.result()) == (["r1", "r2"], None)
    foul, loss = hall.ruling(1)
    assert loss.because == ("r1", "r2", foul.ruling)
    assert hall.result() == "0-2"


def test_of_two_slips_one_leaves_the_loss_to_the_others() -> None:
    hall = Hall()
    for _ in range(4):
        hall.ruling(1)
    _, again = hall.told(retract("r2"))
    assert again.because == ("r1", "r3", "r5")
    assert hall.result() == "0-2"


def by_the_ladder(hall: Hall) -> tuple[str, str]:
    for _ in range(3):
        hall.ruling(1)
    return "r4", "r1, r2, r3"


def by_a_finding(hall: Hall) -> tuple[str, str]:
    hall.found("illegal_move", 1)
    return next(iter(hall.tournament.rulings)), "finding f1"


def by_an_arrival(hall: Hall) -> tuple[str, str]:
    hall.arrival(1, None)
    return next(iter(hall.tournament.rulings)), "depends on arrival a1: retract or correct that instead"


@pytest.mark.parametrize("made", [by_the_ladder, by_a_finding, by_an_arrival])
@pytest.mark.parametrize("by", [ARBITER, CHIEF])
def test_what_the_rulebook_made_is_nobodys_slip(made: Callable[[Hall], tuple[str, str]], by: Actor) -> None:
    hall = Hall()
    ruling, rests = made(hall)
    refusal = hall.no(retract(ruling, by))
    assert (refusal.kind, refusal.code, refusal.article) == ("rule", "rulebook-decided", "002-X 8.5")
    assert rests in str(refusal.detail) and "annulled by appeals" in str(refusal.detail)


def test_a_slip_is_one_until_the_next_round_is_paired() -> None:
    hall = Hall()
    hall.ruling(1)
    paired(hall, 2, 2)
    refusal = hall.no(retract("r1"))
    assert (refusal.code, refusal.article) == ("round-paired", "002-X 8.5")
    assert "round 2 was paired" in str(refusal.detail) and refusal.see == "/v1/tournaments/T/rulings/r1/annulment"
    assert hall.no(retract("r1", CHIEF)).code == "round-paired"
    hall.happened(PAIRING, ev.PairingWithdrawn(2, 2))
    assert hall.told(retract("r1"))[0].retracted


def test_a_ruling_on_an_earlier_round_may_be_a_slip_until_the_round_after_it() -> None:
    hall = Hall()
    paired(hall, 2, 2)
    hall.ruling(1, game=G1)
    assert hall.told(retract("r1"))[0].annuls == "r1"
    hall.ruling(1, game=G1)
    paired(hall, 3, 3)
    assert hall.no(retract("r3")).code == "round-paired"


@pytest.mark.parametrize(("round", "code"), [(0, None), (1, "table-published")])
def test_a_slip_is_one_until_a_table_with_its_round_is_published(round: int, code: str | None) -> None:
    hall = Hall()
    hall.ruling(1)
    published(hall, round)
    answer = hall.decide(PENALTIES, retract("r1"))
    assert getattr(answer, "code", None) == code


def test_a_table_from_before_the_ruling_does_not_hold_it() -> None:
    hall = Hall()
    published(hall, 1)
    hall.ruling(1)
    assert hall.told(retract("r1"))[0].retracted


def test_an_annulment_is_retracted_by_the_same_rule_and_what_it_took_stands_again() -> None:
    hall = Hall()
    hall.ruling(1)
    hall.annul("r1")
    assert hall.no(retract("r2", ARBITER)).code == "not-the-maker"
    hall.told(retract("r2", APPEALS))
    assert standing(hall) == ["r1"]
    # and so is a retraction
    hall.told(retract("r3", APPEALS))
    assert standing(hall) == []
    assert hall.no(retract("r1")).code == "not-standing"


def test_what_an_appeal_decided_is_nobodys_slip() -> None:
    hall = Hall()
    hall.ruling(1)
    hall.told(hall.appeal(1, "r1", CHIEF))
    hall.told(co.DecideAppeal(APPEALS, "a2", True))
    refusal = hall.no(retract("r4", APPEALS))
    assert (refusal.code, refusal.article) == ("appeal-decided", "002-X 8.5")
    assert "appeal a2" in str(refusal.detail)


def test_what_there_is_not_is_not_retracted() -> None:
    assert (Hall().no(retract("r7")).kind, Hall().no(retract("r7")).code) == ("unknown", "unknown-ruling")


def test_a_rulebook_of_decisions_1_knows_no_retraction() -> None:
    hall = Hall()
    hall.ruling(1)
    hall.happened(PAIRING, ev.RegulationsAdopted(of_decisions_1(books.load("campus"))))
    refusal = hall.no(retract("r1"))
    assert (refusal.kind, refusal.code, refusal.article) == ("rule", "no-retraction", "002-X 8.5")


def of_decisions_1(regulations: Regulations) -> Regulations:
    """As it was adopted before: without the row."""
    book = regulations.rulebook
    rows = tuple(row for row in book.authority if row.act != "retract")
    return replace(regulations, decisions=1, rulebook=replace(book, authority=rows))


@pytest.mark.parametrize(("ruling", "who"), [("r1", ARBITER), ("r2", APPEALS)])
def test_a_retraction_comes_back_from_its_event(ruling: str, who: Actor) -> None:
    hall = Hall()
    hall.ruling(1)
    hall.annul("r1") if ruling == "r2" else None
    command: Any = retract(ruling, who)
    written = hall.do(PENALTIES, command)
    assert hall.rules[PENALTIES].command_of(written, ()) == command
