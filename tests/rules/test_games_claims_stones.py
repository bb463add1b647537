"""Claims in renju, Go and free gomoku on a score sheet (000-A 五子棋, H, I; 围棋, 行棋 4-5; 000-B 2, 8; 000-D ㈢(1))."""

from typing import Any

import pytest

from services.games.rules.commands import Move, PlayMoves, TakeStep
from shared.core.events import ClaimDecided, ClaimMade, MovePlayed, StepTaken
from shared.core.state.grounds import english_text, ground
from shared.core.terms import Mark
from tests.rules.games_court import Court, decided, end, findings
from tests.rules.games_hall import ARBITER, BOARD, G1, LOSS, PLAYER, WIN


def step(hall: Court, side: str, name: str, *values: str) -> list[Any]:
    return hall.do(TakeStep(BOARD, G1, side, name, values))


# ---------------------------------------------------------------- renju: forbidden stones pointed out

FAR = ("e1", "g1", "a15", "c15", "e15")


def renju(*stones: str, regulations: str = "campus", swapped: bool = False) -> Court:
    """Black's stones, White far away, Black's last one just played; no swap unless said."""
    hall = Court("renju", regulations)
    hall.play(f"{stones[0]} {'h9' if swapped else 'a1'} {stones[1]}")
    black, white = ("white", "black") if swapped else ("black", "white")
    if swapped:
        step(hall, "white", "swap")
    hall.play("c1")
    step(hall, black, "offer_fifth", stones[2], "o15")
    step(hall, white, "choose_fifth", stones[2])
    for far, stone in zip(FAR, stones[3:], strict=False):
        hall.play(f"{far} {stone}")
    return hall


THREE_THREE = ("h8", "g8", "i9", "i10", "i8")
OVERLINE = ("h8", "g8", "i8", "k8", "l8", "j8")


def test_a_three_three_pointed_out_in_time_wins_for_white():
    """H; 004 3.2 (6)."""
    hall = renju(*THREE_THREE)
    written = hall.claims("forbidden_point", "white", "i8")
    assert decided(written).upheld and decided(written).article.startswith("000-A 五子棋, H")
    assert (end(written).termination, hall.marks(G1)) == ("forbidden_move", (WIN, LOSS))


def test_pointed_out_after_whites_answer_it_is_too_late_and_the_game_goes_on():
    """H: 若白方…断续应子,则不能判黑方负."""
    hall = renju(*THREE_THREE)
    hall.play("o1")
    written = hall.claims("forbidden_point", "white", "i8")
    assert not decided(written).upheld and end(written) is None and findings(written) == []
    assert english_text(decided(written).grounds) == "i8: White has answered it, so it cannot lose any more"
    assert hall.play("o3")


def test_an_overline_is_pointed_out_any_time_before_the_end():
    """I."""
    hall = renju(*OVERLINE)
    hall.play("o1 o3 o5 o7")
    assert end(hall.claims("forbidden_point", "white", "j8")).article.startswith("000-A 五子棋, I")


def test_a_point_that_was_not_forbidden_costs_nothing():
    written = renju(*THREE_THREE).claims("forbidden_point", "white", "h8")
    assert not decided(written).upheld and findings(written) == []


def test_after_a_swap_the_other_seat_points_out_and_wins():
    """J, 2.C."""
    hall = renju(*THREE_THREE, swapped=True)
    refusal = hall.no_claim("forbidden_point", "white", "i8")
    assert (refusal.code, refusal.where) == ("own-stone", "side") and refusal.article
    hall.claims("forbidden_point", "black", "i8")
    assert hall.marks(G1) == (LOSS, WIN)


def test_nobody_claims_a_forbidden_point_without_naming_it():
    refusal = renju(*THREE_THREE).no_claim("forbidden_point", "white")
    assert (refusal.code, refusal.where) == ("move-missing", "move") and refusal.article


# ---------------------------------------------------------------- Go: ko and forbidden points

KO = "D5 E5 C4 F4 D3 E3 K10 D4 E4"
"""Black's last stone takes D4 in a ko; White may not take back at D4 at once."""


def go(said: str, regulations: str = "go-campus") -> Court:
    hall = Court("go", regulations)
    hall.play(said)
    return hall


@pytest.mark.parametrize("regulations", ["go-campus", "campus"])
def test_a_ko_retaken_without_a_threat_is_void_and_costs_the_turn_and_a_warning(regulations: str):
    """围棋, 行棋 4: 无效,弃权一次并警告一次."""
    hall = go(KO, regulations)
    written = hall.claims("illegal_move", "black", "D4", by=ARBITER)
    assert written[:3] == [
        ClaimMade(9, "black", "illegal_move", "D4", id="c1"),
        ClaimDecided(9, "illegal_move", True, "000-A 围棋, 行棋 4", decided(written).grounds, id="c1"),
        StepTaken(10, "white", "lose_turn"),
    ]
    assert findings(written) == [("illegal_move", 1)]
    assert hall.rulings() == [("ko_without_a_threat", "warn", None, "000-A 围棋, 行棋 4")]
    assert hall.play("Q16") == [MovePlayed(11, "Q16")], "Black moves again"


