"""Claims that accuse the other side of what no sheet shows: they wait for an arbiter, and the same act counts once."""

from dataclasses import replace
from typing import Any

import pytest

from services.games.rules.commands import DecideClaim, MakeClaim, PlayMoves, ReportResults, Result, TakeBack, TakeStep
from shared.core.events import ClaimDecided, ClaimMade, ClaimPending, ClaimSettled, FindingMade, RegulationsAdopted
from shared.core.readings.claims import claim_state, pending_claims
from shared.core.state.grounds import english_text
from shared.core.terms import PAIRING, Actor
from shared.regulations import load
from tests.rules.games_court import Court, decided, findings
from tests.rules.games_hall import ARBITER, BOARD, CHIEF, DRAW, G1, LOSS, PLAYER, WIN, moves

IDLE = "a0a1 a9a8 a1a0 a8a9"
KO = "D5 E5 C4 F4 D3 E3 K10 D4 E4"
ONE, TWO = Actor("1", "player", "t7"), Actor("2", "player", "t8")


def court(game: str, regulations: str, said: str) -> Court:
    hall = Court(game, regulations)
    hall.play(said)
    return hall


def xiangqi(said: str = IDLE) -> Court:
    return court("xiangqi", "xiangqi-1999", said)


def decide(hall: Court, claim: str = "c1", upheld: bool = True, by: Actor = ARBITER) -> list[Any]:
    return hall.do(DecideClaim(by, G1, claim, upheld))


def states(hall: Court) -> dict[str, str]:
    return {one.event.claim: claim_state(hall.t, one) for one in hall.t.claims.values()}


# ---------------------------------------------------------------- it waits


@pytest.mark.parametrize("by", [PLAYER, BOARD, TWO])
def test_a_side_that_accuses_the_other_decides_nothing(by: Actor) -> None:
    """002-X 4.1.6."""
    hall = xiangqi()
    written = hall.claims("illegal_move", "black", "b0b2", by=by)
    assert written == [
        ClaimMade(4, "black", "illegal_move", "b0b2", id="c1"),
        ClaimPending("c1", G1, "illegal_move", 4, "black", 2, 1, written[1].article, "b0b2"),
    ]
    assert written[1].article and hall.rulings() == [] and hall.marks(G1) is None
    assert states(hall) == {"c1": "pending"}
    assert hall.play("a0a1"), "moves are still taken"


def test_by_the_first_edition_of_decisions_it_convicts_at_once_and_has_no_id() -> None:
    hall = Court("xiangqi", "xiangqi-1999")
    hall.said(PAIRING, RegulationsAdopted(replace(load("xiangqi-1999"), decisions=1)))
    hall.play(IDLE)
    written = hall.claims("illegal_move", "black", "b0b2")
    assert written[0] == ClaimMade(4, "black", "illegal_move", "b0b2")
    assert (decided(written).id, findings(written), hall.marks(G1)) == ("", [("illegal_move", 1)], (LOSS, WIN))


def test_what_the_sheet_contradicts_is_denied_at_once() -> None:
    hall = xiangqi()
    written = hall.claims("illegal_move", "black", "a0a1")
    assert (decided(written).upheld, english_text(decided(written).grounds), hall.t.claims) == (
        False,
        "a0a1 is legal",
        {},
    )


def test_what_the_sheet_shows_is_decided_at_once() -> None:
    """000-A 五子棋, H: the stone is on the sheet. 002-X 22: so is a reading of nothing."""
    hall = court("chess", "campus", "e2e4")
    hall.do(PlayMoves(BOARD, G1, 2, moves("e7e5", 0)))
    assert findings(hall.claims("flag", "white")) == [("flag", 2)]


@pytest.mark.parametrize(
    ("claim", "move", "squares", "code"),
    [
        ("illegal_move", None, (), "move-missing"),
        ("illegal_move", "nonsense", (), "unreadable-move"),
        ("touch", None, (), "squares-missing"),
        ("touch", None, ("e5",), "empty-square"),
    ],
)
def test_what_is_no_claim_is_refused_and_does_not_wait(claim: Any, move: Any, squares: Any, code: str) -> None:
    hall = xiangqi()
    assert hall.refused(MakeClaim(PLAYER, G1, "black", claim, move, squares)).code == code


