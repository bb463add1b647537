"""Claims that wait for an arbiter, over HTTP: what is answered, who decides, what lapses them, what lists them."""

from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.http.boards import Board, G, T, board
from tests.offices import USUAL

IDLE = "a0a1 a9a8 a1a0 a8a9"
ILLEGAL = {"claim": "illegal_move", "side": "black", "move": "b0b2"}
DECISION = f"{G}/claims/c1/decision"


def claim(b: Board, body: dict[str, Any], role: Any = "player") -> TestResponse:
    return b.call("POST", f"{G}/claims", body, role)


def decide(b: Board, upheld: bool = True, role: Any = "arbiter", **who: str) -> TestResponse:
    return b.call("POST", DECISION, {"upheld": upheld}, role, **who)


def problem(answer: TestResponse) -> tuple[int, str]:
    assert answer.mimetype == "application/problem+json", answer.text
    return answer.status_code, answer.json["type"].rpartition(":")[2]


def rulings(b: Board, answer: TestResponse) -> list[str]:
    """The effects of all rulings; those that the answer brought are the last ones."""
    told = b.call("GET", f"{T}/rulings", None, None).json["rulings"]
    ids = [r["ruling"] for r in told]
    assert ids[len(ids) - len(answer.json["rulings"]) :] == answer.json["rulings"]
    return [r["effect"]["kind"] for r in told]


def listed(b: Board, query: str = "") -> list[dict[str, Any]]:
    answer = b.call("GET", f"{T}/claims{query}", None, None)
    assert answer.status_code == 200, answer.text
    claims: list[dict[str, Any]] = answer.json["claims"]
    return claims


def test_a_players_accusation_waits_is_listed_and_shown_and_an_arbiter_upholds_it(tmp_path: Path) -> None:
    """002-X 4.1.6."""
    with board(tmp_path, "xiangqi", "xiangqi-1999") as b:
        b.moves(IDLE)
        made = claim(b, ILLEGAL)
        article = made.json["article"]
        assert made.status_code == 201 and article
        grounds = "the score sheet cannot show it; an arbiter must uphold or deny the claim"
        answer = {"game": "T.1.1", "claim": "c1", "state": "pending", "article": article, "grounds": grounds, "due": []}
        assert {name: made.json[name] for name in answer} == answer
        assert rulings(b, made) == [] and b.get().json["status"] == "playing"
        one = {
            "claim": "c1",
            "game": "T.1.1",
            "kind": "illegal_move",
            "ply": 4,
            "side": "black",
            "player": 2,
            "accused": 1,
            "article": article,
            "move": "b0b2",
            "squares": [],
            "state": "pending",
            "seq": int(made.headers["ETag"].strip('"')),
        }
        assert listed(b) == listed(b, "?state=pending") == b.get().json["claims"] == [one]
        assert listed(b, "?state=upheld") == []
        shown = b.get("/sheet").json["claims"]
        assert [(c["id"], c["state"]) for c in shown] == [("c1", "pending")]
        assert "waits for an arbiter" in b.call("GET", "/games/T.1.1", role=None).text
        body = {"upheld": True, "note": "both clocks were stopped, 李伟 saw it"}
        upheld = b.call("POST", DECISION, body, "arbiter")
        assert (upheld.status_code, upheld.json["claim"], upheld.json["state"]) == (201, "c1", "upheld")
        assert "b0b2" in upheld.json["grounds"] and upheld.json["due"] == []
        assert rulings(b, upheld) == ["set_marks"] and b.get().json["result"]["notation"] == "0-1"
        assert [c["state"] for c in listed(b)] == ["upheld"]
        made_then, decided = b.get("/sheet").json["claims"]
        assert (made_then["state"], decided["id"], decided["upheld"]) == ("upheld", "c1", True)


def test_denied_nothing_follows(tmp_path: Path) -> None:
    with board(tmp_path, "xiangqi", "campus") as b:
        b.moves(IDLE)
        claim(b, ILLEGAL, "board")
        denied = decide(b, upheld=False, role="chief_arbiter")
        assert (denied.json["state"], denied.json["grounds"]) == ("denied", "the arbiter does not uphold it")
        assert rulings(b, denied) == [] and b.get().json["status"] == "playing"
        assert problem(decide(b)) == (409, "claim-decided")
        assert problem(claim(b, ILLEGAL, "board")) == (409, "claim-made")


def test_the_same_claim_three_times_is_one_and_expels_nobody(tmp_path: Path) -> None:
    """000-A 国际象棋, 违例 9: the third one would lose."""
    with board(tmp_path, "chess", "campus") as b:
        b.moves("e2e4")
        body = {"claim": "illegal_move", "side": "white", "move": "e8e6"}
        first = claim(b, body)
        for role in ("player", "board", "arbiter"):
            again = claim(b, body, role)
            assert problem(again) == (409, "claim-made")
            assert again.json["see"] == DECISION and again.json["article"] == first.json["article"]
        upheld = decide(b)
        assert rulings(b, upheld) == ["foul"] and b.get().json["status"] == "playing"
        assert problem(claim(b, body, "arbiter")) == (409, "claim-made")


