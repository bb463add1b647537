"""Openings, phases and clocks over HTTP: each step an event on the sheet, each refusal a problem with its article."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.http.boards import G, T, board


def followed(*answers: TestResponse) -> None:
    assert [answer.status_code for answer in answers] == [201] * len(answers), [answer.text for answer in answers]


def test_a_game_of_go_from_the_first_stone_to_its_count(tmp_path: Path) -> None:
    with board(tmp_path, "go", "go-campus") as b:
        followed(b.moves("Q16 D4 PASS PASS"), b.step("black", "dead", "D4"))
        told = b.step("white", "dispute", "D4").json["events"]
        assert [event["type"] for event in told] == ["arbiter.step.taken.v1", "arbiter.game.ended.v1"]
        game = b.get().json
        assert (game["status"], game["result"]["notation"], game["ply"]) == ("decided", "1-0", 4)
        assert game["steps"] == [
            {"ply": 4, "side": "black", "step": "dead", "values": ["D4"]},
            {"ply": 4, "side": "white", "step": "dispute", "values": ["D4"]},
        ]
        assert b.get("/sheet").json["lines"] == 6


def test_a_swap_of_renju_turns_the_seats(tmp_path: Path) -> None:
    with board(tmp_path, "renju") as b:
        followed(b.moves("h8 h9 i9"), b.step("white", "swap"))
        game = b.get().json
        assert (game["to_move"], game["ply"], game["steps"][0]["step"]) == ("black", 4, "swap")


def test_predictions_are_sealed_and_shown(tmp_path: Path) -> None:
    with board(tmp_path, "prediction") as b:
        followed(b.moves("h8 i9 h9 i8"))
        said = {"black": ("sixteen letters of salt", "白子42手"), "white": ("another salt as long", "黑子43手")}
        for side, values in said.items():
            followed(b.step(side, "seal", sha256("".join(values).encode()).hexdigest()))
        refused = b.step("black", "reveal", said["black"][0], "白子40手")
        assert (refused.status_code, refused.json["article"]) == (409, "001 第三条 3")
        for side, values in said.items():
            followed(b.step(side, "reveal", *values))
        assert b.get().json["to_move"] == "white"


def test_a_step_that_is_not_due_is_refused_with_its_article(tmp_path: Path) -> None:
    with board(tmp_path, "renju") as b:
        refused = b.step("white", "swap")
        assert (refused.status_code, refused.mimetype) == (409, "application/problem+json")
        assert refused.json["type"] == "urn:arbiter:problem:illegal-step" and refused.json["article"].startswith(
            "000-A"
        )


@pytest.mark.parametrize("game", ["chess", "xiangqi"])
def test_a_step_of_another_game_is_answered_with_those_of_this(tmp_path: Path, game: str) -> None:
    with board(tmp_path, game) as b:
        refused = b.step("white", "swap")
        assert refused.status_code == 422
        assert refused.json["detail"].startswith(f"unknown step; games of {game} have the steps adjourn, ")


@pytest.mark.parametrize(
    "body",
    [
        {"side": "white"},
        {"side": "green", "step": "swap"},
        {"side": "white", "step": "castle"},
        {"side": "white", "step": "swap", "values": "h8"},
        {"side": "white", "step": "swap", "values": [""]},
        {"side": "white", "step": "swap", "values": ["h8"] * 401},
        {"side": "white", "step": "swap", "ply": 3},
    ],
)
def test_bodies_that_are_no_steps(tmp_path: Path, body: dict[str, Any]) -> None:
    with board(tmp_path, "renju") as b:
        assert b.call("POST", f"{G}/steps", body).status_code == 422


def test_a_clock_at_nothing_loses_by_penalties(tmp_path: Path) -> None:
    with board(tmp_path, "xiangqi", "xiangqi-1999") as b:
        body = {
            "ply": 1,
            "moves": [{"move": "炮二平五", "clock": 5390}, {"move": "馬８進７", "clock": 0, "side": "black"}],
        }
        fed = b.call("POST", f"{G}/moves", body)
        found = fed.json["events"][-1]
        assert (found["type"], found["data"]["kind"]) == ("arbiter.finding.made.v3", "flag")
        assert fed.json["rulings"] == ["r2"]
        assert b.get().json["result"]["notation"] == "1-0"


def test_a_side_that_is_not_to_move_is_refused(tmp_path: Path) -> None:
    with board(tmp_path, "go", "go-campus") as b:
        refused = b.call("POST", f"{G}/moves", {"ply": 1, "moves": [{"move": "D4", "side": "white"}]}, "board")
        assert (refused.status_code, refused.json["article"]) == (409, "000-A 围棋, 违例 4")
        assert (
            b.call("POST", f"{G}/moves", {"ply": 1, "moves": [{"move": "D4", "side": "red"}]}, "board").status_code
            == 422
        )


def test_a_ruling_that_takes_moves_back_is_named_on_the_sheet(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        followed(b.moves("e4 e5"))
        foul = {"player": 1, "round": 1, "infraction": "foul"}
        back = {"to_ply": 1, "reason": "ruling", "ruling": "r1"}
        followed(b.call("POST", f"{T}/rulings", foul, "arbiter"), b.call("POST", f"{G}/take-back", back, "arbiter"))
        unknown = b.call("POST", f"{G}/take-back", back | {"to_ply": 0, "ruling": "r9"}, "arbiter")
        assert (unknown.status_code, unknown.json["see"]) == (404, f"{T}/rulings")
