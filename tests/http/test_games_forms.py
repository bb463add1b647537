"""Score sheets as other programs read and write them: PGN, SGF, and moves in the notation that is asked for."""

import io
import json
from pathlib import Path

import chess.pgn
import pytest
from sgfmill import sgf as other_program

from tests.http.boards import G, board

PGN, SGF, JSON = "application/x-chess-pgn", "application/x-go-sgf", "application/json"
SCHOLAR = """[Event "Cup"]
[White "A"]
[Black "B"]

1. e4 {[%clk 1:29:50]} e5 {[%clk 1:29:40]} (1... c5 2. Nf3) 2. Bc4 Nc6 3.Qh5 $2 Nf6?? {oh
dear} 4. Qxf7# 1-0
"""


# ---------------------------------------------------------------- notations


@pytest.mark.parametrize(
    "query, first, second",
    [
        ("", "h2e2", "h9g7"),
        ("?notation=iccs", "h2e2", "h9g7"),
        ("?notation=chinese", "炮二平五", "马8进7"),
        ("?notation=traditional", "炮二平五", "馬8進7"),
        ("?notation=chinese&width=full", "炮二平五", "马８进７"),
        ("?notation=traditional&width=full", "炮二平五", "馬８進７"),
        ("?notation=iccs&width=full", "h2e2", "h9g7"),
    ],
)
def test_xiangqi_is_told_in_the_notation_asked_for(tmp_path: Path, query: str, first: str, second: str) -> None:
    with board(tmp_path, "xiangqi") as b:
        b.moves("h2e2 h9g7")
        assert b.get(query).json["moves"] == [first, second]
        assert [m["move"] for m in b.get(f"/sheet{query}").json["moves"]] == [first, second]


@pytest.mark.parametrize(
    "said", ["炮二平五 马8进7", "炮二平五 馬８進７", "砲２平５ 馬八進七", "H2-E2 h9g7", "炮25 马87-"]
)
def test_xiangqi_is_read_in_every_notation_and_kept_in_one(tmp_path: Path, said: str) -> None:
    with board(tmp_path, "xiangqi") as b:
        assert b.moves(said).status_code == 201
        assert b.get().json["moves"] == ["h2e2", "h9g7"]
        assert b.moves("h2e2 h9g7").status_code == 200, "the same moves in another notation are known"


