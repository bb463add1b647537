"""Game files of which something was once passed over without a word: taken whole, or refused by their place.

Clocks of a repeated batch and renju's fifth stone are in `test_games_forms`.
"""

from pathlib import Path

import pytest

from tests.http.boards import G, board

PGN, SGF = "application/x-chess-pgn", "application/x-go-sgf"
FEN = "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 20"
TAKEN = [
    pytest.param("chess", PGN, '[Event "x"] 1. e4 e5\n2. Nf3', ["e2e4", "e7e5", "g1f3"], id="a tag before moves in one line"),
    pytest.param("go", SGF, "(;GM[1]SZ[19]HA[0];B[aa];W[bb])", ["A19", "B18"], id="no handicap said as 0"),
    pytest.param(
        "xiangqi", PGN, "1. 炮二平五 馬８進７ *\n====\n 欢迎访问《象棋百科全书网》\n http://www.xqbase.com/\n",
        ["h2e2", "h9g7"], id="XQBase's footer",
    ),
    pytest.param(
        "chess", PGN, f'[SetUp "1"]\n[FEN "{FEN}"]\n\n20... O-O-O 21. O-O *', ["e8c8", "e1g1"], id="whose move a FEN says it is",
    ),
]  # fmt: skip
REFUSED = [
    pytest.param("chess", PGN, "1. e4 e5 1-0 2. Nf3", "line 1, column 14: 2. stands behind the result", id="behind a result"),
    pytest.param("go", SGF, "(;SZ[19];B[aa])\n(;SZ[19];B[bb])", "line 2, column 2: a second game begins", id="two games"),
    pytest.param("chess", PGN, '[Variant "Atomic"]\n\n1. e4', "line 1, column 1: Variant is 'Atomic'", id="another game"),
    pytest.param(
        "chess", PGN, f'[SetUp "1"]\n[FEN "{FEN}"]\n\n20... O-O *', "line 4, column 7: ply 1, O-O",
        id="a castling that a FEN has not",
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
