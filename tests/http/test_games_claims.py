"""Claims and offers over HTTP: what is decided, what penalties makes of it, and what the sheet then tells."""

from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.http.boards import Board, G, T, board

TO_AND_FRO = "g1f3 g8f6 f3g1 f6g8"
IDLE = "a0a1 a9a8 a1a0 a8a9"


def claim(b: Board, claim: str, role: Any = "board", **more: str) -> TestResponse:
    return b.call("POST", f"{G}/claims", {"claim": claim, **more}, role)


def rulings(b: Board, answer: TestResponse, lines: int) -> list[tuple[str, str, str]]:
    """What penalties ruled, with so many lines of the log, all of which the answer tells."""
    assert len(answer.json["consequences"]) == lines
    told = b.call("GET", f"{T}/rulings", None, None)
    assert told.headers["ETag"] == answer.headers["ETag"]
    made = [r["ruling"] for r in told.json["rulings"]]
    assert made[len(made) - len(answer.json["rulings"]) :] == answer.json["rulings"]
    return [(r["infraction"], r["effect"]["kind"], r["article"]) for r in told.json["rulings"]]


def types(answer: TestResponse) -> list[str]:
    assert answer.status_code == 201, answer.text
    return [event["type"].removeprefix("arbiter.") for event in answer.json["events"]]


def test_a_wrong_claim_in_chess_costs_five_minutes_and_binds_the_announced_move(tmp_path: Path) -> None:
    """000-A 国际象棋, 对局结束 13(2)."""
    with board(tmp_path, "chess") as b:
        b.moves(TO_AND_FRO)
        wrong = claim(b, "threefold_repetition", side="white", move="Nc3")
        assert types(wrong) == ["claim.made.v4", "claim.decided.v4", "finding.made.v3"]
        assert rulings(b, wrong, 2) == [("false_claim", "adjust_clock", "000-A 国际象棋, 对局结束 13(2)")]
        assert b.get().json["must_play"] == "b1c3"
        other = b.moves("e2e4", 5)
        assert (other.status_code, other.json["type"].rsplit(":", 1)[1]) == (409, "announced-move")
        assert "对局结束 13(2)" in other.json["article"]
        assert b.moves("Nc3", 5).status_code == 201
        made, decided = b.get("/sheet").json["claims"]
        assert made == {
            "ply": 4,
            "claim": "threefold_repetition",
            "id": "c1",
            "side": "white",
            "move": "b1c3",
            "squares": [],
            "state": "denied",
        }
        assert (decided["id"], decided["upheld"]) == ("c1", False) and decided["grounds"] == (
            "after b1c3, this is occurrence 1 of the position; 3 are needed"
        )


def test_a_wrong_claim_that_overruns_the_clock_is_two_findings_and_both_are_answered(tmp_path: Path) -> None:
    """000-A 国际象棋, 对局结束 13(2): 如果这样做意味提和方已超过时限,判提和方负."""
    with board(tmp_path, "chess") as b:
        moves = [{"move": move, "clock": 200} for move in TO_AND_FRO.split()]
        assert b.call("POST", f"{G}/moves", {"ply": 1, "moves": moves}).status_code == 201
        wrong = claim(b, "fifty_moves", side="white")
        assert types(wrong)[2:] == ["finding.made.v3", "finding.made.v3"]
        assert [r[:2] for r in rulings(b, wrong, 4)] == [("false_claim", "adjust_clock"), ("flag", "set_marks")]
        assert b.get().json["result"]["notation"] == "0-1"


def test_a_false_natural_limit_is_a_foul_and_five_minutes(tmp_path: Path) -> None:
    """002-X 9.1.4, 23.3."""
    with board(tmp_path, "xiangqi", "xiangqi-1999") as b:
        b.moves(IDLE)
        false = claim(b, "natural_limit", side="black")
        assert types(false)[-1] == "finding.made.v3"
        assert rulings(b, false, 3) == [
            ("false_natural_limit", "foul", "002-X 9.1.4, 23.3"),
            ("false_natural_limit", "adjust_clock", "002-X 23.3"),
        ]
        assert b.get().json["status"] == "playing"


def test_a_repetition_is_judged_and_its_grounds_are_told(tmp_path: Path) -> None:
    """002-X 24.2."""
    with board(tmp_path, "xiangqi", "xiangqi-1999") as b:
        b.moves(f"{IDLE} {IDLE}")
        told = claim(b, "repetition", "arbiter").json["events"]
        assert "nobody_varies" in [one["code"] for one in told[1]["data"]["grounds"]]
        assert told[2]["data"]["termination"] == "repetition"
        assert b.get().json["result"]["notation"] == "1/2-1/2"