def test_chess_is_told_in_uci_or_san(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        b.moves("e4 e7e5 Ng1f3")
        assert b.get("?notation=san").json["moves"] == ["e4", "e5", "Nf3"]
        assert b.get("?notation=uci").json["moves"] == ["e2e4", "e7e5", "g1f3"]


@pytest.mark.parametrize(
    "game, query, known",
    [
        ("chess", "notation=chinese", "notation is one of uci, san"),
        ("xiangqi", "notation=san", "notation is one of iccs, chinese, traditional"),
        ("xiangqi", "notation=chinese&width=wide", "width is one of half, full"),
        ("go", "notation=chinese", "this game's moves have no other notation"),
        ("checkers", "notation=iccs", "this game's moves have no other notation"),
    ],
)
def test_an_unknown_notation_is_refused_with_those_there_are(tmp_path: Path, game: str, query: str, known: str) -> None:
    with board(tmp_path, game) as b:
        refused = b.get(f"?{query}")
        assert (refused.status_code, refused.json["detail"]) == (422, known)


@pytest.mark.parametrize(
    "game, before, said, candidates",
    [
        ("chess", "Nc3 a6 Nf3 a5 e3 a4 Ne2 a3", "Ng1", "e2g1, f3g1"),
        ("xiangqi", "炮二进二 卒1进1 炮二平八 卒1进1", "炮八平五", "b2e2, b4e4"),
        ("xiangqi", "炮二进二 卒1进1 炮二平八 卒1进1", "砲85", "b2e2, b4e4"),
    ],
)
def test_an_ambiguous_move_is_refused_with_what_it_could_mean(
    tmp_path: Path, game: str, before: str, said: str, candidates: str
) -> None:
    with board(tmp_path, game) as b:
        refused = b.moves(f"{before} {said}")
        assert (refused.status_code, refused.json["where"]) == (409, f"moves[{len(before.split())}]")
        assert candidates in refused.json["detail"] and refused.json["article"]
        assert b.get().json["ply"] == 0, "a batch is followed whole or not at all"


# ---------------------------------------------------------------- PGN


def test_a_chess_game_comes_as_pgn_and_goes_out_as_pgn(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        taken = b.file(SCHOLAR, PGN)
        assert taken.status_code == 201, taken.text
        assert taken.json["events"][-1]["data"]["termination"] == "checkmate"
        assert b.file(SCHOLAR, PGN).status_code == 200, "the file again brings nothing new"
        told = b.get("/sheet", Accept=PGN)
        game = chess.pgn.read_game(io.StringIO(told.text))
        assert game is not None and not game.errors
        assert game.board().variation_san(game.mainline_moves()) == "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#"
        assert (game.next().clock(), game.headers["Result"], game.headers["White"]) == (5390, "1-0", "选手1")


def test_a_growing_file_brings_only_what_is_new(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        b.file("1. e4 e5 *", PGN)
        more = b.file("1. e4 e5 2. Nf3 *", PGN)
        assert [e["data"]["move"] for e in more.json["events"]] == ["g1f3"]
        other = b.file("1. e4 c5 2. Nf3 *", PGN)
        assert (other.status_code, other.json["type"].rpartition(":")[2]) == (409, "other-move")


@pytest.mark.parametrize("notation, third", [("iccs", "H0-G2"), ("chinese", "马二进三"), ("traditional", "馬二進三")])
def test_a_xiangqi_game_goes_out_as_pgn_and_comes_back(tmp_path: Path, notation: str, third: str) -> None:
    (tmp_path / "one").mkdir(), (tmp_path / "two").mkdir()
    with board(tmp_path / "one", "xiangqi") as b:
        b.call("POST", f"{G}/moves", {"ply": 1, "moves": [{"move": "h2e2", "clock": 5399}, "h9g7", "h0g2"]})
        told = b.get(f"/sheet?notation={notation}", Accept=PGN)
        assert told.mimetype == PGN
        kept = b.get("/sheet").json["moves"]
    text = told.text
    assert '[Game "Chinese Chess"]' in text and '[Red "选手1"]' in text and '[Result "*"]' in text
    assert f'[Format "{"ICCS" if notation == "iccs" else "Chinese"}"]' in text
    assert "{[%clk 1:29:59]} " in text and f" 2. {third} *" in text
    with board(tmp_path / "two", "xiangqi") as b:
        assert b.file(text.encode(), f"{PGN}; charset=utf-8").status_code == 201
        assert b.get("/sheet").json["moves"] == kept


def test_a_xiangqi_file_may_be_in_another_charset(tmp_path: Path) -> None:
    with board(tmp_path, "xiangqi") as b:
        content = '[Red "王天一"]\n\n1. 炮二平五 马8进7 *\n'.encode("gb18030")
        assert b.file(content, PGN).status_code == 422
        assert b.file(content, f"{PGN}; charset=gb18030").status_code == 201


def test_an_illegal_move_in_a_file_is_refused_with_its_article_and_nothing_is_written(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        refused = b.file("1. e4 e5 2. Ke3 *", PGN)
        assert (refused.status_code, refused.json["where"]) == (409, "moves[2]")
        assert refused.json["detail"] == "ply 3, Ke3: no piece can make this move"
        assert "不合规则 1" in refused.json["article"]
        assert b.get().json["ply"] == 0


# ---------------------------------------------------------------- SGF


def test_a_go_game_goes_out_as_sgf_and_comes_back(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir(), (tmp_path / "two").mkdir()
    with board(tmp_path / "one", "go", "go-campus") as b:
        b.call("POST", f"{G}/moves", {"ply": 1, "moves": [{"move": "Q16", "clock": 3590}, "D4", "PASS", "PASS"]})
        b.step("black", "dead", "D4")
        b.step("white", "dead", "D4")
        told, kept = b.get("/sheet", Accept=SGF), b.get("/sheet").json["moves"]
    game = other_program.Sgf_game.from_bytes(told.data)
    root = game.get_root()
    assert [root.get(p) for p in ("SZ", "KM", "PB", "PW", "RE")] == [19, 7.5, "选手2", "选手1", "B+"]
    assert "black: dead D4" in told.text
    with board(tmp_path / "two", "go", "go-campus") as b:
        assert b.file(told.data, SGF).status_code == 201
        assert b.get("/sheet").json["moves"] == kept


def test_a_turn_lost_by_a_void_stone_is_a_pass_in_a_file_of_go(tmp_path: Path) -> None:
    with board(tmp_path, "go", "go-campus") as b:
        b.moves("Q16 A2 Q4 B1")
        void = {"claim": "illegal_move", "side": "white", "move": "A1"}
        assert b.call("POST", f"{G}/claims", void, "arbiter").status_code == 201
        assert b.moves("D4", 6).status_code == 201
        told = b.get("/sheet", Accept=SGF).data
        moves = [node.get_move() for node in other_program.Sgf_game.from_bytes(told).get_main_sequence()[1:]]
        assert moves[4:] == [("b", None), ("w", (3, 3))]
        assert b.file(told, SGF).status_code == 200
        grown = b.file(told.rstrip().removesuffix(b")") + b";B[dd])", SGF)
        assert [e["data"]["move"] for e in grown.json["events"]] == ["D16"]


def test_gomoku_as_sgf_names_who_holds_the_black_stones_after_the_guess(tmp_path: Path) -> None:
    with board(tmp_path, "gomoku", "gomoku-campus") as b:
        assert b.step("black", "guess", "odd", "4").status_code == 201
        assert b.moves("h8 h9 g8").status_code == 201
        told = b.get("/sheet", Accept=SGF)
        root = other_program.Sgf_game.from_bytes(told.data).get_root()
        assert [root.get_raw(p) for p in ("GM", "SZ")] == [b"4", b"15"]
        assert [root.get(p) for p in ("PB", "PW")] == ["选手1", "选手2"]
        assert b.file(told.data, SGF).status_code == 200


def test_a_renju_file_goes_on_behind_the_fifth_stone_that_was_kept(tmp_path: Path) -> None:
    with board(tmp_path, "renju") as b:
        assert b.moves("h8 h9 h10").status_code == 201
        assert b.step("white", "swap").status_code == 201
        assert b.moves("i9", 5).status_code == 201
        assert b.step("white", "offer_fifth", "g7", "j10").status_code == 201
        assert b.step("black", "choose_fifth", "g7").status_code == 201
        told = b.get("/sheet", Accept=SGF).data
        root = other_program.Sgf_game.from_bytes(told).get_root()
        assert [root.get(p) for p in ("PB", "PW")] == ["选手1", "选手2"], "the seats have swapped"
        assert b.file(told, SGF).status_code == 200, "all of it stands on the sheet"
        assert b.file("(;GM[4]SZ[15];B[hh];W[hg])", SGF).status_code == 200, "and so does the beginning"
        grown = told.replace(b")", b";W[aa];B[oo])")
        assert [e["data"]["move"] for e in b.file(grown, SGF).json["events"]] == ["a15", "o1"]
        assert b.file(grown, SGF).status_code == 200
        other = b.file("(;GM[4]SZ[15];B[hh];W[hg];B[hf];W[ig];B[jf];W[aa])", SGF)
        assert (other.status_code, other.json["detail"]) == (409, "stone 5 is g7 on the sheet, not j10")


# ---------------------------------------------------------------- the longest


def test_a_whole_game_of_five_thousand_plies_is_taken_at_once(tmp_path: Path) -> None:
    there_and_back = "Nf3 {[%clk 1:00:00]} Nf6 {[%clk 1:00:00]} Ng1 {[%clk 1:00:00]} Ng8 {[%clk 1:00:00]} "
    with board(tmp_path, "chess") as b:
        taken = b.file(there_and_back * 1_250, PGN)
        assert (taken.status_code, len(taken.json["events"])) == (201, 5_001)
        assert len(taken.data) < 4 * 1024 * 1024, "half of what one command may write"
        assert b.file(there_and_back * 1_250, PGN).status_code == 200
        refused = b.file(there_and_back * 1_250 + "Nf3", PGN)
        assert (refused.status_code, refused.json["detail"]) == (422, "a game has at most 5000 moves of either side")


def test_moves_in_json_come_in_smaller_batches(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        refused = b.moves("Nf3 " * 501)
        assert (refused.status_code, refused.json["errors"]) == (422, {"moves": ["Length must be between 1 and 500."]})


# ---------------------------------------------------------------- what cannot be read


@pytest.mark.parametrize(
    "game, content, media, status, why",
    [
        ("chess", "", PGN, 422, "there is no game in it"),
        ("chess", '[Event "x"]\n\n*\n', PGN, 422, "there is no move in it"),
        ("chess", '1. e4 *\n\n[Event "y"]\n\n1. d4 *\n', PGN, 422, "more than one game"),
        ("chess", "1. e4 {open", PGN, 422, "after move 1: a comment has one end only"),
        ("chess", "1. e4 ( 1. d4", PGN, 422, "a variation is left open"),
        ("chess", '[FEN "8/8/8/8/8/8/8/K6k w - - 0 1"]\n\n1. Ka2 *\n', PGN, 422, "FEN sets up a position"),
        ("chess", b"1. e4 \xff\xfe *", PGN, 422, "it is not written in utf-8"),
        ("chess", b"1. e4 *", f"{PGN}; charset=none", 422, "it is not written in none"),
        ("chess", "1. hello *", PGN, 409, "ply 1, hello: this is neither UCI nor SAN"),
        ("chess", "(;B[aa])", SGF, 415, "a file of chess comes as application/x-chess-pgn"),
        ("go", "1. e4 *", PGN, 415, "a file of go comes as application/x-go-sgf"),
        ("go", "(;SZ[9];B[aa])", SGF, 422, "the board has 9 lines, not 19"),
        ("go", "(;SZ[19];W[aa])", SGF, 422, "move 1: w moves out of turn"),
        ("go", "(;SZ[19]GM[4];B[aa])", SGF, 422, "this is another game: GM is 4, not 1"),
        ("go", "hello", SGF, 422, "not SGF"),
        ("go", "(;SZ[19])", SGF, 422, "there is no move in it"),
        ("xiangqi", "1. 炮二平五 你好 *", PGN, 409, "ply 2, 你好: this is neither ICCS nor Chinese notation"),
        ("checkers", "1. e4 *", PGN, 409, "have no score sheets"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_and_says_why(
    tmp_path: Path, game: str, content: str | bytes, media: str, status: int, why: str
) -> None:
    with board(tmp_path, game) as b:
        refused = b.file(content, media)
        assert (refused.status_code, refused.mimetype) == (status, "application/problem+json")
        assert why in refused.json["detail"]


@pytest.mark.parametrize(
    "game, accept, status",
    [("chess", SGF, 406), ("xiangqi", SGF, 406), ("go", PGN, 406), ("renju", SGF, 200), ("checkers", PGN, 406)],
)
def test_a_sheet_has_the_form_of_its_game(tmp_path: Path, game: str, accept: str, status: int) -> None:
    with board(tmp_path, game) as b:
        told = b.get("/sheet", Accept=accept)
        assert told.status_code == status
        assert json.loads(b.get("/sheet", Accept=JSON).data)["moves"] == []
