"""Game files without a move: the result of a game that was not played or of which no move is known, or a position alone."""

from pathlib import Path

import pytest

from shared.core.terms import GameId
from tests.http.boards import Board, G, board
from tests.http.values.play import followed

PGN, SGF, WXF, RIF = "application/x-chess-pgn", "application/x-go-sgf", "text/x-wxf", "application/x-rif"
ENDGAME = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
RESULTS = [
    ("chess", PGN, '[Result "1-0"]\n[Termination "forfeit"]\n\n1-0', "+/-", '[Termination "forfeit"]'),
    ("chess", PGN, '[Termination "Rules infraction"]\n\n0-1', "-/+", '[Termination "forfeit"]'),
    ("chess", PGN, '[Termination "normal"]\n\n1-0', "1-0", '[Termination "normal"]'),
    ("chess", PGN, '[Result "1/2-1/2"]', "1/2-1/2", '[Result "1/2-1/2"]'),
    ("xiangqi", PGN, '[Game "Chinese Chess"]\n\n0-1', "0-1", '[Result "0-1"]'),
    ("xiangqi", WXF, "RESULT 1-0\nSTART{\n}END", "1-0", '[Result "1-0"]'),
    ("go", SGF, "(;SZ[19]RE[W+F])", "+/-", "RE[W+F]"),
    ("go", SGF, "(;SZ[19]RE[B+Forfeit])", "-/+", "RE[B+F]"),
    ("go", SGF, "(;SZ[19]RE[B+3.5])", "0-1", "RE[B+3.5]"),
    ("renju", RIF, '<g><game id="1" bresult="0"><move></move></game></g>', "1-0", "RE[W+]"),
]


def sent(b: Board, content: str, media: str, role: str = "arbiter") -> tuple[int, str]:
    where = f"{G}/moves/file?format={media.rpartition('-')[2]}"
    answer = b.call("POST", where, data=content, role=role, Content_Type="application/octet-stream")  # type: ignore[arg-type]
    return answer.status_code, answer.json.get("detail", "")


@pytest.mark.parametrize(("game", "media", "content", "result", "told"), RESULTS)
def test_a_result_without_a_move_is_the_games(
    tmp_path: Path, game: str, media: str, content: str, result: str, told: str
) -> None:
    with board(tmp_path, game) as b:
        assert sent(b, content, media) == (201, "")
        assert (b.get().json["result"]["notation"], b.get().json["ply"]) == (result, 0)
        begun = b.tournament().games[GameId("T.1.1")].started
        assert begun is not None, "exports and copies take the sheets of games that were started"
        form = SGF if media in (SGF, RIF) else PGN
        written = b.get("/sheet", Accept=form).text
        assert told in written
        assert sent(b, written, form) == (200, "") and sent(b, content, media) == (200, "")


def test_who_reports_no_results_sends_none_without_a_move(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        status, why = sent(b, '[Termination "forfeit"]\n\n1-0', PGN, "board")
        assert status == 403 and "may not report results" in why
        assert b.get().json["status"] == "paired"


def test_a_result_without_a_move_ends_a_game_whose_moves_are_known(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        followed(b.moves("e4 e5"))
        assert sent(b, '[Event "x"]\n\n1/2-1/2', PGN) == (201, "")
        assert b.get().json["result"]["notation"] == "1/2-1/2"
        assert sent(b, '[Event "x"]\n\n1-0', PGN)[0] == 409


def test_a_position_without_a_move_begins_the_game(tmp_path: Path) -> None:
    with board(tmp_path, "chess") as b:
        file = f'[SetUp "1"]\n[FEN "{ENDGAME}"]\n[Annotator "Réti"]\n\n{{White to win}} *'
        assert sent(b, file, PGN, "board")[0] == 403
        assert sent(b, file, PGN) == (201, "")
        assert (b.get().json["status"], b.get().json["start"]) == ("playing", ENDGAME)
        followed(b.moves("e2e4"))
        written = b.get("/sheet", Accept=PGN).text
        assert '[Annotator "Réti"]' in written and "{White to win} 1. e4 *" in written
        assert sent(b, file, PGN) == (200, "")


def test_a_diagram_of_go_begins_the_game_and_may_be_decided_at_once(tmp_path: Path) -> None:
    with board(tmp_path, "go", "go-campus") as b:
        assert sent(b, "(;SZ[19]AB[dd]AW[pp]PL[W]RE[B+])", SGF) == (201, "")
        assert (b.get().json["start"], b.get().json["result"]["notation"]) == ("AB D16 AW Q4 PL W", "0-1")


@pytest.mark.parametrize(
    ("game", "media", "content", "where"),
    [
        ("chess", PGN, '\n[Event "x"]\n\n*', "line 2, column 1"),
        ("go", SGF, " (;SZ[19]RE[?])", "line 1, column 3"),
        ("xiangqi", WXF, "FORMAT WXF\nSTART{\n}END", "line 2, column 7"),
        ("renju", RIF, '<g>\n<game id="1"><move></move></game></g>', "line 2, column 1"),
    ],
)
def test_a_file_that_says_nothing_of_a_game_is_refused_by_its_place(
    tmp_path: Path, game: str, media: str, content: str, where: str
) -> None:
    with board(tmp_path, game) as b:
        assert sent(b, content, media) == (422, f"{where}: the file must contain a move, a position or a result")
        assert b.get().json["status"] == "paired"