def test_a_stone_on_a_forbidden_point_is_void_and_costs_the_turn_alone():
    """围棋, 行棋 5: 着手无效,弃权一次."""
    hall = go("A2 K10 B1 K11 Q16")
    written = hall.claims("illegal_move", "black", "A1", by=ARBITER)
    assert written[2] == StepTaken(6, "white", "lose_turn") and findings(written) == [] and hall.rulings() == []
    assert decided(written).article == "000-A 围棋, 行棋 5"


def test_a_lost_turn_confirms_no_end():
    """围棋, 行棋 4; 终局 (1): both sides confirm, and who loses a turn has not."""
    hall = go(KO)
    hall.claims("illegal_move", "black", "D4", by=ARBITER)
    hall.play("PASS")
    assert hall.play("Q16") == [MovePlayed(12, "Q16")], "one pass, not two"


def test_nobody_takes_the_lost_turn_as_a_step():
    refusal = go(KO).refused(TakeStep(BOARD, G1, "white", "lose_turn"))
    assert refusal.code == "no-such-step"


def test_a_batch_does_not_play_over_a_lost_turn():
    hall = go(KO)
    hall.claims("illegal_move", "black", "D4", by=ARBITER)
    refusal = hall.refused(PlayMoves(BOARD, G1, 10, (Move("Q16"),)))
    assert refusal.code == "other-move" and "lose_turn" in str(refusal.detail)


def test_a_stone_that_may_be_played_is_no_illegal_move():
    written = go(KO).claims("illegal_move", "black", "Q16", by=ARBITER)
    assert not decided(written).upheld and len(written) == 2


# ---------------------------------------------------------------- gomoku

LOST, EVEN, WON = Mark(0, True), Mark(2, True), Mark(4, True)
"""000-E 6: 2, 1 and 0 points."""


def gomoku(said: str = "h8") -> Court:
    hall = Court("gomoku", "gomoku-campus")
    hall.play(said)
    return hall


def test_whites_first_stone_on_the_other_half_is_a_technical_foul():
    """000-B 2: 随意落子视为技术犯规."""
    hall = gomoku()
    assert findings(hall.claims("illegal_move", "black", "h3", by=ARBITER)) == [("illegal_move", 1)]
    assert hall.rulings() == [("stray_stone", "foul", None, "000-B 2")]
    assert hall.play("h9")


def test_when_the_arbiter_says_that_time_is_up_more_fours_win():
    """000-B 8."""
    hall = gomoku("h8 h9 i8 a9 j8 c9 k8 e9")
    assert decided(hall.claims("time_up", "black", by=PLAYER)).upheld is False
    written = hall.claims("time_up", None)
    assert (end(written).termination, hall.marks(G1)) == ("fours", (LOST, WON))


def test_with_as_many_fours_it_is_drawn():
    """000-B 8."""
    hall = gomoku("h8 h9")
    hall.claims("time_up", None)
    assert hall.marks(G1) == (EVEN, EVEN)


def test_a_resignation_confirmed_in_ten_seconds_loses():
    """000-D ㈢(1): 确认操作必须在10秒内完成."""
    hall = gomoku("h8 h9")
    assert hall.claims("resignation", "white") == [ClaimMade(2, "white", "resignation", id="c1")]
    assert hall.marks(G1) is None
    taken, ruled, ended = step(hall, "white", "confirm_resignation", "10")
    assert taken == StepTaken(2, "white", "confirm_resignation", ("10",))
    grounds = (ground("confirmed_after", seconds=10, limit=10),)
    assert ruled == ClaimDecided(2, "resignation", True, "000-D ㈢(1)", grounds, id="c1")
    assert ended.termination == "resignation" and hall.marks(G1) == (LOST, WON)


def test_a_resignation_confirmed_too_late_is_void():
    hall = gomoku("h8 h9")
    hall.claims("resignation", "white")
    written = step(hall, "white", "confirm_resignation", "11")
    assert decided(written).upheld is False and end(written) is None
    assert hall.refused(TakeStep(BOARD, G1, "white", "confirm_resignation", ("3",))).code == "no-resignation"
    assert hall.play("i8")


def test_a_resignation_that_is_not_confirmed_lapses_with_the_next_move():
    hall = gomoku("h8 h9")
    hall.claims("resignation", "white")
    hall.play("i8")
    refusal = hall.refused(TakeStep(BOARD, G1, "white", "confirm_resignation", ("3",)))
    assert refusal.code == "no-resignation" and refusal.article == "000-D ㈢(1)"


def test_nobody_confirms_the_opponents_resignation():
    hall = gomoku("h8 h9")
    hall.claims("resignation", "white")
    assert hall.refused(TakeStep(BOARD, G1, "black", "confirm_resignation", ("3",))).code == "no-resignation"


@pytest.mark.parametrize("values", [(), ("soon",), ("1", "2"), ("-1",), ("999999",)])
def test_a_confirmation_names_the_seconds(values: tuple[str, ...]):
    hall = gomoku("h8 h9")
    hall.claims("resignation", "white")
    assert hall.refused(TakeStep(BOARD, G1, "white", "confirm_resignation", values)).code == "bad-seconds"


def test_in_renju_a_resignation_needs_no_confirmation():
    hall = Court("renju", "campus")
    hall.play("h8 h9 i9")
    assert end(hall.claims("resignation", "black")).termination == "resignation"
    assert hall.marks(G1) == (WIN, LOSS)