# ---------------------------------------------------------------- it is decided


def test_upheld_it_is_what_an_arbiter_states() -> None:
    """002-X 4.1.6."""
    hall = xiangqi()
    hall.claims("illegal_move", "black", "b0b2")
    written = decide(hall)
    clocks = {"white": 5400, "black": 5400}
    assert written[0] == ClaimDecided(
        4, "illegal_move", True, written[0].article, written[0].grounds, id="c1", clocks=clocks
    )
    assert written[1] == ClaimSettled("c1", G1, True) and findings(written) == [("illegal_move", 1)]
    assert written[2].finding == f"f{hall.t.counts['/services/games']}"
    assert hall.rulings() == [("illegal_move", "set_marks", None, "002-X 4.1.6")] and hall.marks(G1) == (LOSS, WIN)


def test_denied_nothing_follows() -> None:
    hall = xiangqi()
    hall.claims("illegal_move", "black", "b0b2")
    written = decide(hall, upheld=False)
    assert [type(one) for one in written] == [ClaimDecided, ClaimSettled] and decided(written).article
    assert (hall.rulings(), states(hall)) == ([], {"c1": "denied"})
    assert hall.play("a0a1")


def test_a_ko_upheld_costs_the_turn() -> None:
    """000-A 围棋, 行棋 4."""
    hall = court("go", "go-campus", KO)
    hall.claims("illegal_move", "black", "D4")
    written = decide(hall)
    assert [getattr(one, "step", None) for one in written[:2]] == [None, "lose_turn"]
    assert hall.rulings() == [("ko_without_a_threat", "warn", None, "000-A 围棋, 行棋 4")]
    assert hall.play("Q16")[0].ply == 11


def test_a_touch_upheld_binds_the_move() -> None:
    """002-X 5.1."""
    hall = xiangqi("h2e2")
    hall.do(MakeClaim(PLAYER, G1, "white", "touch", squares=("b9",)))
    assert decided(decide(hall)).due == ("b9a7", "b9c7")
    assert hall.refused(PlayMoves(BOARD, G1, 2, moves("h9g7"))).code == "touched-piece"


def test_once_the_game_has_gone_on_what_was_done_is_found_at_its_own_ply() -> None:
    """002-X 5.1, 9.1.5; 000-A 围棋, 行棋 4."""
    go = court("go", "go-campus", KO)
    go.claims("illegal_move", "black", "D4")
    go.play("Q16 Q4")
    written = decide(go)
    assert not [one for one in written if hasattr(one, "step")], "the turn has passed"
    assert [(one.kind, one.ply) for one in written if isinstance(one, FindingMade)] == [("illegal_move", 9)]
    touched = xiangqi("h2e2")
    touched.do(MakeClaim(PLAYER, G1, "white", "touch", squares=("d9", "a0")))
    touched.play("h9g7 h0g2 b9c7")
    written = decide(touched)
    assert (decided(written).upheld, decided(written).due) == (True, ())
    assert "has gone on since" in english_text(decided(written).grounds)
    assert [(one.kind, one.player, one.ply) for one in written if isinstance(one, FindingMade)] == [
        ("uncapturable_touch", 2, 1)
    ]
    assert touched.play("i0i1")


def test_moves_taken_back_do_not_take_the_claim_with_them() -> None:
    hall = xiangqi()
    hall.claims("illegal_move", "black", "b0b2")
    hall.do(TakeBack(ARBITER, G1, 2, "agreement"))
    assert states(hall) == {"c1": "pending"}
    assert findings(decide(hall)) == [("illegal_move", 1)]


def test_a_touch_that_waits_binds_once_the_move_after_it_is_taken_back() -> None:
    hall = xiangqi("h2e2")
    hall.do(MakeClaim(PLAYER, G1, "white", "touch", squares=("b9",)))
    hall.play("h9g7")
    hall.do(TakeBack(ARBITER, G1, 1, "misrecorded"))
    assert decided(decide(hall)).due == ("b9a7", "b9c7")


def test_a_flag_that_no_sheet_shows_is_found_where_an_arbiter_upholds_it() -> None:
    hall = court("chess", "campus", "e2e4 e7e5")
    hall.claims("flag", "black")
    assert findings(decide(hall)) == [("flag", 1)] and hall.marks(G1) == (LOSS, WIN)