@pytest.mark.parametrize("answered", [False, True])
def test_a_three_three_of_renju_is_pointed_out_in_time_or_too_late(tmp_path: Path, answered: bool) -> None:
    """000-A 五子棋, H."""
    with board(tmp_path, "renju") as b:
        b.moves("h8 a1 g8 c1")
        assert b.step("black", "offer_fifth", "i9", "o15").status_code == 201
        assert b.step("white", "choose_fifth", "i9").status_code == 201
        assert b.moves("e1 i10 g1 i8", 6).status_code == 201
        if answered:
            b.moves("o1", 10)
        told = claim(b, "forbidden_point", side="white", move="i8")
        game = b.get().json
        if answered:
            assert types(told) == ["claim.made.v4", "claim.decided.v4"] and game["status"] == "playing"
        else:
            assert types(told)[-1] == "game.ended.v1" and game["result"]["notation"] == "1-0"


def test_an_illegal_move_of_xiangqi_loses(tmp_path: Path) -> None:
    """002-X 4.1.6."""
    with board(tmp_path, "xiangqi", "xiangqi-1999") as b:
        b.moves(IDLE)
        found = claim(b, "illegal_move", "arbiter", side="black", move="b0b2")
        assert rulings(b, found, 2) == [("illegal_move", "set_marks", "002-X 4.1.6")]
        assert b.get().json["result"]["notation"] == "0-1"


def test_a_ko_retaken_costs_the_turn_which_is_a_pass_in_sgf(tmp_path: Path) -> None:
    """000-A 围棋, 行棋 4."""
    with board(tmp_path, "go", "go-campus") as b:
        b.moves("D5 E5 C4 F4 D3 E3 K10 D4 E4")
        found = claim(b, "illegal_move", "arbiter", side="black", move="D4")
        assert types(found) == ["claim.made.v4", "claim.decided.v4", "step.taken.v1", "finding.made.v3"]
        assert rulings(b, found, 2) == [("ko_without_a_threat", "warn", "000-A 围棋, 行棋 4")]
        assert b.moves("Q16", 11).status_code == 201
        assert "W[tt]" in b.get("/sheet", Accept="application/x-go-sgf").text


def test_a_second_offer_in_a_row_is_answered_by_the_book(tmp_path: Path) -> None:
    """000-A 7.7."""
    with board(tmp_path, "chess") as b:
        b.moves("e2e4 e7e5")
        for offer, side in (("draw", "black"), ("decline", "white")):
            assert b.call("POST", f"{G}/offers", {"offer": offer, "side": side}).status_code == 201
        again = b.call("POST", f"{G}/offers", {"offer": "draw", "side": "black"})
        assert rulings(b, again, 2) == [("consecutive_draw_offers", "foul", "000-A 7.7")]


def test_a_resignation_of_gomoku_waits_for_its_confirmation(tmp_path: Path) -> None:
    """000-D ㈢(1)."""
    with board(tmp_path, "gomoku", "gomoku-campus") as b:
        b.moves("h8 h9")
        assert types(claim(b, "resignation", side="white")) == ["claim.made.v4"]
        assert types(b.step("white", "confirm_resignation", "12")) == ["step.taken.v1", "claim.decided.v4"]
        claim(b, "resignation", side="white")
        b.step("white", "confirm_resignation", "9")
        assert b.get().json["result"]["notation"] == "0-1"


@pytest.mark.parametrize(
    "body, role, status, code",
    [
        ({"claim": "natural_limit", "side": "white"}, "board", 422, "no-such-claim"),
        ({"claim": "threefold_repetition"}, "board", 403, "role-may-not"),
        ({"claim": "threefold_repetition"}, "arbiter", 422, "side-missing"),
        ({"claim": "threefold_repetition", "side": "black"}, "board", 409, "not-to-move"),
        ({"claim": "fifty_moves", "side": "white", "move": "e1e3"}, "board", 409, "illegal-move"),
        ({"claim": "illegal_move", "side": "black"}, "board", 422, "move-missing"),
        ({"claim": "stalemate", "side": "white"}, "board", 422, "bad-fields"),
        ({"claim": "fifty_moves", "side": "white", "move": "e" * 40}, "board", 422, "bad-fields"),
    ],
)
def test_claims_that_are_refused(tmp_path: Path, body: dict[str, str], role: Any, status: int, code: str) -> None:
    with board(tmp_path, "chess") as b:
        b.moves(TO_AND_FRO)
        refused = b.call("POST", f"{G}/claims", body, role)
        assert (refused.status_code, refused.json["type"].rsplit(":", 1)[1]) == (status, code)
        assert b.get("/sheet").json["lines"] == 4
