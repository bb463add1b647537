"""Periods of byo-yomi 读秒 that a clock has left: entered by the step `byo_yomi`, told, kept, held against clock and control."""

from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.http.boards import Board, G, board

SGF = "application/x-go-sgf"
TIME = {"periods": [{"seconds": 600}], "byo_yomi": 30, "byo_yomi_periods": 3, "flag": "claimed"}
AT_ONCE = TIME | {"flag": "at_once"}


def read(b: Board, ply: int, move: str, clock: int) -> TestResponse:
    return b.call("POST", f"{G}/moves", {"ply": ply, "moves": [{"move": move, "clock": clock}]})


def left(b: Board, periods: Any, side: str = "black", role: Any = "board") -> TestResponse:
    return b.call("POST", f"{G}/steps", {"side": side, "step": "byo_yomi", "values": [str(periods)]}, role)


def refusal(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.json["type"].rpartition(":")[2]


def test_periods_that_are_used_up_are_told_and_kept(tmp_path: Path) -> None:
    with board(tmp_path, "go", "go-campus", conditions={"time": TIME}) as b:
        assert b.get().json["byo_yomi"] == {"white": 3, "black": 3}
        assert (read(b, 1, "D4", 28).status_code, left(b, 2).status_code) == (201, 201)
        assert b.get().json["byo_yomi"] == {"white": 3, "black": 2}
        assert "2 periods of byo-yomi left" in b.call("GET", "/games/T.1.1", role=None).text
        assert read(b, 2, "Q16", 500).status_code == 201 and read(b, 3, "D16", 30).status_code == 201
        sheet = b.get("/sheet", Accept=SGF).text
        assert "black: byo_yomi 2" in sheet and "BL[28]" in sheet
        assert b.file(sheet, SGF).status_code == 200
        taken = b.call("POST", f"{G}/take-back", {"to_ply": 0, "reason": "agreement"}, "arbiter")
        assert taken.status_code == 201 and b.get().json["byo_yomi"]["black"] == 3


def test_no_period_comes_back_but_where_an_arbiter_says_how_many_there_are(tmp_path: Path) -> None:
    with board(tmp_path, "go", "go-campus", conditions={"time": TIME}) as b:
        assert (read(b, 1, "D4", 28).status_code, left(b, 1).status_code) == (201, 201)
        assert refusal(left(b, 2)) == (409, "byo-yomi-gains")
        assert left(b, 2, role="arbiter").status_code == 201
        assert b.get().json["byo_yomi"]["black"] == 2


@pytest.mark.parametrize(
    ("language", "one", "three"),
    [
        ("en", "1 period of byo-yomi left", "3 periods of byo-yomi left"),
        ("zh", "剩 1 次读秒", "剩 3 次读秒"),
    ],
)
def test_the_page_says_one_period_and_several(tmp_path: Path, language: str, one: str, three: str) -> None:
    with board(tmp_path, "go", "go-campus", conditions={"time": TIME}) as b:
        assert (read(b, 1, "D4", 28).status_code, left(b, 1).status_code) == (201, 201)
        page = b.call("GET", "/games/T.1.1", role=None, Accept_Language=language).text
        assert one in page and three in page


REFUSED = [
    (TIME, "0", (422, "bad-values")),
    (TIME, "4", (422, "bad-values")),
    (TIME, "²", (422, "bad-values")),
    (TIME, "9" * 30, (422, "bad-values")),
    (TIME, "2", (409, "byo-yomi-later")),
    ({"periods": [{"seconds": 600}], "byo_yomi": 30, "flag": "claimed"}, "1", (409, "no-byo-yomi")),
    ({"periods": [{"seconds": 600}], "flag": "claimed"}, "1", (409, "no-byo-yomi")),
]


@pytest.mark.parametrize(("time", "said", "refused"), REFUSED)
def test_what_the_control_or_the_clock_speaks_against_is_refused(
    tmp_path: Path, time: dict[str, Any], said: str, refused: tuple[int, str]
) -> None:
    with board(tmp_path, "go", "go-campus", conditions={"time": time}) as b:
        assert read(b, 1, "D4", 31).status_code == 201
        assert refusal(left(b, said)) == refused


@pytest.mark.parametrize(("periods", "status"), [(2, "playing"), (1, "decided"), (None, "decided")])
def test_no_flag_falls_while_a_period_is_left(tmp_path: Path, periods: int | None, status: str) -> None:
    with board(tmp_path, "go", "go-campus", conditions={"time": AT_ONCE}) as b:
        assert read(b, 1, "D4", 20).status_code == 201
        if periods is not None:
            assert left(b, periods).status_code == 201
        assert read(b, 2, "Q16", 500).status_code == 201 and read(b, 3, "D16", 0).status_code == 201
        assert b.get().json["status"] == status


@pytest.mark.parametrize(("periods", "state"), [(2, "pending"), (1, "upheld")])
def test_the_flag_that_a_side_claims_is_on_the_sheet_once_the_last_period_is(
    tmp_path: Path, periods: int, state: str
) -> None:
    with board(tmp_path, "go", "go-campus", conditions={"time": TIME}) as b:
        assert (read(b, 1, "D4", 0).status_code, left(b, periods).status_code) == (201, 201)
        claimed = b.call("POST", f"{G}/claims", {"claim": "flag", "side": "white"})
        assert (claimed.status_code, claimed.json["state"]) == (201, state)


def test_before_its_clocks_are_set_up_a_game_has_no_periods_to_use(tmp_path: Path) -> None:
    with board(tmp_path, "go", "go-campus", conditions={"time": TIME | {"clocks_after": 1800}}) as b:
        b.moves("D4")
        assert refusal(left(b, 2)) == (409, "no-clock")
