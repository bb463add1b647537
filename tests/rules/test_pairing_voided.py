"""A pairing withdrawn after an annulled ruling, or void once its games have begun (issue 31, fault 6)."""

from dataclasses import replace

import pytest

from services.pairing.rules import commands as co
from shared import regulations
from shared.core import events as ev
from shared.core.rounds.matches import matches
from shared.core.terms import GAMES, PAIRING, PENALTIES, GameId, Refusal, RulingId
from tests.rules.formats_story import office, play_round
from tests.rules.pairing_story import CHIEF, LOSS, ORGANISER, WHY, WIN, Office, seats
from tests.rules.stage_story import annul, rule_result

G2 = GameId("T.1.2")
LOST = ev.Effect("set_marks", white=WIN, black=LOSS)
VOID = co.WithdrawPairing(CHIEF, 1, WHY, played=True)
SECOND = replace(regulations.load("fide-2026"), decisions=2)


def paired_and_ruled(rules=None) -> Office:
    """A round of two boards, with a ruling on the second that is annulled at once."""
    one = Office(4, rules=rules)
    one.pair()
    one.rule(LOST, player=1, game=G2)
    one.told(PENALTIES, ev.RulingAnnulled(RulingId("r2"), RulingId("r1"), "1", WHY))
    return one


def test_an_annulled_ruling_does_not_keep_a_pairing():
    one = paired_and_ruled()
    assert one.do(co.WithdrawPairing(CHIEF, 1, WHY)) == [ev.PairingWithdrawn(1, 1, WHY)]


def test_the_second_edition_counts_an_annulled_ruling():
    assert paired_and_ruled(SECOND).refused(co.WithdrawPairing(CHIEF, 1, WHY)).code == "round-begun"


def test_a_ruling_that_is_restored_keeps_a_pairing():
    one = paired_and_ruled()
    one.told(PENALTIES, ev.RulingAnnulled(RulingId("r3"), RulingId("r2"), "1", WHY))
    assert one.refused(co.WithdrawPairing(CHIEF, 1, WHY)).code == "round-begun"


def begun(rules=None) -> Office:
    """A round of two boards with one result."""
    one = Office(4, rules=rules)
    one.pair()
    one.told(GAMES, ev.ResultReported(G2, WIN, LOSS))
    return one


def test_a_begun_pairing_is_void_and_paired_again():
    one = begun()
    assert one.do(VOID) == [ev.PairingWithdrawn(1, 1, WHY, played=True)]
    assert (one.t.rounds_paired(), one.t.games_in_force()) == (0, [])
    again = one.pair((1, 3), (2, 4))
    assert (again.boards[0].game, one.t.games_in_force()[0].round) == ("T.2.1", 1)


def test_a_pairing_that_has_not_begun_is_withdrawn_and_not_void():
    one = Office(4)
    one.pair()
    assert one.do(VOID) == [ev.PairingWithdrawn(1, 1, WHY)]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (co.WithdrawPairing(CHIEF, 1, WHY), "round-begun"),
        (replace(VOID, reason=None), "reason-missing"),
        (replace(VOID, actor=ORGANISER), "role-may-not"),
        (replace(VOID, round=2), "unknown-round"),
    ],
)
def test_voiding_is_refused(command, code):
    assert begun().refused(command).code == code


def test_a_later_round_is_taken_back_first():
    one = Office(4)
    one.play((1, 2), (3, 4))
    one.pair()
    assert one.refused(VOID).code == "later-round-paired"


def test_the_second_edition_voids_no_pairing():
    assert begun(SECOND).refused(VOID).code == "edition-before"


def test_the_refusal_of_a_begun_pairing_says_how_it_is_voided():
    refusal = begun().refused(co.WithdrawPairing(CHIEF, 1, WHY))
    assert "played: true" in str(refusal.detail) and "board 2" in str(refusal.detail)


def test_a_player_who_left_during_a_void_round_is_not_paired_again():
    one = begun()
    one.do(one.leave(4))
    one.do(VOID)
    assert 4 not in {side for board in seats(one.pair()) for side in board}


def test_a_player_who_came_back_during_a_void_round_is_paired_again():
    one = Office(4)
    one.play((1, 2), (3, 4))
    one.do(one.leave(4))
    one.pair()
    one.do(co.ReturnPlayer(ORGANISER, 4))
    one.do(replace(VOID, round=2))
    assert 4 in {side for board in seats(one.pair()) for side in board}


def test_a_lot_is_dropped_with_a_pairing_that_is_withdrawn_before_play():
    """A ruling on a game that nobody played led to the lot, and was annulled."""
    cup = office(2, "match")
    ruling = rule_result(cup, cup.pair().boards[0], "=")
    cup.do(co.DrawLots(CHIEF, 1, 5))
    annul(cup, ruling)
    cup.do(co.WithdrawPairing(CHIEF, 1, WHY))
    play_round(cup, lambda board: "=")
    assert cup.refused(cup.by_engine()).code == "match-drawn"


def test_a_lot_drawn_on_a_void_match_does_not_decide_it():
    one = office(2, "match", games=1)
    while not isinstance(one.world.decide(PAIRING, one.by_engine()), Refusal):
        play_round(one, lambda board: "=")
    one.do(co.DrawLots(CHIEF, 1, 5))
    assert matches(one.t)[1].winner
    for round in range(one.t.rounds_paired(), 0, -1):
        one.do(replace(VOID, round=round))
    play_round(one, lambda board: "=")
    assert not one.t.lots and not matches(one.t)[1].winner
