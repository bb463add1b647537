"""Pairings and tables that are outdated, and the acts that settle them (002-X 11.1, 11.3)."""

from dataclasses import replace
from typing import Any

import pytest

from services.pairing.rules import commands as co
from shared import regulations
from shared.core import events as ev
from shared.core.events import PairingUpheld
from shared.core.readings.outdated_bases import OutdatedBasis, find_outdated_bases
from shared.core.readings.settlement import (
    Settlement,
    basis_from_data,
    basis_to_data,
    describe,
    may_have_bases,
    open_bases,
    settlements,
)
from shared.core.rounds.matches import places
from shared.core.terms import GAMES, Actor, Refusal
from tests.rules.formats_story import CAMPUS, office, play_out, play_round, publish
from tests.rules.pairing_story import CHIEF, LOSS, MARKS, ORGANISER, WHY, Office


def correct(one: Office, round: int, match: int) -> ev.Board:
    """Reverse the result of a match's board; the board."""
    pairing = one.t.current(round)
    assert pairing is not None
    (number,) = next(m.boards for m in pairing.event.matches if m.match == match)
    board = next(b for b in pairing.event.boards if b.board == number)
    setting = one.t.setting(one.t.games[board.game])
    assert setting is not None
    one.told(GAMES, ev.ResultCorrected(board.game, *MARKS["0-1" if setting.white.points else "1-0"], WHY))
    return board


def cup(rules: Any = None) -> Office:
    """A knock-out of eight: the smaller number wins in two rounds, the final is paired, match 5 is corrected (4 and not 1)."""
    one = Office(8, 0, "knockout", seed=7, rules=rules or CAMPUS)
    play_round(one)
    play_round(one)
    one.pair()
    correct(one, 2, 5)
    return one


def difference(one: Office) -> OutdatedBasis:
    (basis,) = open_bases(one.t)
    return basis


def uphold(basis: OutdatedBasis, actor: Actor = CHIEF, **other: Any) -> co.UpholdPairing:
    event = PairingUpheld(basis.pairing, basis.match, basis.seated, basis.due, WHY)
    return co.UpholdPairing(actor, replace(event, **other))


def champion(one: Office) -> list[int]:
    return [side for side, place in places(one.t).items() if place == 1]


def test_a_correction_behind_a_bracket_is_named_with_article_and_ways():
    one = cup()
    basis = difference(one)
    assert (basis.kind, basis.round, basis.match, basis.article) == ("match", 3, 7, "002-X 11.1")
    assert (basis.seated, basis.due) == ((1, 2), (2, 4))
    assert str(describe(one.t, basis)) == (
        "round 3, match 7: players 1, 2 are seated, but players 2, 4 would be seated now"
    )
    assert settlements(one.t, basis) == (Settlement("withdraw", (3,)), Settlement("uphold", (3,)))
    assert basis_from_data(basis_to_data(one.t, basis)) == basis


def test_a_round_to_be_withdrawn_names_the_later_ones_first():
    one = Office(8, 0, "knockout", seed=7, rules=CAMPUS)
    for _ in range(3):
        play_round(one)
    correct(one, 1, 1)
    first, *_ = open_bases(one.t)
    assert settlements(one.t, first)[0] == Settlement("void", (3, 2))


def test_the_next_round_is_refused_with_article_and_ways():
    one = Office(8, 0, "knockout", seed=7, rules=CAMPUS)
    play_round(one)
    play_round(one)
    correct(one, 1, 1)
    refusal = one.refused(one.by_engine())
    assert (refusal.kind, refusal.code, refusal.article) == ("rule", "basis-outdated", "002-X 11.1")
    assert refusal.see == "/v1/tournaments/T/integrity"
    for way in ("void the pairing of round 2", "uphold the pairing of round 2"):
        assert way in str(refusal.detail)


def test_a_pairing_by_hand_is_refused_too():
    one = Office(8, 0, "knockout", seed=7, rules=CAMPUS)
    play_round(one)
    play_round(one)
    correct(one, 1, 1)
    assert one.refused(one.by_hand((1, 2))).code == "basis-outdated"


def test_a_withdrawn_final_is_paired_with_the_new_winner():
    one = cup()
    one.do(co.WithdrawPairing(CHIEF, 3, WHY))
    assert open_bases(one.t) == ()
    final = one.pair()
    assert {final.boards[0].white, final.boards[0].black} == {2, 4}
    one.results("1-0" if final.boards[0].white == 4 else "0-1")
    assert champion(one) == [4]


def test_a_void_final_is_played_again_with_the_new_winner():
    one = cup()
    one.results("1-0")
    assert one.refused(co.WithdrawPairing(CHIEF, 3, WHY)).code == "round-begun"
    one.do(co.WithdrawPairing(CHIEF, 3, WHY, played=True))
    assert open_bases(one.t) == ()
    final = one.pair()
    assert {final.boards[0].white, final.boards[0].black} == {2, 4}
    one.results("1-0" if final.boards[0].white == 4 else "0-1")
    assert champion(one) == [4]


