"""Chess claims on a score sheet (000-A 国际象棋, 对局结束 5, 10-14, 不合规则 1; Laws 6.9, 7.5, 9.2-9.5)."""

import pytest

from services.games.rules.commands import Move, PlayMoves
from services.penalties.rules.commands import AnnulRuling
from shared.core.events import ClaimDecided, ClaimMade
from shared.core.state.grounds import english_text, ground
from shared.core.terms import PENALTIES, Actor
from tests.rules.games_court import Court, decided, end, findings
from tests.rules.games_hall import ARBITER, BOARD, DRAW, G1, LOSS, WIN

TO_AND_FRO = "g1f3 g8f6 f3g1 f6g8 "
WRONG = "000-A 国际象棋, 对局结束 13(2)"


def court(said: str, regulations: str = "campus", clock: int | None = None) -> Court:
    made = Court("chess", regulations)
    made.play(said, clock)
    return made


# ---------------------------------------------------------------- 10-12: a right claim


def test_the_third_occurrence_is_drawn_on_the_claim_of_the_side_to_move():
    hall = court(TO_AND_FRO * 2)
    written = hall.claims("threefold_repetition", "white")
    assert written[0] == ClaimMade(8, "white", "threefold_repetition", id="c1")
    assert written[1].upheld and "对局结束 10" in written[1].article
    assert english_text(written[1].grounds) == "this is occurrence 3 of the position; it takes 3"
    assert end(written).termination == "threefold_repetition" and hall.marks(G1) == (DRAW, DRAW)


def test_it_is_drawn_with_the_announced_move_that_makes_it():
    """10 (1)."""
    hall = court((TO_AND_FRO * 2).rsplit(maxsplit=1)[0])
    written = hall.claims("threefold_repetition", "black", "Ng8")
    assert written[0] == ClaimMade(7, "black", "threefold_repetition", "f6g8", id="c1"), (
        "written as the sheets keep moves"
    )
    assert "after f6g8, this is occurrence 3 of the position" in english_text(written[1].grounds)
    assert end(written).termination == "threefold_repetition"
    assert len(hall.sheet().moves) == 7, "the move itself is not played"


def test_the_right_is_lost_by_moving_and_comes_back_with_the_position():
    """11."""
    hall = court(TO_AND_FRO * 2 + "g1f3")
    assert decided(hall.claims("threefold_repetition", "black")).upheld is True, (
        "Black's own position, for the third time"
    )
    late = court(TO_AND_FRO * 2 + "e2e4 g8f6")
    assert decided(late.claims("threefold_repetition", "white")).upheld is False
    back = court(TO_AND_FRO * 3)
    assert decided(back.claims("threefold_repetition", "white")).upheld is True


def test_fifty_moves_are_counted_out():
    """12."""
    hall = court("e2e4 e7e5")
    written = hall.claims("fifty_moves", "white")
    assert (
        english_text(decided(written).grounds) == "0 moves of each side without a capture or a pawn move; it takes 50"
    )


def test_fifty_quiet_moves_of_each_side_are_drawn():
    """12."""
    hall = court(TO_AND_FRO * 25)
    written = hall.claims("fifty_moves", "white")
    assert end(written).termination == "fifty_moves" and "对局结束 12" in end(written).article


def test_only_the_side_to_move_claims():
    """10, 12: 行棋方."""
    refusal = court(TO_AND_FRO * 2).no_claim("threefold_repetition", "black")
    assert (refusal.code, refusal.where) == ("not-to-move", "side") and "对局结束 10" in refusal.article


def test_an_announced_move_that_is_illegal_is_refused():
    refusal = court(TO_AND_FRO).no_claim("threefold_repetition", "white", "e1e3")
    assert (refusal.code, refusal.where) == ("illegal-move", "move") and refusal.article


# ---------------------------------------------------------------- 13(2): a wrong claim


def test_a_wrong_claim_is_found_and_costs_five_minutes_and_the_game_goes_on():
    hall = court(TO_AND_FRO)
    written = hall.claims("threefold_repetition", "white")
    assert decided(written) == ClaimDecided(
        4,
        "threefold_repetition",
        False,
        "000-A 国际象棋, 对局结束 13(2); Laws 9.5.3",
        (ground("occurrence", times=2, limit=3),),
        id="c1",
    )
    assert findings(written) == [("false_claim", 1)] and end(written) is None
    assert hall.rulings() == [("false_claim", "adjust_clock", -300, WRONG)]
    assert hall.play("e2e4")


def test_by_the_laws_a_wrong_claim_gives_the_opponent_two_minutes():
    """Laws 9.5.3."""
    hall = court(TO_AND_FRO, "fide-2026")
    hall.claims("fifty_moves", "white")
    assert hall.rulings() == [("false_claim", "adjust_clock", 120, "Laws 9.5.3")]


def test_the_move_announced_with_a_wrong_claim_must_be_played():
    hall = court(TO_AND_FRO)
    hall.claims("threefold_repetition", "white", "Nc3")
    refusal = hall.refused(PlayMoves(BOARD, G1, 5, (Move("g1f3"),)))
    assert (refusal.code, refusal.where) == ("announced-move", "moves[0]")
    assert "b1c3 was announced" in str(refusal.detail) and WRONG in refusal.article
    hall.play("Nc3 e7e5 e2e4")
    assert len(hall.sheet().moves) == 7, "after it any move is free"


