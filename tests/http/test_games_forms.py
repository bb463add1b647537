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
        ("chess", "notation=chinese", "notation must be one of uci, san"),
        ("xiangqi", "notation=san", "notation must be one of iccs, chinese, traditional"),
        ("xiangqi", "notation=chinese&width=wide", "width must be one of half, full"),
        ("go", "notation=chinese", "omit notation: moves of this game can be shown in only one way"),
        ("checkers", "notation=iccs", "omit notation: moves of this game can be shown in only one way"),
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
        refused = b.file(content, f"{PGN}; charset=utf-8")
        assert (refused.status_code, refused.json["line"], refused.json["column"]) == (422, 1, 7)
        assert refused.json["detail"] == "line 1, column 7: byte 0xcd is not utf-8"
        assert b.file(content, f"{PGN}; charset=gb18030").status_code == 201


def test_an_illegal_move_in_a_file_is_refused_with_its_article_and_nothing_is_written(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        refused = b.file("1. e4 e5 2. Ke3 *", PGN)
        assert (refused.status_code, refused.json["where"]) == (409, "moves[2]")
        assert refused.json["detail"] == "line 1, column 13: ply 3, Ke3: none of the pieces can make this move"
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


# ---------------------------------------------------------------- what a file says beside the moves

ANNOTATED = """[Event "Cup"]
[Site "Beijing"]
[Date "2026.11.20"]
[Round "3.1"]
[White "A, B"]
[Black "C \\"D\\""]
[Result "1-0"]
[WhiteElo "2700"]
[WhiteFideId "1503014"]
[ECO "C20"]
[TimeControl "40/7200:20/3600:900+30"]

{Before it} 1. e4 {[%clk 1:29:50] [%eval 0.3] best} e5 $6 {[%clk 1:29:40.5]} (1... c5 $1 2. Nf3 {Sicilian}
(2. c3) 2... d6) 2. Nf3!? ; to the end
% a program's own line
2... Nc6 1-0
"""


def pgn_game(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None and not game.errors
    return game


def test_what_a_pgn_says_beside_the_moves_is_kept_and_written_again(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        taken = b.file(ANNOTATED, PGN)
        assert taken.status_code == 201, taken.text
        assert [e["type"] for e in taken.json["events"]][-3:] == [
            "arbiter.file.read.v1",
            "arbiter.game.started.v2",
            "arbiter.result.reported.v1",
        ]
        assert taken.json["file"]["result"] == "1-0" and b.get().json["result"]["notation"] == "1-0"
        assert {(d["name"], d["here"], d["line"]) for d in taken.json["file"]["differs"]} == {
            ("Event", "校园杯", 1),
            ("Round", "1.1", 4),
            ("White", "选手1", 5),
            ("Black", "选手2", 6),
        }
        told = b.get("/sheet", Accept=PGN).text
        game, sent = pgn_game(told), pgn_game(ANNOTATED)
        assert "%% a program" in told.replace("\n% a", "%% a") and ";" in told
        names = ("Site", "Date", "WhiteElo", "WhiteFideId", "ECO", "TimeControl", "Result")
        assert [game.headers[n] for n in names] == [sent.headers[n] for n in names]
        for ours, theirs in zip([game, *game.mainline()], [sent, *sent.mainline()], strict=True):
            assert (ours.nags, ours.clock(), ours.eval()) == (theirs.nags, theirs.clock(), theirs.eval())
            assert [str(line) for line in ours.variations[1:]] == [str(line) for line in theirs.variations[1:]]
            assert [w for w in ours.comment.split() if "%" not in w] == [
                w for w in theirs.comment.split() if "%" not in w
            ]
        assert b.file(ANNOTATED, PGN).status_code == 200, "the file again brings nothing new"
        assert b.file(told, PGN).status_code == 200, "nor does ours"


def test_annotations_are_a_text_that_is_erased_and_go_with_the_moves_that_are_taken_back(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        sent = b.file("1. e4 {first} e5 {second} *", PGN)
        kept = next(e["data"] for e in sent.json["events"] if e["type"] == "arbiter.file.read.v1")
        assert "first" not in sent.text and kept["result"] is None
        b.call("POST", f"{G}/take-back", {"to_ply": 1, "reason": "misrecorded"}, "arbiter")
        b.moves("c5", 2)
        assert "{first}" in b.get("/sheet", Accept=PGN).text and "second" not in b.get("/sheet", Accept=PGN).text
        erased = b.call("DELETE", f"/v1/tournaments/T/texts/{kept['annotations']['text']}", role="organiser")
        assert erased.status_code in (200, 201), erased.text
        assert "first" not in b.get("/sheet", Accept=PGN).text


def test_what_an_sgf_says_beside_the_moves_is_kept_and_written_again(tmp_path: Path) -> None:
    sent = (
        "(;GM[1]FF[4]CA[UTF-8]SZ[19]HA[0]KM[6.5]RU[Japanese]PB[柯洁]BR[9d]RE[B+R]C[Before it]"
        ";B[pd]BL[3590.5]C[good \\] move]N[joseki]LB[dd:A];W[dd]WL[3599](;B[pp]TR[pd];W[tt])(;B[dp]C[or here];W[pp]))"
    )
    with board(tmp_path, "go", "go-campus") as b:
        taken = b.file(sent, SGF)
        assert taken.status_code == 201, taken.text
        assert {(d["name"], d["file"], d["here"]) for d in taken.json["file"]["differs"]} == {
            ("PB", "柯洁", "选手2"),
            ("KM", "6.5", "7.5"),
            ("RU", "Japanese", "Chinese"),
        }
        assert b.get("/sheet").json["moves"][0] == {"ply": 1, "move": "Q16", "clock": 3590}
        told = b.get("/sheet", Accept=SGF).data
        game = other_program.Sgf_game.from_bytes(told)
        nodes = game.get_main_sequence()
        assert [nodes[0].get(n) for n in ("C", "BR", "RE", "KM")] == ["Before it", "9d", "B+R", 7.5]
        assert [nodes[1].get(n) for n in ("C", "N", "BL", "LB")] == ["good ] move", "joseki", 3590.5, [((15, 3), "A")]]
        assert [node.get_move() for node in nodes[1:]] == [("b", (15, 15)), ("w", (15, 3)), ("b", (3, 15)), ("w", None)]
        assert [node.get("C") for node in (nodes[2][1],)] == ["or here"] and nodes[2][1][0].get_move() == ("w", (3, 15))
        assert b.file(sent, SGF).status_code == 200 and b.file(told, SGF).status_code == 200


CLASSICAL = [{"seconds": 7200, "moves": 40}, {"seconds": 3600, "moves": 20}, {"seconds": 900, "increment": 30}]


def test_pgn_says_the_announced_time_period_by_period(tmp_path: Path) -> None:
    time = {"periods": CLASSICAL, "flag": "claimed"}
    with board(tmp_path, "chess", conditions={"time": time}) as b:
        told = b.file('[TimeControl "40/7200:20/3600+0:900+30"]\n\n1. e4 {[%clk 1:59:50]} e5 *', PGN)
        assert told.status_code == 201 and told.json["file"]["differs"] == []
        sheet = b.get("/sheet", Accept=PGN).text
        assert pgn_game(sheet).headers["TimeControl"] == "40/7200:20/3600:900+30"
        assert b.file(sheet, PGN).status_code == 200
        other = b.file('[TimeControl "5400+30"]\n\n1. e4 {[%clk 1:59:50]} e5 *', PGN).json["file"]["differs"]
        assert [(d["name"], d["file"], d["here"]) for d in other] == [
            ("TimeControl", "5400+30", "40/7200:20/3600:900+30")
        ]


def test_sgf_says_the_announced_time_and_its_periods_of_byo_yomi(tmp_path: Path) -> None:
    time = {"periods": [{"seconds": 1800}], "byo_yomi": 30, "byo_yomi_periods": 5, "flag": "claimed"}
    with board(tmp_path, "go", "go-campus", conditions={"time": time}) as b:
        told = b.file("(;GM[1]SZ[19]TM[1800.0]OT[5*30 Byo-Yomi];B[pd]BL[30];W[dd]WL[31])", SGF)
        assert told.status_code == 201 and told.json["file"]["differs"] == [], told.text
        sheet = b.get("/sheet", Accept=SGF).data
        root = other_program.Sgf_game.from_bytes(sheet).get_root()
        assert (root.get("TM"), root.get("OT")) == (1800.0, "5x30 byo-yomi")
        assert b.file(sheet, SGF).status_code == 200
        other = b.file("(;GM[1]SZ[19]TM[60]OT[3x30 byo-yomi];B[pd]BL[30];W[dd]WL[31])", SGF).json["file"]["differs"]
        assert [(d["name"], d["here"]) for d in other] == [("TM", "1800"), ("OT", "5x30 byo-yomi")]


@pytest.mark.parametrize(
    "before, file, status, why",
    [
        (
            "",
            "1. f3 e5 2. g4 Qh4# 1-0",
            409,
            "line 1, column 21: the file states 1-0, but the moves end the game by checkmate",
        ),
        ("0-1", "1. e4 e5 1-0", 409, "T.1.1 is decided already"),
        ("0-1 after e4 e5", "1. e4 e5 1-0", 409, "the file states 1-0, but T.1.1 is already decided: 0-1"),
        (
            "",
            '[Result "0-1"]\n\n1. e4 e5 1-0',
            422,
            "line 3, column 10: the moves end with 1-0, but the tag Result in line 1 is 0-1",
        ),
    ],
)
def test_a_result_that_a_file_states_is_not_passed_over(
    tmp_path: Path, before: str, file: str, status: int, why: str
) -> None:
    with board(tmp_path, "chess") as b:
        if "after" in before:
            b.moves("e4 e5")
        if before:
            result = {"round": 1, "results": [{"board": 1, "result": before[:3]}]}
            assert b.call("POST", "/v1/tournaments/T/results", result, "arbiter").status_code == 201
        refused = b.file(file, PGN)
        assert refused.status_code == status and why in refused.json["detail"], refused.text


def test_a_result_ends_a_game_whose_moves_are_known(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        b.moves("e4 e5")
        assert b.file("1. e4 e5 1/2-1/2", PGN).status_code == 201
        assert b.get().json["result"]["notation"] == "1/2-1/2"
        assert b.file("1. e4 e5 1/2-1/2", PGN).status_code == 200


def test_a_player_states_no_result_of_his_own_game(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        sent = b.call("POST", f"{G}/moves", None, "player", "1. e4 1-0", name="1", Content_Type=PGN)
        assert sent.status_code == 403 and "must not state a result" in sent.json["detail"]
        assert b.get().json["ply"] == 0


def test_a_repeated_batch_with_another_clock_reading_is_a_conflict(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        move = {"ply": 1, "moves": [{"move": "e4", "clock": 5000}, "e5"]}
        assert b.call("POST", f"{G}/moves", move).status_code == 201
        assert b.call("POST", f"{G}/moves", move).status_code == 200
        assert b.moves("e4 e5").status_code == 200, "a batch that says no reading says no other"
        move["moves"][0]["clock"] = 4990
        refused = b.call("POST", f"{G}/moves", move)
        assert (refused.status_code, refused.json["where"]) == (409, "moves[0]")
        assert refused.json["detail"] == "ply 1 has a clock reading of 5000 seconds on the sheet, not 4990"
        refused = b.call("POST", f"{G}/moves", {"ply": 2, "moves": [{"move": "e5", "side": "white"}]})
        assert (refused.status_code, refused.json["where"]) == (409, "moves[0]")
        assert refused.json["detail"] == "on the score sheet, black made ply 2, not white"
        file = b.file("1. e4 {[%clk 1:23:20]} e5 {[%clk 1:20:00]} *", PGN)
        assert (file.status_code, file.json["line"], file.json["column"]) == (409, 1, 24)
        assert (
            file.json["detail"]
            == "line 1, column 24: ply 2 has no clock reading on the score sheet, but 4800 seconds in the request"
        )


@pytest.mark.parametrize(
    "game, media, sent",
    [
        ("chess", PGN, '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 3 20"]\n\n20... Ke7 {first} 21. e4 *'),
        ("go", SGF, "(;SZ[19]HA[2]AB[pd][dp];W[dd];B[pp])"),
        ("go", SGF, "(;SZ[19]AB[pd][dp]AW[aa]PL[B];B[pp];W[dd])"),
    ],
)
def test_a_file_that_sets_up_a_position_is_played_from_there_and_written_so(
    tmp_path: Path, game: str, media: str, sent: str
) -> None:
    (tmp_path / "one").mkdir(), (tmp_path / "two").mkdir()
    with board(tmp_path / "one", game) as b, board(tmp_path / "two", game) as c:
        refused = b.file(sent, media)
        assert refused.status_code == 403, refused.text
        taken = b.call("POST", f"{G}/moves", None, "arbiter", sent, Content_Type=media)
        assert taken.status_code == 201, taken.text
        told = b.get("/sheet", Accept=media).text
        assert b.file(told, media).status_code == 200 and b.file(sent, media).status_code == 200
        assert c.call("POST", f"{G}/moves", None, "arbiter", told, Content_Type=media).status_code == 201
        assert c.get().json["fen"] == b.get().json["fen"]
        usual = b.file("1. e4 *" if game == "chess" else "(;SZ[19];B[dd])", media)
        assert (usual.status_code, usual.json["type"].rpartition(":")[2]) == (409, "other-position")


def test_a_game_of_several_is_named_by_its_number(tmp_path: Path) -> None:
    both = "(;GM[4]SZ[15];B[hh])\n(;GM[4]SZ[15];B[hh];W[hg])"
    with board(tmp_path, "gomoku", "gomoku-campus") as b:
        assert "line 2, column 2: a second game begins" in b.file(both, SGF).json["detail"]
        for number, status in (("3", 422), ("0", 422), ("x", 422), ("2", 201)):
            sent = b.call("POST", f"{G}/moves?number={number}", data=both, Content_Type=SGF)
            assert sent.status_code == status, sent.text
        assert b.get().json["ply"] == 2


# ---------------------------------------------------------------- the longest


def test_a_whole_game_of_five_thousand_plies_is_taken_at_once(tmp_path: Path) -> None:
    there_and_back = "Nf3 {[%clk 1:00:00]} Nf6 {[%clk 1:00:00]} Ng1 {[%clk 1:00:00]} Ng8 {[%clk 1:00:00]} "
    with board(tmp_path, "chess") as b:
        taken = b.file(there_and_back * 1_250, PGN)
        assert (taken.status_code, len(taken.json["events"])) == (201, 5_001)
        assert len(taken.data) < 4 * 1024 * 1024, "half of what one command may write"
        assert b.file(there_and_back * 1_250, PGN).status_code == 200
        refused = b.file(there_and_back * 1_250 + "Nf3", PGN)
        assert (refused.status_code, refused.json["detail"]) == (
            422,
            "line 1, column 105001: a game must not have more than 5000 plies",
        )


def test_moves_in_json_come_in_smaller_batches(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        refused = b.moves("Nf3 " * 501)
        assert (refused.status_code, refused.json["errors"]) == (422, {"moves": ["at most 500 items; 501 were sent"]})


def test_a_file_of_xboard_is_read_by_its_short_notation(tmp_path: Path) -> None:
    file = """[Variant "xiangqi"]
[TimeControl "120+1"]

1. Che2 {+0,00/6} Hg7 2. Hg2 Rh9 3. Rh0 Ege7 4. Rh6 g5 {-0,11/7} *
"""
    with board(tmp_path, "xiangqi") as b:
        taken = b.file(file, PGN)
        assert taken.status_code == 201, taken.text
        assert [m["move"] for m in b.get("/sheet").json["moves"]] == [
            "h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "g9e7", "h0h6", "g6g5"
        ]  # fmt: skip
        assert "{+0,00/6}" in b.get("/sheet", Accept=PGN).text
        assert b.file(file, PGN).status_code == 200


def test_a_short_move_of_xiangqi_that_could_be_two_is_refused_by_its_place(tmp_path: Path) -> None:
    with board(tmp_path, "xiangqi") as b:
        refused = b.file("1. Che2 Hg7 2. Hg2 Rh9 3. Rh0 Ee7 *", PGN)
        assert refused.status_code == 409 and (refused.json["line"], refused.json["column"]) == (1, 31)
        assert "c9e7" in refused.json["detail"] and "g9e7" in refused.json["detail"]


# ---------------------------------------------------------------- what cannot be read


@pytest.mark.parametrize(
    "game, content, media, status, why",
    [
        ("chess", "", PGN, 422, "it contains no game"),
        ("chess", '[Event "x"]\n\n*\n', PGN, 422, "must contain a move"),
        ("chess", '1. e4 *\n\n[Event "y"]\n\n1. d4 *\n', PGN, 422, "line 3, column 1: a second game begins"),
        (
            "chess",
            "1. e4 {open",
            PGN,
            422,
            "line 1, column 7: a comment must begin with { and end with }; one of them is missing",
        ),
        ("chess", "1. e4 ( 1. d4", PGN, 422, "a variation is left open"),
        (
            "chess",
            '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *\n',
            PGN,
            403,
            "set up a position",
        ),
        ("chess", b"1. e4 \xff\xfe *", PGN, 422, "line 1, column 7: its encoding cannot be detected"),
        ("chess", b"1. e4 *", f"{PGN}; charset=none", 422, "the charset none of the Content-Type is unknown"),
        ("chess", "1. hello *", PGN, 409, "ply 1, hello: this is neither UCI nor SAN"),
        ("chess", "(;B[aa])", SGF, 415, "a file of chess must be sent as application/x-chess-pgn"),
        ("go", "1. e4 *", PGN, 415, "a file of go must be sent as application/x-go-sgf"),
        ("go", "(;SZ[9];B[aa])", SGF, 422, "the file has a board of 9 lines, but it must have 19"),
        ("go", "(;SZ[19];W[aa])", SGF, 422, "line 1, column 9: move 1: W moves out of turn"),
        ("go", "(;SZ[19]GM[4];B[aa])", SGF, 422, "the file is of a different game: GM is 4, but must be 1"),
        ("go", "hello", SGF, 422, "line 1, column 1: hello is outside a game"),
        ("go", "(;SZ[19])", SGF, 422, "must contain a move"),
        ("xiangqi", "1. 炮二平五 你好 *", PGN, 409, "ply 2, 你好: this is neither ICCS nor Chinese notation"),
        ("checkers", "1. e4 *", PGN, 409, "was announced with results_only"),
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
