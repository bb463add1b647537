"""What a board must not send: each a clear problem that names what was wrong and where, with the article there is."""

from pathlib import Path
from typing import Any

import pytest

from tests.http.boards import Board, G, T, board

XIANGQI = "002-X 2.2, 2.3, 4.1.6; 000-A 2.5"


def problem(answer: Any) -> tuple[int, str, str | None, str | None]:
    """Status, code, where and article of a problem."""
    assert answer.mimetype == "application/problem+json", answer.text
    told = answer.json
    assert told["detail"]
    return answer.status_code, told["type"].rpartition(":")[2], told.get("where"), told.get("article")


def sent(b: Board, ply: int, *moves: Any) -> Any:
    return b.call("POST", f"{G}/moves", {"ply": ply, "moves": list(moves)})


@pytest.mark.parametrize(
    "game, move, detail, article",
    [
        ("chess", "Zf3", "ply 1, Zf3: this is neither UCI nor SAN", "000-A 国际象棋, 不合规则 1; Laws 3.10"),
        ("chess", "e5", "none of the pieces can make this move", "000-A 国际象棋, 不合规则 1; Laws 3.10"),
        ("chess", "e7e5", "the piece on e7 is the opponent's", "000-A 国际象棋, 不合规则 1; Laws 3.10"),
        ("xiangqi", "炮二平十", "this is neither ICCS nor Chinese notation", "002-X 7.5"),
        ("xiangqi", "炮三平五", "none of the 炮 pieces can make this move", "002-X 7.5"),
        ("xiangqi", "h9g7", "黑马h9 is the opponent's", XIANGQI),
        ("xiangqi", "b0d1", "红马b0 does not move to d1", XIANGQI),
        ("go", "I5", "neither a vertex of a 19 x 19 board nor PASS", "000-A 围棋, 行棋 2"),
        ("go", "A20", "neither a vertex of a 19 x 19 board nor PASS", "000-A 围棋, 行棋 2"),
        ("renju", "p16", "p16 is not a point from a1 to o15", "000-A 五子棋, A"),
        ("renju", "g8", "Black's first stone must be on the centre (天元, h8)", "000-A 五子棋, A"),
        ("prediction", "z1", "a move must be a point from a1 to o15, or pass", "001 第二条 3-4"),
    ],
)
def test_an_unreadable_or_illegal_move_says_why(
    tmp_path: Path, game: str, move: str, detail: str, article: str
) -> None:
    with board(tmp_path, game) as b:
        refused = sent(b, 1, move)
        assert problem(refused) == (409, "illegal-move", "moves[0]", article)
        assert detail in refused.json["detail"]
        assert b.get().json["status"] == "paired", "nothing was written"


@pytest.mark.parametrize(
    "game, before, move, side, code, article",
    [
        ("chess", [], "e5", "black", "out-of-turn", "000-A 国际象棋, 违例 4; Laws 1.2"),
        ("chess", ["e4"], "d4", "white", "two-in-a-row", "000-A 国际象棋, 违例 4; Laws 1.2"),
        ("xiangqi", [], "h9g7", "black", "out-of-turn", "002-X 2.1; 000-A 7.4"),
        ("xiangqi", ["h2e2"], "h0g2", "white", "two-in-a-row", "002-X 2.1; 000-A 7.4"),
        ("go", [], "Q16", "white", "out-of-turn", "000-A 围棋, 违例 4"),
        ("go", ["Q16"], "D4", "black", "two-in-a-row", "000-A 围棋, 违例 4"),
        ("renju", ["h8"], "h9", "black", "two-in-a-row", "000-A 五子棋, A"),
    ],
)
def test_a_move_of_the_other_side_is_out_of_turn(
    tmp_path: Path, game: str, before: list[str], move: str, side: str, code: str, article: str
) -> None:
    with board(tmp_path, game) as b:
        refused = sent(b, 1, *before, {"move": move, "side": side})
        assert problem(refused) == (409, code, f"moves[{len(before)}]", article)


@pytest.mark.parametrize(
    "path, body",
    [
        ("moves", {"ply": 1, "moves": ["e4"]}),
        ("claims", {"claim": "resignation", "side": "white"}),
        ("offers", {"offer": "draw", "side": "white"}),
    ],
)
def test_a_player_does_not_act_for_the_other_side(tmp_path: Path, path: str, body: dict[str, Any]) -> None:
    """White is player 1; this one's token is on the number 2."""
    with board(tmp_path, "chess") as b:
        b.call("POST", f"{G}/start", role="arbiter")
        refused = b.call("POST", f"{G}/{path}", body, "player", name="2")
        assert problem(refused)[:2] == (403, "other-side")
        assert refused.json["detail"] == "white of T.1.1 is player 1, but your login is that of player 2"
        assert b.call("POST", f"{G}/{path}", body, "player", name="1").status_code == 201