def test_in_an_adjourned_game_a_touch_binds_no_sealed_move() -> None:
    hall = court("chess", "campus", "e2e4")
    hall.do(MakeClaim(PLAYER, G1, "white", "touch", squares=("e8",)))
    hall.do(TakeStep(BOARD, G1, "black", "adjourn", ("0" * 64,)))
    written = decide(hall)
    assert (decided(written).due, findings(written)) == ((), [("unmovable_touch", 2)])


def test_colours_put_right_since_are_those_of_the_claim() -> None:
    """000-A 国际象棋, 不合规则 5."""
    hall = court("chess", "campus", "g1f3 g8f6 f3g1 f6g8 " * 5)
    hall.claims("illegal_move", "black", "e1e5")
    hall.do(TakeStep(CHIEF, G1, "white", "correct_colours"))
    assert findings(decide(hall)) == [("illegal_move", 2)], "who has White's pieces sits on Black's seat"


# ---------------------------------------------------------------- by whom


@pytest.mark.parametrize("by", [PLAYER, BOARD, Actor("x", "organiser"), Actor("x", "appeals")])
def test_who_is_no_arbiter_decides_no_claim(by: Actor) -> None:
    hall = xiangqi()
    hall.claims("illegal_move", "black", "b0b2")
    assert hall.refused(DecideClaim(by, G1, "c1", True)).code == "role-may-not"


@pytest.mark.parametrize("name", ["anna", "1", "2"])
def test_who_claimed_or_is_accused_decides_nothing(name: str) -> None:
    hall = xiangqi()
    hall.claims("illegal_move", "black", "b0b2")
    refusal = hall.refused(DecideClaim(Actor(name, "arbiter", "t9"), G1, "c1", True))
    assert (refusal.kind, refusal.code) == ("authority", "own-claim")
    assert decide(hall, by=CHIEF)


def test_a_claim_is_decided_once_and_only_where_it_waits() -> None:
    hall = xiangqi()
    assert hall.refused(DecideClaim(ARBITER, G1, "c1", True)).code == "unknown-claim"
    hall.claims("illegal_move", "black", "b0b2")
    decide(hall, upheld=False)
    refusal = hall.refused(DecideClaim(CHIEF, G1, "c1", True))
    assert (refusal.code, str(refusal.detail), refusal.see) == (
        "claim-decided",
        f"claim c1 of {G1} was denied",
        f"/v1/games/{G1}/sheet",
    )
    hall.claims("illegal_move", "black", "a0a1")
    assert hall.refused(DecideClaim(CHIEF, G1, "c2", True)).code == "claim-decided", "the sheet decided it"


# ---------------------------------------------------------------- once


@pytest.mark.parametrize("again", ["b0b2", "B0B2", "b0-b2"])
@pytest.mark.parametrize("by", [PLAYER, BOARD, ARBITER])
def test_the_same_act_is_claimed_once(by: Actor, again: str) -> None:
    hall = xiangqi()
    hall.claims("illegal_move", "black", "b0b2")
    refusal = hall.no_claim("illegal_move", "black", again, by=by)
    assert (refusal.code, refusal.see) == ("claim-made", f"/v1/games/{G1}/claims/c1/decision")
    assert refusal.article and "c1" in str(refusal.detail)


def test_the_same_act_stated_again_by_an_arbiter_is_found_once() -> None:
    """Laws 7.5.5: the second illegal move loses; the first one said again does not."""
    hall = court("chess", "fide-2026", "e2e4")
    assert findings(hall.claims("illegal_move", "white", "e8e6", by=ARBITER)) == [("illegal_move", 2)]
    for side in ("white", None):
        refusal = hall.refused(MakeClaim(CHIEF, G1, side, "illegal_move", "e8e6"))
        assert (refusal.code, refusal.see) == ("claim-made", f"/v1/games/{G1}/sheet")
    assert hall.no_claim("illegal_move", "white", "e8e6").code == "claim-made"
    assert hall.marks(G1) is None
    hall.claims("illegal_move", "white", "e8e5", by=ARBITER)
    assert hall.marks(G1) == (WIN, LOSS), "another illegal move is another act"


