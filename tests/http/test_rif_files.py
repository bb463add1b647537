"""RIF, the records of RenjuNet, sent to games of five in a row: their moves, names and result, and refusals by place."""

from pathlib import Path

import pytest

from tests.http.boards import G, board

RIF = "application/x-rif"
TABLES = """<?xml version="1.0" encoding="UTF-8"?>
<database version="10">
<players><player id="3" name="Li" surname="Wei"/><player id="4" name="O&quot;Brien" surname=""/></players>
<tournaments><tournament id="9" name="Team World Championship"/></tournaments>
<rules><rule id="1" name="Gomoku"/></rules>
<games>
"""
GAME = """<game id="7" tournament="9" round="2" rule="1" black="3" white="4" bresult="{result}" swap="">
<move>h8 a15 h9
 a2 h10 a3</move>
<info>quick &amp; even</info>
</game>
"""
END = "</games></database>"


def file(result: str = "", count: int = 1) -> str:
    return TABLES + GAME.format(result=result) * count + END


def test_all_that_a_file_says_of_the_game_and_of_the_rows_that_it_names_is_kept(tmp_path: Path) -> None:
    text = file().replace('surname="Wei"', 'surname="Wei" city="[5]"').replace("swap", "x1='one' x2='two' swap")
    text = text.replace("<info>", '<clock unit="s">30</clock><info>')
    with board(tmp_path, "gomoku", "gomoku-free") as b:
        assert b.file(text, RIF).status_code == 201
        sheet = b.get("/sheet", Accept="application/x-go-sgf").text
        for said in ("RIFBLACKCITY[[5\\]]", "RIFX[one][two]", "RIFCLOCK[30]", "RIFCLOCKUNIT[s]"):
            assert said in sheet, sheet
        assert b.file(sheet, "application/x-go-sgf").status_code == 200


@pytest.mark.parametrize(("declared", "codec"), [("GB2312", "gb18030"), ("GBK", "gb18030"), ("Big5", "big5")])
def test_a_file_is_read_in_the_encoding_that_it_declares(tmp_path: Path, declared: str, codec: str) -> None:
    with board(tmp_path, "gomoku", "gomoku-free") as b:
        text = file().replace("UTF-8", declared).replace("quick", "中局")
        assert b.file(text.encode(codec), RIF).status_code == 201
        assert "RIFINFO[中局 & even]" in b.get("/sheet", Accept="application/x-go-sgf").text


def test_a_game_of_renjunet_is_its_moves_and_what_it_says_beside_them_is_kept(tmp_path: Path) -> None:
    with board(tmp_path, "gomoku", "gomoku-free") as b:
        sent = b.file(file("0.5"), RIF)
        assert sent.status_code == 201, sent.text
        assert (sent.json["file"]["moves"], sent.json["file"]["result"]) == (6, "1/2-1/2")
        told = {one["name"]: (one["file"], one["line"], one["column"]) for one in sent.json["file"]["differs"]}
        assert told["PB"] == ("Li Wei", 7, 1) and told["EV"][0] == "Team World Championship"
        assert b.get().json["moves"] == ["h8", "a15", "h9", "a2", "h10", "a3"]
        assert b.get().json["status"] == "decided"
        sheet = b.get("/sheet", Accept="application/x-go-sgf").text
        assert "RIFINFO[quick & even]" in sheet and "RU[Gomoku]" in sheet and "RIFID[7]" in sheet
        assert b.file(sheet, "application/x-go-sgf").status_code == 200
        assert b.file(file("0.5"), RIF).status_code == 200


def test_a_file_of_several_games_is_read_by_the_number(tmp_path: Path) -> None:
    with board(tmp_path, "gomoku", "gomoku-free") as b:
        refused = b.file(file(count=2), RIF)
        assert refused.status_code == 422 and "a second game begins" in refused.json["detail"]
        second = b.call("POST", f"{G}/moves?number=2", data=file(count=2), Content_Type=RIF)
        assert second.status_code == 201
        third = b.call("POST", f"{G}/moves?number=3", data=file(count=2), Content_Type=RIF)
        assert third.status_code == 422 and "game 3 does not exist; number of games: 2" in third.json["detail"]


def test_a_file_is_taken_where_moves_are_too_and_by_its_media_type(tmp_path: Path) -> None:
    with board(tmp_path, "gomoku", "gomoku-free") as b:
        here = {"data": file("0.5"), "Content_Type": RIF}
        assert b.call("POST", f"{G}/moves", **here).status_code == 201
        assert b.file(file("0.5"), RIF).status_code == 200, "the same again"
        for query, told, status, errors in (
            ("", "application/octet-stream", 422, {"format"}),
            ("?format=pdf", "application/octet-stream", 422, {"format"}),
            ("?format=pgn", "application/octet-stream", 415, set()),
            ("?format=rif", RIF, 415, set()),
            ("?format=rif&number=0", "application/octet-stream", 422, {"number"}),
        ):
            refused = b.call("POST", f"{G}/moves/file{query}", data=file(), Content_Type=told)
            assert (refused.status_code, set(refused.json.get("errors", ()))) == (status, errors), query


REFUSED = [
    (file().replace("UTF-8", "johab"), 1, 31, "not XML: multi-byte encodings are not supported"),
    ("not XML", 1, 1, "line 1, column 1: the file is not XML: syntax error"),
    (TABLES + END, None, None, "it contains no game"),
    (file().replace("a2", "q2"), 9, 2, "q2 is not a point of the board"),
    (file().replace("a2", "h8"), 9, 2, "ply 4, h8"),
    (file("2"), 7, 1, "the result must be one of 1, 0, 0.5, not 2"),
    (file().replace("<move>", "loose<move>"), 8, 1, "loose is outside every element of a game"),
    ('<!DOCTYPE a [<!ENTITY b "c">]><a/>', 1, 25, "the file declares XML entities, which are not allowed"),
    (TABLES + "<game><move>" + "h8 " * 5_001 + "</move></game>" + END, 7, 15_013, "more than 5000 plies"),
    (TABLES + "<game id='1'/>" + END, 7, 1, "line 7, column 1: the file must contain a move"),
]


@pytest.mark.parametrize(("content", "line", "column", "why"), REFUSED, ids=[why for *_, why in REFUSED])
def test_what_cannot_be_read_is_refused_by_its_place_and_leaves_nothing(
    tmp_path: Path, content: str, line: int | None, column: int | None, why: str
) -> None:
    with board(tmp_path, "gomoku", "gomoku-free") as b:
        answer = b.file(content, RIF)
        assert answer.status_code in (409, 422) and why in answer.json["detail"], answer.text
        assert (answer.json.get("line"), answer.json.get("column")) == (line, column)
        assert b.get().json["status"] == "paired"


def test_a_file_in_another_encoding_is_read_where_it_says_so(tmp_path: Path) -> None:
    text = file().replace("UTF-8", "ISO-8859-1").replace("Wei", "Müller")
    with board(tmp_path, "gomoku", "gomoku-free") as b:
        sent = b.file(text.encode("latin-1"), RIF)
        assert sent.status_code == 201 and {"Li Müller"} <= {d["file"] for d in sent.json["file"]["differs"]}