def test_a_step_of_another_players_side_is_refused(tmp_path: Path) -> None:
    with board(tmp_path, "renju") as b:
        b.moves("h8 h9 h10")
        refused = b.step("black", "swap")
        assert problem(refused)[:3] == (409, "illegal-step", "step")
        assert (
            "only white may do this, not black: swap" in refused.json["detail"]
            and "五子棋, J" in refused.json["article"]
        )


def test_a_draw_offered_by_oneself_is_not_accepted(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        b.moves("e4")
        assert b.call("POST", f"{G}/offers", {"side": "white", "offer": "draw"}, "player").status_code == 201
        refused = b.call("POST", f"{G}/offers", {"side": "white", "offer": "accept"}, "player")
        assert problem(refused) == (409, "no-offer", "offer", "000-A 国际象棋, 对局结束 7; Laws 9.1.2")


@pytest.mark.parametrize(
    "path, body",
    [
        ("moves", {"ply": 5, "moves": ["a3"]}),
        ("claims", {"claim": "resignation", "side": "white"}),
        ("offers", {"offer": "draw", "side": "white"}),
    ],
)
def test_nothing_more_is_played_in_a_finished_game(tmp_path: Path, path: str, body: dict[str, Any]) -> None:
    with board(tmp_path, "chess") as b:
        assert b.moves("f3 e5 g4 Qh4").status_code == 201
        refused = b.call("POST", f"{G}/{path}", body)
        assert problem(refused)[:2] == (409, "game-over")
        assert refused.json["see"] == G


def test_a_move_behind_the_end_in_one_batch_is_refused_with_the_end(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        refused = b.moves("f3 e5 g4 Qh4 a3")
        assert problem(refused) == (409, "game-over", "moves[4]", "000-A 国际象棋, 对局结束 1; Laws 5.1.1")


def test_a_board_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        body = {"ply": 1, "moves": ["e4"]}
        for game in ("T.1.3", "T.2.1", "T.1.0", "U.1.1", "T.1"):
            assert problem(b.call("POST", f"/v1/games/{game}/moves", body))[0] == 404, game
        result = {"round": 1, "results": [{"board": 3, "result": "1-0"}]}
        assert problem(b.call("POST", f"{T}/results", result, "arbiter"))[:3] == (404, "unknown-board", "results[0]")


def test_a_sheet_holds_five_thousand_plies_and_no_more(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        for ply in range(1, 5_000, 500):
            assert sent(b, ply, *["Nf3", "Nf6", "Ng1", "Ng8"] * 125).status_code == 201
        assert b.get().json["ply"] == 5_000
        assert problem(sent(b, 4_999, "Ng1", "Ng8", "Nf3"))[:3] == (409, "game-too-long", "ply")
        assert problem(sent(b, 5_001, "Nf3"))[:2] == (422, "bad-fields")


def test_a_gap_in_the_sheet_is_refused_with_the_ply_that_is_expected(tmp_path: Path) -> None:
    with board(tmp_path, "go") as b:
        b.moves("Q16 D4")
        refused = b.moves("C3", 4)
        assert problem(refused)[:3] == (409, "gap", "ply")
        assert refused.json["detail"] == "the batch begins at ply 4, but must begin at ply 3"
        assert refused.json["see"] == f"{G}/sheet"
        other = b.moves("Q16 D16 C3")
        assert problem(other)[:3] == (409, "other-move", "moves[1]")
        assert other.json["detail"] == "ply 2 is D4 on the sheet, not D16"


@pytest.mark.parametrize(
    "game, regulations, clock, most, article",
    [
        ("xiangqi", "xiangqi-1999", 5_401, 5_400, "002-X 6.1, 22"),
        ("gomoku", "gomoku-campus", 901, 900, "000-E 3: 每方包干15分钟"),
    ],
)
def test_a_clock_that_gained_time_is_found_with_what_it_could_show(
    tmp_path: Path, game: str, regulations: str, clock: int, most: int, article: str
) -> None:
    first = {"xiangqi": "h2e2", "gomoku": "h8"}[game]
    with board(tmp_path, game, regulations) as b:
        events = sent(b, 1, {"move": first, "clock": clock}).json["events"]
        found = next(one["data"] for one in events if one["type"].startswith("arbiter.finding.made"))
        assert (found["kind"], found["article"]) == ("clock_gained", article)
        assert found["grounds"][0]["facts"] | {"side": ""} == {"side": "", "shown": clock, "over": 1, "most": most}


def test_a_clock_that_shows_more_than_it_last_did_is_found_once(tmp_path: Path) -> None:
    with board(tmp_path, "gomoku", "gomoku-campus") as b:
        sent(b, 1, {"move": "h8", "clock": 850}, {"move": "h9", "clock": 860})
        kinds = [
            [e["data"].get("kind") for e in sent(b, ply, {"move": move, "clock": clock}).json["events"]]
            for ply, move, clock in ((3, "g8", 851), (4, "g9", 860), (5, "f8", 851))
        ]
        assert kinds == [[None, "clock_gained"], [None], [None]]