def test_what_a_side_was_denied_an_arbiter_may_state_and_the_side_may_not_claim_again() -> None:
    hall = xiangqi()
    hall.claims("illegal_move", "black", "b0b2")
    decide(hall, upheld=False)
    assert hall.no_claim("illegal_move", "black", "b0b2").code == "claim-made"
    assert findings(hall.claims("illegal_move", "black", "b0b2", by=CHIEF)) == [("illegal_move", 1)]


def test_a_false_claim_said_again_costs_nothing_more() -> None:
    """002-X 23.3."""
    hall = xiangqi()
    hall.claims("natural_limit", "black")
    for by in (PLAYER, ARBITER):
        assert hall.no_claim("natural_limit", "black", by=by).code == "claim-made"
    assert len(hall.rulings()) == 2, "one foul, five minutes"


def test_a_flag_is_claimed_again_once_the_first_claim_was_denied() -> None:
    """Time runs while nobody moves."""
    hall = court("chess", "campus", "e2e4 e7e5")
    hall.claims("flag", "black")
    assert hall.no_claim("flag", "black").code == "claim-made"
    decide(hall, upheld=False)
    hall.claims("flag", "black")
    assert findings(decide(hall, "c2")) == [("flag", 1)]


def test_a_touch_stated_again_after_another_takes_its_place() -> None:
    """002-X 5.6."""
    hall = xiangqi("h2e2")
    touch = MakeClaim(ARBITER, G1, None, "touch", squares=("b9",))
    hall.do(touch)
    assert hall.refused(touch).code == "claim-made"
    hall.do(replace(touch, squares=()))
    assert hall.state().pending.due == ()
    hall.do(touch)
    assert hall.state().pending.due == ("b9a7", "b9c7")


def test_a_futile_touch_that_was_found_is_not_found_again_by_the_players_claim() -> None:
    """002-X 9.1.6."""
    hall = xiangqi("h2e2")
    hall.do(MakeClaim(PLAYER, G1, "white", "touch", squares=("a0", "b9")))
    assert findings(hall.do(MakeClaim(ARBITER, G1, None, "touch", squares=("a0",)))) == [("uncapturable_touch", 2)]
    assert findings(decide(hall)) == []
    gone_on = xiangqi("h2e2")
    gone_on.do(MakeClaim(PLAYER, G1, "white", "touch", squares=("a0", "b9")))
    gone_on.do(MakeClaim(ARBITER, G1, None, "touch", squares=("a0",)))
    gone_on.play("h9g7")
    assert findings(decide(gone_on)) == []


def test_a_futile_touch_that_was_withdrawn_is_found_by_the_players_claim() -> None:
    """002-X 9.1.6."""
    hall = xiangqi("h2e2")
    hall.do(MakeClaim(PLAYER, G1, "white", "touch", squares=("a0", "b9")))
    for squares in (("a0",), ()):
        hall.do(MakeClaim(ARBITER, G1, None, "touch", squares=squares))
    assert [finding.withdrawn is not None for finding in hall.t.findings.values()] == [True]
    assert findings(decide(hall)) == [("uncapturable_touch", 2)]


# ---------------------------------------------------------------- it lapses


def test_a_result_from_the_hall_lapses_it() -> None:
    hall = xiangqi()
    hall.claims("illegal_move", "black", "b0b2")
    hall.do(ReportResults(ARBITER, (Result(G1, DRAW, DRAW),)))
    refusal = hall.refused(DecideClaim(ARBITER, G1, "c1", True))
    assert (states(hall), refusal.code, refusal.see) == ({"c1": "lapsed"}, "claim-lapsed", f"/v1/games/{G1}")


def test_the_end_of_the_game_lapses_it() -> None:
    hall = xiangqi()
    hall.claims("illegal_move", "black", "b0b2")
    hall.claims("resignation", "black")
    assert (states(hall), pending_claims(hall.t)) == ({"c1": "lapsed"}, [])


def test_a_ruling_lapses_it_until_it_falls() -> None:
    hall = xiangqi()
    hall.claims("illegal_move", "black", "b0b2")
    ruling = hall.ruled(G1, WIN, LOSS)
    assert hall.refused(DecideClaim(ARBITER, G1, "c1", True)).code == "claim-lapsed"
    hall.annulled(ruling)
    assert states(hall) == {"c1": "pending"}
    assert findings(decide(hall)) == [("illegal_move", 1)]
