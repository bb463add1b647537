"""Files of xiangqi sent to a game: their moves on its sheet, what they say beside in the answer, and refusals by place."""

from pathlib import Path

import pytest

from tests.http.boards import G, board
from tests.rules.test_xiangqi_files import BINIT, ubb, xqf_file

XQF, UBB, WXF = "application/x-xqf", "text/x-dhtmlxq", "text/x-wxf"


def test_files_of_each_kind_are_the_game_that_they_hold(tmp_path: Path) -> None:
    with board(tmp_path, "xiangqi") as b:
        first = b.file(xqf_file(18, [(72, 42), (79, 67)], "当头炮"), XQF)
        assert first.status_code == 201
        file = first.json["file"]
        assert (file["moves"], file["result"]) == (2, None)
        assert file["differs"] == [{"name": "Red", "file": "李来群", "here": "选手1", "byte": 304}]
        again = b.file(ubb(binit=BINIT, movelist="77477062").encode("gb18030"), UBB)
        assert again.status_code == 200
        assert b.file("1. C2.5 H8+7 2. H2+3", WXF).status_code == 201
        assert b.get().json["moves"] == ["h2e2", "h9g7", "h0g2"]


def test_a_file_of_an_endgame_is_an_arbiters_to_send(tmp_path: Path) -> None:
    endgame = ubb(binit="47" + "99" * 3 + "49" + "99" * 15 + "30" + "99" * 11, movelist="4746")
    with board(tmp_path, "xiangqi") as b:
        assert b.file(endgame, UBB).status_code == 403
        sent = b.call("POST", f"{G}/moves", None, "arbiter", endgame, Content_Type=UBB)
        assert sent.status_code == 201, sent.text
        assert b.get().json["start"].startswith("3k5/9/9/9/9/9/9/4R4/9/4K4 w")
        assert b.file(ubb(binit=BINIT, movelist="7747"), UBB).json["type"].endswith("other-position")


def test_what_a_file_says_beside_its_moves_is_in_the_sheets_own_file(tmp_path: Path) -> None:
    with board(tmp_path, "xiangqi") as b:
        content = xqf_file(18, [(72, 42), (79, 67)], "当头炮", variation=(19, 27), result=1)
        sent = b.file(content, XQF)
        assert sent.status_code == 201 and sent.json["file"]["result"] == "1-0"
        assert b.get().json["status"] == "decided"
        written = b.get("/sheet", Accept="application/x-chess-pgn").text
        assert "1. H2-E2 {当头炮} H9-G7 ( 1... B9-C7 ) 1-0" in written
        assert b.call("POST", f"{G}/moves", data=written, Content_Type="application/x-chess-pgn").status_code == 200
        assert b.file(content, XQF).status_code == 200
        other = b.file(xqf_file(18, [(72, 42), (79, 67)], result=2), XQF)
        assert (other.status_code, other.json["type"].rpartition(":")[2]) == (409, "other-result")


def test_a_remark_with_old_ends_of_lines_stands_in_the_sheets_own_file_as_one(tmp_path: Path) -> None:
    with board(tmp_path, "xiangqi") as b:
        assert b.file(xqf_file(10, [(72, 42), (79, 67)], "当头炮\r好"), XQF).status_code == 201
        written = b.get("/sheet", Accept="application/x-chess-pgn").text
        assert "{当头炮\n好}" in written
        assert b.file(written, "application/x-chess-pgn").status_code == 200


@pytest.mark.parametrize(
    ("content", "media"),
    [
        (xqf_file(18, [(72, 42), (79, 67)], "[%clk 0:10:00]"), XQF),
        (ubb(movelist="77477062", comment1="[%clk 0:10:00]"), UBB),
        ("1. C2.5 {[%clk 0:10:00]} H8+7", WXF),
        ("1. C2.5 {a} H8+7 {[%clk 0:10:00]} {[%eval 1]}", WXF),
    ],
)
def test_a_remark_that_pgn_would_read_a_clock_in_stays_a_remark(
    tmp_path: Path, content: bytes | str, media: str
) -> None:
    with board(tmp_path, "xiangqi") as b:
        assert b.file(content, media).status_code == 201
        written = b.get("/sheet", Accept="application/x-chess-pgn").text
        assert "[ %clk 0:10:00]" in written and "[%" not in written
        assert b.file(written, "application/x-chess-pgn").status_code == 200
        assert b.get().json["clocks"] == {"white": None, "black": None}


REFUSED = [
    (XQF, b"nothing", 422, "byte 0"),
    (XQF, xqf_file(10, []), 422, "must contain a move"),
    (XQF, xqf_file(10, [(72, 99)]), 422, "byte 1033"),
    (XQF, xqf_file(12, [(72, 42), (72, 42)]), 409, "ply 2, h2e2"),
    (UBB, ubb(movelist="7758").encode(), 409, "ply 1"),
    (UBB, b"\xff\xfe\xff", 422, "line 1"),
    (WXF, b"1. C2.5 C2.5 X", 409, "ply 3, X"),
    (
        WXF,
        b"1. C2.5 {good\nmove H8+7",
        422,
        "line 1, column 9: a comment must begin with { and end with }; one of them is missing",
    ),
    (WXF, b"H2+3 H2+3 H3-2 H3-2 " * 50_000, 422, "line 1, column 25001: a game must not have more than 5000 plies"),
]


@pytest.mark.parametrize(("media", "content", "status", "where"), REFUSED)
def test_a_file_that_is_refused_leaves_nothing(
    tmp_path: Path, media: str, content: bytes, status: int, where: str
) -> None:
    with board(tmp_path, "xiangqi") as b:
        answer = b.file(content, media)
        assert answer.status_code == status and where in answer.json["detail"]
        assert b.get().json["status"] == "paired"


PLACED = [
    (XQF, xqf_file(12, [(72, 42), (72, 42)]), {"byte": 1032}),
    (XQF, b"nothing", {"byte": 0}),
    (WXF, b"1. C2.5 C2.5 X", {"line": 1, "column": 14}),
]


@pytest.mark.parametrize(("media", "content", "where"), PLACED)
def test_a_refusal_says_the_place_in_members_too(
    tmp_path: Path, media: str, content: bytes, where: dict[str, int]
) -> None:
    with board(tmp_path, "xiangqi") as b:
        answer = b.file(content, media).json
        assert {name: answer[name] for name in where} == where


@pytest.mark.parametrize("media", [XQF, UBB, WXF])
def test_a_file_of_one_game_has_no_second(tmp_path: Path, media: str) -> None:
    with board(tmp_path, "xiangqi") as b:
        answer = b.call("POST", f"{G}/moves?number=2", data=b"1. C2.5", Content_Type=media)
        assert answer.status_code == 422 and "game 2 does not exist; number of games: 1" in answer.json["detail"]


def test_a_file_of_another_game_is_refused(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        assert b.file("1. C2.5", WXF).status_code == 415
