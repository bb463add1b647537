"""Game files of which something was once passed over without a word: taken whole, or refused by their place.

Clocks of a repeated batch and renju's fifth stone are in `test_games_forms`.
"""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.http.boards import G, board

PGN, SGF, WXF = "application/x-chess-pgn", "application/x-go-sgf", "text/x-wxf"
FEN = "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 20"
TAKEN = [
    pytest.param("chess", PGN, '[Event "x"] 1. e4 e5\n2. Nf3', ["e2e4", "e7e5", "g1f3"], id="a tag before moves in one line"),
    pytest.param("go", SGF, "(;GM[1]SZ[19]HA[0];B[aa];W[bb])", ["A19", "B18"], id="no handicap said as 0"),
    pytest.param(
        "xiangqi", PGN, "1. 炮二平五 馬８進７ *\n====\n 欢迎访问《象棋百科全书网》\n http://www.xqbase.com/\n",
        ["h2e2", "h9g7"], id="XQBase's footer",
    ),
    pytest.param("chess", PGN, '[Result "*"]\n\n1. e4 e5 1/2-1/2', ["e2e4", "e7e5"], id="a result that a tag does not know"),
    pytest.param(
        "xiangqi", WXF, "FORMAT WXF\nFEN 4k4/9/4P1P2/4P1P2/9/9/9/9/9/3K5 w\nSTART{\n1. 15=4 K5+1\n}END", ["e7f7", "e9e8"],
        id="a pawn named by its place on a file",
    ),
    pytest.param(
        "chess", PGN, f'[SetUp "1"]\n[FEN "{FEN}"]\n\n20... O-O-O 21. O-O *', ["e8c8", "e1g1"], id="whose move a FEN says it is",
    ),
]  # fmt: skip
REFUSED = [
    pytest.param("chess", PGN, "1. e4 e5 1-0 2. Nf3", "line 1, column 14: 2. follows the result", id="behind a result"),
    pytest.param("go", SGF, "(;SZ[19];B[aa])\n(;SZ[19];B[bb])", "line 2, column 2: a second game begins", id="two games"),
    pytest.param("chess", PGN, '[Variant "Atomic"]\n\n1. e4', "line 1, column 1: the tag Variant is 'Atomic'", id="another game"),
    pytest.param(
        "chess", PGN, f'[SetUp "1"]\n[FEN "{FEN}"]\n\n20... O-O *', "line 4, column 7: ply 1, O-O",
        id="a castling that a FEN has not",
    ),
    pytest.param(
        "chess", PGN, "1. e4 e5 2. Nf3 ± {fine} 2... Nc6 3. Bb5 *", "line 1, column 17: ply 4, ±", id="a symbol before a number",
    ),
    pytest.param("chess", PGN, "1. e4 e5 2. Ke5 3. Nf3 *", "line 1, column 13: ply 3, Ke5", id="an illegal move before a number"),
    pytest.param("chess", PGN, "1. e4 e5 3. Nf3 {open", "column 10: the move has the number 3", id="a number before a bracket"),
    pytest.param("chess", PGN, "1. e4 Ke5 2. d4 {open", "line 1, column 7: ply 2, Ke5", id="a move before a bracket"),
    pytest.param("chess", PGN, '[Result "1-0"]\n\n1. e4 Ke5 0-1', "line 3, column 7: ply 2, Ke5", id="a move before a result"),
    pytest.param("xiangqi", PGN, "1. C2.5 X 3. H2+3 *", "line 1, column 9: ply 2, X", id="a word before a number"),
    pytest.param("xiangqi", WXF, "1. C2.5 X 3. H2+3", "line 1, column 9: ply 2, X", id="a word of WXF before a number"),
    pytest.param("xiangqi", WXF, "1. C2.5 H8+7 3. H2+3", "line 1, column 14: the move has the number 3", id="a number of WXF"),
    pytest.param(
        "xiangqi", WXF, '[Event "?"]\n\n1. C2=5 H8+7', "column 1: a tag in square brackets belongs to PGN", id="tags in WXF",
    ),
    pytest.param("go", SGF, "(;SZ[19];B[aa]\n;W[aa])", "line 2, column 1: ply 2, A19", id="a point that has a stone"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "media", "content", "moves"), TAKEN)
def test_a_file_is_taken_whole(tmp_path: Path, game: str, media: str, content: str, moves: list[str]) -> None:
    with board(tmp_path, game) as b:
        sent = b.call("POST", f"{G}/moves", None, "arbiter", content.encode(), Content_Type=media)
        assert sent.status_code == 201, sent.text
        assert b.get().json["moves"] == moves


@pytest.mark.parametrize(("game", "media", "content", "why"), REFUSED)
def test_a_file_is_refused_by_its_place_and_leaves_nothing(
    tmp_path: Path, game: str, media: str, content: str, why: str
) -> None:
    with board(tmp_path, game) as b:
        sent = b.call("POST", f"{G}/moves", None, "arbiter", content.encode(), Content_Type=media)
        assert sent.status_code in (409, 422) and why in sent.json["detail"], sent.text
        assert "line" in sent.json
        assert b.get().json["moves"] == []


