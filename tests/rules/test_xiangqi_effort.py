"""How much a judgement on a repetition may take: what was ever played is judged, what was made up to be long is refused."""

from itertools import cycle, islice

import pytest

from services.games.rules.boards.port import search_budget
from services.games.rules.boards.port.search_budget import MOVES_AT_MOST, Effort, TooMuch
from services.games.rules.boards.registry import default_rules
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.geometry import move_of
from services.games.rules.boards.xiangqi.repetition import judge
from services.games.rules.judge.registry import answer
from tests.rules.games_court import Court

HEAVY = "P1bk1n3/2P2P3/3aba3/3R3cR/2N2c1P1/9/pp1C2p1r/3AN4/3Kn1p2/r1B2AB2 w"
"""Nearly everybody can give check, and every check has many answers."""
BEYOND = "d6d4 h6h7 d4d6 h7h6"
WITHIN = "i6i8 d9e9 i8i6 e9d9"


def asked(moves: str) -> dict:
    return {"game": "xiangqi", "ask": "repetition", "fen": HEAVY, "moves": moves.split() * 2}


def test_a_cycle_whose_naming_takes_too_much_is_refused_and_the_bound_is_named():
    error = answer(asked(BEYOND))["error"]
    assert (error["title"], error["where"]) == ("Cycle too long", "moves")
    assert f"more than {MOVES_AT_MOST} moves" in error["detail"]


def test_questions_that_come_together_share_what_they_may_take():
    together = Effort()
    first, again, other = (answer(one, together) for one in (asked(WITHIN), asked(WITHIN), asked("")))
    assert "answer" in first and again["error"]["title"] == "Cycle too long"
    assert other["answer"]["verdict"] == "none", "what takes nothing is answered still"
    assert answer(asked(WITHIN)) == first, "alone each has an effort of its own"


def test_no_more_is_ever_tried_than_the_bound():
    spent, board = Effort(), fen.read(HEAVY)[0]
    with pytest.raises(TooMuch):
        judge(board, [move_of(move) for move in BEYOND.split() * 2], default_rules("xiangqi"), effort=spent)
    with pytest.raises(TooMuch):
        spent.spend()


def tours(rounds: int) -> str:
    """Red's chariot goes along its second rank, over nine points, Black's along his over eight, each round and round."""
    red = [f"{here}1{there}1" for here, there in zip("abcdefghi", "bcdefghia", strict=True)]
    black = [f"{here}8{there}8" for here, there in zip("ihgfedcb", "hgfedcbi", strict=True)]
    played = zip(cycle(red), cycle(black), strict=False)
    return " ".join(move for one in islice(played, rounds) for move in one)


def test_a_quiet_cycle_of_a_hundred_and_forty_four_plies_is_judged():
    """More than two natural limits long: no game is repeated over so many moves."""
    court = Court("xiangqi", "xiangqi-1999")
    court.play(f"a0a1 i9i8 {tours(144)}")
    written = court.claims("repetition", None)
    assert [line.upheld for line in written[1:2]] == [True]


def test_the_arbiter_is_told_where_a_claim_takes_too_much(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(search_budget, "MOVES_AT_MOST", 20)
    court = Court("xiangqi", "xiangqi-1999")
    court.play("h2e2 h7e7 e2h2 e7h7 h2e2 h7e7 e2h2 e7h7")
    refusal = court.no_claim("repetition", "white")
    assert (refusal.code, refusal.article) == ("cycle-too-long", "002-X 24; 000-A 2.6, 和 3")
    assert "more than 20 moves" in str(refusal.detail) and "the arbiter judges it" in str(refusal.detail)