def test_a_wrong_claim_without_a_move_leaves_the_move_free():
    hall = court(TO_AND_FRO)
    hall.claims("fifty_moves", "white")
    assert hall.play("e2e4")


@pytest.mark.parametrize("left, flag", [(301, False), (300, True), (20, True)])
def test_a_wrong_claim_that_overruns_the_clock_is_a_flag(left: int, flag: bool):
    hall = court(TO_AND_FRO, clock=left)
    written = hall.claims("threefold_repetition", "white")
    assert findings(written) == [("false_claim", 1)] + [("overrun", 1)] * flag
    assert hall.marks(G1) == ((LOSS, WIN) if flag else None)
    if flag:
        assert hall.rulings()[-1] == ("flag", "set_marks", None, "000-A 国际象棋, 对局结束 13(2); Laws 9.5.3")


def test_the_minutes_of_an_earlier_wrong_claim_are_gone_too():
    hall = court(TO_AND_FRO, clock=500)
    hall.claims("fifty_moves", "white")
    assert findings(hall.claims("threefold_repetition", "white")) == [("false_claim", 1), ("overrun", 1)]


@pytest.mark.parametrize(
    "reading, flag",
    [(200, True), (400, True)],
    ids=["the reading holds them: 200 are left, too few", "it does not yet: 100 are left"],
)
def test_minutes_are_taken_once_whether_a_reading_holds_them_or_not(reading: int, flag: bool):
    hall = court(TO_AND_FRO, clock=500)
    hall.claims("fifty_moves", "white")
    hall.play("e2e4", clock=reading)
    hall.play("e7e5", clock=500)
    assert (findings(hall.claims("fifty_moves", "white")) == [("false_claim", 1), ("overrun", 1)]) is flag


def test_a_new_reading_holds_the_minutes_already():
    hall = court(TO_AND_FRO, clock=900)
    hall.claims("fifty_moves", "white")
    hall.play("e2e4", clock=590)
    hall.play("e7e5", clock=900)
    assert findings(hall.claims("fifty_moves", "white")) == [("false_claim", 1)]


def test_by_the_laws_no_wrong_claim_costs_the_own_clock():
    hall = court(TO_AND_FRO, "fide-2026", clock=20)
    assert findings(hall.claims("fifty_moves", "white")) == [("false_claim", 1)]


def test_minutes_and_flag_fall_with_the_annulment_of_the_flag_alone():
    hall = court(TO_AND_FRO, clock=20)
    hall.claims("fifty_moves", "white")
    flag = next(id for id, r in hall.t.rulings.items() if r.event.infraction == "flag")
    hall.world.do(PENALTIES, AnnulRuling(Actor("committee", "appeals", "t9"), flag))
    assert hall.marks(G1) is None and len(hall.rulings()) == 2, "who annuls it pardons: it is not made again"


# ---------------------------------------------------------------- 不合规则 1: an illegal move


def test_an_illegal_move_leaves_the_position_and_is_counted():
    hall = court("e2e4")
    written = hall.claims("illegal_move", "white", "e8e6", by=ARBITER)
    assert decided(written).upheld and "e8e6" in english_text(decided(written).grounds)
    assert findings(written) == [("illegal_move", 2)]
    assert hall.rulings() == [("breach_of_rules", "foul", None, "000-A 国际象棋, 违例 9; 不合规则 1")]
    assert hall.counted(2, "violation") == 1 and hall.marks(G1) is None
    assert hall.play("e7e5")


def test_by_the_laws_the_opponent_gets_two_minutes_and_the_second_one_loses():
    """Laws 7.5.5."""
    hall = court("e2e4", "fide-2026")
    hall.claims("illegal_move", "white", "e8e6", by=ARBITER)
    assert [(r[1], r[2]) for r in hall.rulings()] == [("foul", None), ("adjust_clock", 120)]
    hall.play(["e7e5", "e4e4"][0])
    hall.play("g1f3")
    hall.claims("illegal_move", None, "a8a5")
    assert hall.marks(G1) == (WIN, LOSS)


def test_a_legal_move_called_illegal_is_none():
    hall = court("e2e4")
    written = hall.claims("illegal_move", "white", "e7e5", by=ARBITER)
    assert english_text(decided(written).grounds) == "e7e5 is legal" and not decided(written).upheld
    assert findings(written) == [] and hall.play("e7e5")


@pytest.mark.parametrize(
    "side, move, code",
    [
        ("white", None, "move-missing"),
        ("white", "Qxx9", "unreadable-move"),
        ("black", "e8e6", "own-move"),
    ],
)
def test_an_illegal_move_is_named_by_its_squares_and_by_the_other_side(side: str, move: str | None, code: str):
    refusal = court("e2e4").no_claim("illegal_move", side, move)
    assert refusal.code == code and refusal.article


# ---------------------------------------------------------------- what is no claim here


@pytest.mark.parametrize(
    "claim, side, move, code",
    [
        ("natural_limit", "white", None, "no-such-claim"),
        ("fifty_moves", None, None, "role-may-not"),
        ("resignation", "white", "e2e4", "move-not-asked"),
    ],
)
def test_claims_that_are_not_taken(claim: str, side: str | None, move: str | None, code: str):
    assert court("e2e4").no_claim(claim, side, move).code == code


def test_an_arbiter_claims_no_draw_for_the_players():
    hall = court(TO_AND_FRO * 2)
    refusal = hall.no_claim("threefold_repetition", None, by=Actor("li.wei", "arbiter", "t1"))
    assert refusal.code == "side-missing" and refusal.article