def test_a_game_that_sgf_has_no_number_for_goes_out_as_no_sgf(tmp_path: Path) -> None:
    with board(tmp_path, "prediction", "prediction") as b:
        assert b.get("/sheet", Accept=SGF).status_code == 406


TODAY = datetime.now(UTC).strftime("%Y.%m.%d")
AGAIN = [
    pytest.param("chess", PGN, f'[Date "{TODAY}"]\n\n1. e4 *', id="the day on which the sheet was begun"),
    pytest.param("chess", PGN, '[Date "????.??.??"]\n\n1. e4 *', id="a day that is not known"),
    pytest.param("chess", PGN, "1. f3 e5 2. g4 Qh4# *", id="an end that the moves make"),
    pytest.param("chess", PGN, '[Opening "Tarrasch,  main line"]\n\n1. e4 *', id="two spaces in a tag"),
    pytest.param("chess", PGN, "1. e4 {[%clk 1[%clk 0:59:00]:00:00]} *", id="what is left of a comment looks like a reading"),
    pytest.param("go", SGF, "(;GM[1]HA[2]AB[dd][pp]KM[0.50];W[qf])", id="komi with two places"),
    pytest.param("go", SGF, "(;C[one][two];B[aa])", id="a comment in two values"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "media", "content"), AGAIN)
def test_what_stands_on_the_sheet_is_not_written_again(tmp_path: Path, game: str, media: str, content: str) -> None:
    with board(tmp_path, game) as b:

        def sent(file: str) -> int:
            return b.call("POST", f"{G}/moves", None, "arbiter", file.encode(), Content_Type=media).status_code

        assert (sent(content), sent(content)) == (201, 200)
        assert sent(b.get("/sheet", Accept=media).text) == 200
        assert sent(content) == 200


HEAD = "This is free software (really) [1] \\ \n\n"


def test_text_before_a_game_is_kept_with_it(tmp_path: Path) -> None:
    with board(tmp_path, "go") as b:
        assert b.file(f"{HEAD}(;GM[1];B[aa])", SGF).status_code == 201
        sheet = b.get("/sheet", Accept=SGF).text
        assert "FILEHEAD[This is free software (really) [1\\] \\\\]" in sheet.replace("\n", "")
        assert b.file(sheet, SGF).status_code == 200 and b.file(f"{HEAD}(;GM[1];B[aa])", SGF).status_code == 200


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("GM[1];B[aa](;W[bb])", "line 1, column 1: GM is outside a game"),
        ("(;B[aa]) more", "line 1, column 10: more is outside a game"),
        ("no game", "line 1, column 1: no is outside a game"),
    ],
)
def test_what_may_be_of_a_game_is_no_text_before_one(tmp_path: Path, content: str, why: str) -> None:
    with board(tmp_path, "go") as b:
        assert b.file(content, SGF).json["detail"] == why


def test_a_tag_is_written_again_as_it_stood(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        tag = '[Note "a  b\t\\"c\\" \\\\ 　d "]'
        assert b.file(f"{tag}\n\n1. e4 *", PGN).status_code == 201
        assert tag in b.get("/sheet", Accept=PGN).text.splitlines()


def test_a_tag_is_one_line_to_every_program(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        assert b.file('[Note "a\u0085b\u2028c\u2029d\x0b\x0c\x1c\x1d\x1ee"]\n\n1. e4 *', PGN).status_code == 201
        written = b.get("/sheet", Accept=PGN).text
        assert '[Note "a b c d e"]' in written.splitlines()
        assert b.file(written, PGN).status_code == 200


def test_a_move_to_where_the_piece_stands_is_none(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        refused = b.file("1. e4 e4e4", PGN)
        assert (refused.status_code, refused.json["line"], refused.json["column"]) == (409, 1, 7)
        assert "none of the pieces can make this move" in refused.json["detail"]
        assert b.moves("e2e2").json["type"].endswith("illegal-move")


def test_a_number_may_be_parted_from_its_point_by_any_space(tmp_path: Path) -> None:
    with board(tmp_path, "xiangqi") as b:
        assert b.file("1\u00a0. h2e2 h9g7", PGN).status_code == 201


def test_bytes_in_no_known_encoding_are_said_to_be_so(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        refused = b.file(b"1. e4 {\xff\x81\x00} *", PGN)
        assert refused.json["detail"] == "line 1, column 8: its character encoding is unknown"


@pytest.mark.parametrize(
    ("game", "media", "content"),
    [
        ("chess", PGN, "1. e4 {[%clk 24:00:00]} e5 {[%clk 24:00:01]} *"),
        ("chess", PGN, f"1. e4 {{[%clk 24:00:00]}} e5 {{[%clk {10**30}:00:00]}} *"),
        ("go", SGF, "(;GM[1];B[aa]BL[86400];W[bb]WL[86401])"),
    ],
)
def test_a_clock_in_a_file_shows_a_day_at_most_as_everywhere(
    tmp_path: Path, game: str, media: str, content: str
) -> None:
    with board(tmp_path, game) as b:
        answer = b.file(content, media)
        assert (answer.status_code, answer.json["line"]) == (422, 1)
        assert "a clock reading must be 0 to 86400 whole seconds" in answer.json["detail"]
        assert answer.json["column"] > 20, "it is the second that is named"