def test_a_ko_and_a_touch_follow_as_an_arbiter_states_them(tmp_path: Path) -> None:
    """000-A 围棋, 行棋 4; 002-X 5.1."""
    (tmp_path / "go").mkdir()
    with board(tmp_path / "go", "go", "go-campus") as b:
        b.moves("D5 E5 C4 F4 D3 E3 K10 D4 E4")
        claim(b, {"claim": "illegal_move", "side": "black", "move": "D4"})
        assert b.get().json["to_move"] == "white"
        assert rulings(b, decide(b)) == ["warn"] and b.get().json["to_move"] == "black"
    (tmp_path / "xiangqi").mkdir()
    with board(tmp_path / "xiangqi", "xiangqi", "xiangqi-1999") as b:
        b.moves("h2e2")
        assert claim(b, {"claim": "touch", "side": "white", "squares": ["b9"]}).json["state"] == "pending"
        assert b.get().json["due"] == []
        assert decide(b).json["due"] == ["b9a7", "b9c7"] == b.get().json["due"]
        assert problem(b.moves("h9g7", 2)) == (409, "touched-piece")


def test_what_is_decided_at_once_is_answered_alike(tmp_path: Path) -> None:
    with board(tmp_path, "gomoku", "gomoku-campus") as b:
        b.moves("h8 h9")
        stated = claim(b, {"claim": "time_up", "side": "white"})
        assert (stated.json["claim"], stated.json["state"]) == ("c1", "denied")
        resigned = claim(b, {"claim": "resignation", "side": "white"})
        assert (resigned.json["claim"], resigned.json["state"], resigned.json["article"]) == ("c2", "pending", None)
        assert [c["state"] for c in b.get("/sheet").json["claims"] if "state" in c] == ["denied", "pending"]
        assert problem(b.call("POST", f"{G}/claims/c2/decision", {"upheld": True}, "arbiter")) == (404, "unknown-claim")
        b.moves("i8", 3)
        assert [c["state"] for c in b.get("/sheet").json["claims"] if "state" in c] == ["denied", "lapsed"]


@pytest.mark.parametrize(
    ("path", "body", "role", "who", "status", "code"),
    [
        (DECISION, {"upheld": True}, "player", {}, 403, "role-may-not"),
        (DECISION, {"upheld": True}, "board", {}, 403, "role-may-not"),
        (DECISION, {"upheld": True}, "organiser", {}, 403, "role-may-not"),
        (DECISION, {"upheld": True}, "arbiter", {"name": "2"}, 403, "own-claim"),
        (DECISION, {"upheld": True}, "arbiter", {"name": "1"}, 403, "own-claim"),
        (DECISION, {"upheld": True}, "arbiter", {"of": "another"}, 403, "token-scope"),
        (DECISION, {"upheld": True}, None, {}, 401, "token-missing"),
        (DECISION, {}, "arbiter", {}, 422, "bad-fields"),
        (DECISION, {"upheld": "yes"}, "arbiter", {}, 422, "bad-fields"),
        (DECISION, {"upheld": True, "why": "because"}, "arbiter", {}, 422, "bad-fields"),
        (f"{G}/claims/c9/decision", {"upheld": True}, "arbiter", {}, 404, "unknown-claim"),
        (f"{G}9/claims/c1/decision", {"upheld": True}, "arbiter", {}, 404, "unknown-game"),
    ],
)
def test_decisions_that_are_refused(
    tmp_path: Path, path: str, body: Any, role: Any, who: dict[str, str], status: int, code: str
) -> None:
    parties = [{"name": number, "role": "arbiter"} for number in ("1", "2")]
    with board(tmp_path, "xiangqi", "xiangqi-1999", officials=[*USUAL, *parties]) as b:
        b.moves(IDLE)
        claim(b, ILLEGAL)
        assert problem(b.call("POST", path, body, role, **who)) == (status, code)
        assert [c["state"] for c in listed(b)] == ["pending"]


def test_a_state_that_no_claim_has_is_no_query(tmp_path: Path) -> None:
    with board(tmp_path, "xiangqi", "xiangqi-1999") as b:
        assert problem(b.call("GET", f"{T}/claims?state=open", None, None))[0] == 422
        assert listed(b, "?state=lapsed") == []


@pytest.mark.parametrize("how", ["end", "result", "ruling"])
def test_it_lapses_with_the_game_and_waits_again_when_a_ruling_falls(tmp_path: Path, how: str) -> None:
    with board(tmp_path, "xiangqi", "xiangqi-1999") as b:
        b.moves(IDLE)
        claim(b, ILLEGAL)
        ruling = None
        if how == "end":
            b.call("POST", f"{G}/end", {"termination": "agreement"}, "arbiter")
        elif how == "result":
            b.call("POST", f"{T}/results", {"round": 1, "results": [{"board": 1, "result": "1-0"}]}, "arbiter")
        else:
            made = b.call("POST", f"{T}/rulings", {"player": 2, "round": 1, "infraction": "refusal_to_obey"}, "arbiter")
            ruling = made.json["events"][0]["data"]["ruling"]
        assert [c["state"] for c in listed(b, "?state=lapsed")] == ["lapsed"]
        assert problem(decide(b)) == (409, "claim-lapsed")
        if ruling is not None:
            assert [c["state"] for c in listed(b, f"?without={ruling}")] == ["pending"]
            b.call("POST", f"{T}/rulings/{ruling}/annulment", {"reason": "he obeyed"}, "appeals")
            assert [c["state"] for c in listed(b)] == ["pending"]
            assert decide(b, upheld=False).status_code == 201
