"""Games that begin from a position that was set up, over HTTP: started, played, claimed in, written and drawn from there."""

from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from shared.core.terms import GameId
from tests.http.boards import Board, G, board
from tests.http.values.play import claim, followed, result, upheld


def started(b: Board, position: str, role: Any = "arbiter") -> TestResponse:
    return b.call("POST", f"{G}/start", {"position": position}, role)


def code(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.json["type"].rpartition(":")[2]


def test_a_chess_game_is_played_claimed_and_written_from_its_position(tmp_path: Path) -> None:
    fen = "4k2r/8/8/8/8/8/7P/4K2R b Kk - 96 60"
    with board(tmp_path, "chess") as b:
        event = followed(started(b, fen))["events"][0]
        assert (event["type"], event["data"]) == ("arbiter.game.started.v2", {"game": "T.1.1", "position": fen})
        assert [b.get().json[name] for name in ("start", "fen", "to_move")] == [fen, fen, "black"]
        followed(b.moves("e8e7 e1e2 e7e8 e2e1"))
        pgn = b.get("/sheet", Accept="application/x-chess-pgn").text
        assert f'[FEN "{fen}"]' in pgn and '[SetUp "1"]' in pgn
        assert "60... Ke7 61. Ke2 Ke8 62. Ke1" in pgn
        page = b.call("GET", "/games/T.1.1?ply=0", None, None).text
        assert fen in page and "The position as text" in page
        assert fen in b.call("GET", "/games/T.1.1/board.svg?ply=0", None, None).text
        assert upheld(claim(b, "fifty_moves", "board", side="black"))
        assert result(b) == "1/2-1/2"


def test_a_repetition_counts_from_the_position_on(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        followed(started(b, "4k2r/8/8/8/8/8/7P/4K2R w - - 0 1"))
        followed(b.moves("e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8"))
        assert upheld(claim(b, "threefold_repetition", "board", side="white"))


def test_a_xiangqi_repetition_is_judged_from_the_position(tmp_path: Path) -> None:
    with board(tmp_path, "xiangqi") as b:
        followed(started(b, "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1"))
        followed(b.moves("e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9"))
        assert upheld(claim(b, "repetition", "board", side="black"))
        assert result(b) == "0-1"
        pgn = b.get("/sheet", Accept="application/x-chess-pgn").text
        assert '[FEN "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1"]' in pgn


def test_the_natural_limit_counts_the_plies_of_the_position(tmp_path: Path) -> None:
    with board(tmp_path, "xiangqi") as b:
        followed(started(b, "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 119 80"))
        followed(b.moves("e1f1"))
        assert upheld(claim(b, "natural_limit", "board", side="black"))


def test_a_handicap_game_of_go_is_counted_with_its_own_komi(tmp_path: Path) -> None:
    with board(tmp_path, "go") as b:
        followed(started(b, "HA 4 KM 0"))
        assert b.get().json["to_move"] == "white"
        followed(b.moves("PASS PASS"))
        followed(b.step("white", "dead"), b.step("black", "dead"))
        assert result(b) == "0-1"
        sgf = b.get("/sheet", Accept="application/x-go-sgf").text
        for part in ("HA[4]", "AB[dd][dp][pd][pp]", "PL[W]", "KM[0", "W[]"):
            assert part in sgf.replace("[tt]", "[]")


@pytest.mark.parametrize(("game", "regulations"), [("gomoku", "gomoku-free"), ("renju", "campus")])
def test_five_in_a_row_is_made_with_the_stones_that_stand(tmp_path: Path, game: str, regulations: str) -> None:
    with board(tmp_path, game, regulations) as b:
        followed(started(b, "AB e8 f8 g8 h8 AW a1 c3 PL W"))
        followed(b.moves("o1 d8"))
        assert result(b) == "0-1"


REFUSED = [
    ("chess", "8/8/8/8/8/8/8/8 w - - 0 1", "bad-position"),
    ("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "position-over"),
    ("chess", "k7/8/8/8/8/8/8/7K w - - 0 1", "position-over"),
    ("xiangqi", "nonsense", "bad-position"),
    ("go", "AB Z99 PL W", "bad-position"),
]


@pytest.mark.parametrize(("game", "position", "why"), REFUSED)
def test_a_bad_position_starts_nothing(tmp_path: Path, game: str, position: str, why: str) -> None:
    with board(tmp_path, game) as b:
        assert code(started(b, position)) == (422, why)
        assert b.get().json["status"] == "paired"


def test_a_position_in_a_game_without_one_is_refused(tmp_path: Path) -> None:
    with board(tmp_path, "prediction", "prediction") as b:
        assert code(started(b, "AB h8 PL W")) == (409, "no-set-up")


@pytest.mark.parametrize("role", ["board", "player"])
def test_who_plays_sets_up_no_position(tmp_path: Path, role: str) -> None:
    with board(tmp_path, "chess") as b:
        answer = b.call("POST", f"{G}/start", {"position": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}, role, name="1")
        assert code(answer) == (403, "role-may-not")
        assert b.call("POST", f"{G}/start", {"position": "startpos"}, role, name="1").status_code == 201


def test_a_position_is_in_the_log_for_every_reader_of_it(tmp_path: Path) -> None:
    with board(tmp_path, "xiangqi") as b:
        followed(started(b, "让先"))
        position = b.tournament().games[GameId("T.1.1")].position
        assert position is not None and position.endswith(" b - - 0 1")