def test_an_upheld_final_decides_among_the_sides_seated():
    one = cup()
    basis = difference(one)
    assert one.do(uphold(basis)) == [ev.PairingUpheld(3, 7, (1, 2), (2, 4), WHY)]
    assert open_bases(one.t) == ()
    final = one.t.current(3).event.boards[0]
    one.results("1-0" if final.white == 1 else "0-1")
    assert champion(one) == [1]
    assert one.refused(one.by_engine()).code == "no-round-left"


def test_another_change_opens_an_upheld_pairing_again():
    one = cup()
    one.do(uphold(difference(one)))
    correct(one, 2, 6)
    assert difference(one).due != (2, 4)


def test_a_change_taken_back_leaves_nothing_to_settle():
    one = cup()
    correct(one, 2, 5)
    assert open_bases(one.t) == ()
    assert (
        one.refused(uphold(OutdatedBasis("match", 3, 3, 7, (1,), (1, 2), (2, 4), 0, ""))).code == "basis-not-outdated"
    )


@pytest.mark.parametrize(
    ("other", "code"),
    [
        ({"actor": ORGANISER}, "role-may-not"),
        ({"pairing": 9}, "unknown-pairing"),
        ({"due": (1, 4)}, "basis-not-outdated"),
        ({"match": 6}, "basis-not-outdated"),
        ({"pairing": 2}, "basis-not-outdated"),
    ],
)
def test_upholding_is_refused(other, code):
    one = cup()
    assert one.refused(uphold(difference(one), **other)).code == code


def test_what_was_upheld_is_not_upheld_twice():
    one = cup()
    basis = difference(one)
    one.do(uphold(basis))
    assert one.refused(uphold(basis)).code == "pairing-upheld"


def test_a_pairing_is_upheld_after_the_final_table():
    one = Office(8, 0, "knockout", seed=7, rules=CAMPUS)
    play_out(one)
    one.close()
    correct(one, 2, 5)
    basis = difference(one)
    assert [way.act for way in settlements(one.t, basis)] == ["uphold"]
    assert one.refused(co.WithdrawPairing(CHIEF, 3, WHY, played=True)).code == "tournament-closed"
    one.do(uphold(basis))
    assert champion(one) == [1]


SECOND = replace(CAMPUS, decisions=2)


def test_the_second_edition_lists_and_refuses_nothing():
    one = cup(SECOND)
    assert len(find_outdated_bases(one.t)) == 1
    assert open_bases(one.t) == ()
    basis = find_outdated_bases(one.t)[0]
    assert one.refused(uphold(basis)).code == "edition-before"
    one.results("1-0")
    answer = one.world.decide("/services/pairing", one.by_engine())
    assert isinstance(answer, Refusal) and answer.code == "no-round-left"


def test_a_swiss_has_no_basis():
    one = Office(4, rules=regulations.load("fide-2026"))
    one.pair()
    assert not may_have_bases(one.t)


# ---------------------------------------------------------------- published tables


def groups() -> Office:
    """Two groups of four after their three rounds, the table published: 1, 3, 5, 7 were drawn into one of them."""
    one = office(8, "groups", groups=2, qualifiers=2)
    for _ in range(3):
        play_round(one)
    publish(one, *([side] for side in range(1, 9)))
    return one


def test_finals_wait_for_a_table_that_changed():
    """Issue 31, fault 5."""
    one = groups()
    board = one.t.current(3).event.boards[0]
    one.told(GAMES, ev.ResultCorrected(board.game, LOSS, LOSS, WHY))
    refusal = one.refused(one.by_engine())
    assert (refusal.code, refusal.article) == ("basis-outdated", "002-X 11.3")
    assert "publish the table after round 3 again" in str(refusal.detail)
    publish(one, [2], [1], *([side] for side in range(3, 9)))
    assert open_bases(one.t) == ()
    assert set(one.pair().groups[0]) == {1, 2, 3, 4}


def test_finals_made_from_a_table_that_changed_are_settled_in_order():
    one = groups()
    paired = one.pair()
    seated = paired.groups[0]
    board = one.t.current(3).event.boards[0]
    one.told(GAMES, ev.ResultCorrected(board.game, LOSS, LOSS, WHY))
    assert [basis.kind for basis in open_bases(one.t)] == ["publication"]
    told = ev.StandingsPublished((), "2026", 3, False, order=tuple((s,) for s in (5, 6, 7, 8, 1, 2, 3, 4)))
    one.told("/services/standings", told)
    basis = difference(one)
    assert (basis.kind, basis.round, basis.seated) == ("qualifiers", 4, seated)
    assert set(basis.due) == {5, 6, 7, 8}
    one.do(co.WithdrawPairing(CHIEF, 4, WHY))
    assert set(one.pair().groups[0]) == {5, 6, 7, 8}
