"""Whatever people are called, a file that holds their names has the games, rows and members that it would have otherwise,
and what a terminal is given moves no cursor."""

import csv
import io
import json
import unicodedata
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import chess.pgn
import pytest
from flask import Flask
from sgfmill import sgf

from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from shared.http.requests import auth
from tests.former_names import any_name_accepted
from tests.http.calls import calls_on

NAMES = (
    "x\n001    9 mgm   Forged, Record                    2900 XXX",
    'a"]\n[Result "1-0"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White "b',
    "c];B[aa];W[bb]\\",
    "\x1b]0;gone\x07\x1b[2J\x1b[31mred",
    "[/bold][red]e[link=http://evil.example]",
    '\u202e=HYPERLINK("http://evil.example")\r,,',
)
"""A record of TRF, a tag and moves of PGN, properties of SGF, commands of a terminal, markup of rich, a formula."""
EVENT = NAMES[1]
OWN_TAGS = {"Event", "Site", "Date", "Round", "White", "Black", "Result", "Regulations"}


class House(NamedTuple):
    app: Flask
    data: Path

    def file(self, path: str) -> bytes:
        client = self.app.test_client()
        client.set_cookie(auth.COOKIE, tokens.issue(self.data, "chief_arbiter", "chief_arbiter"))
        answer = client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.data


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Tournaments ``chess`` and ``go`` of people with such names; the first boards have moves, and a foul with a note."""
    data = tmp_path_factory.mktemp("hostile-files")
    app = embedded.make_app(data, Limits(rate=0, reads=0, audit_seconds=120))
    for game, rules, moves in (("chess", "campus", ["e2e4", "e7e5"]), ("go", "go-campus", ["Q16", "D4"])):
        call = calls_on(app, data, "chief_arbiter")
        t = f"/v1/tournaments/{game}"
        cup = {"id": game, "name": EVENT, "game": game, "format": "swiss", "rounds": 3, "regulations": rules}
        with any_name_accepted():
            assert call("POST", "/v1/tournaments", cup).status_code == 201
        players = [{"id": n, "name": name, "club": name} for n, name in enumerate(NAMES, 1)]
        with any_name_accepted():
            assert call("POST", f"{t}/entries", {"players": players}).status_code == 201
        boards = {"boards": [[1, 2], [3, 4], [5, 6]], "reason": NAMES[0]}
        assert call("POST", f"{t}/rounds", boards, If_Match=call("GET", t).headers["ETag"]).status_code == 201
        for board in (1, 2, 3):
            played = call("POST", f"/v1/games/{game}.1.{board}/moves", {"ply": 1, "moves": moves}, "board")
            assert played.status_code == 201, played.text
        results = [{"board": n, "result": "1-0"} for n in (1, 2, 3)]
        assert call("POST", f"{t}/results", {"round": 1, "results": results}).status_code == 201
    yield House(app, data)
    close(app)


@pytest.mark.parametrize("board", [1, 2, 3])
def test_a_sheet_as_pgn_is_one_game_with_its_own_tags_and_moves(house: House, board: int):
    text = io.StringIO(house.file(f"/games/chess.1.{board}/sheet.pgn").decode())
    game, more = chess.pgn.read_game(text), chess.pgn.read_game(text)
    assert game is not None and more is None and game.errors == []
    assert set(game.headers) == OWN_TAGS
    assert [move.uci() for move in game.mainline_moves()] == ["e2e4", "e7e5"]
    assert game.headers["Result"] == "1-0"
    assert game.headers["White"].replace("\\\\", "\\") == NAMES[2 * board - 2].replace("\n\n", "\n").replace("\n", " ")


@pytest.mark.parametrize("board", [1, 2, 3])
def test_a_sheet_as_sgf_is_one_game_with_its_own_moves(house: House, board: int):
    game = sgf.Sgf_game.from_bytes(house.file(f"/games/go.1.{board}/sheet.sgf"))
    assert [colour for colour, _ in (node.get_move() for node in game.get_main_sequence()) if colour] == ["b", "w"]
    assert len(game.get_main_sequence()) == 3
    assert {"PB", "PW", "EV"} <= set(game.get_root().properties())


def test_a_tournament_file_has_a_record_for_each_player_and_none_that_a_name_made(house: House):
    lines = house.file("/v1/tournaments/chess/trf").decode().split("\n")
    assert sum(line.startswith("001") for line in lines) == len(NAMES)
    commands = {c for line in lines for c in line.rstrip("\r") if unicodedata.category(c) == "Cc"}
    assert commands == set()
    assert sum(line.startswith("012") for line in lines) == 1


@pytest.mark.parametrize("path", ["standings", "crosstable", "rounds/1"])
def test_a_table_for_spreadsheets_has_a_row_for_each_and_no_formula(house: House, path: str):
    head, *rows = csv.reader(io.StringIO(house.file(f"/t/chess/{path}.csv").decode("utf-8-sig"), newline=""))
    assert len(rows) == (3 if path == "rounds/1" else len(NAMES))
    assert {len(row) for row in rows} == {len(head)}
    bare = [cell.lstrip("\u202e") for row in rows for cell in row]
    assert not [cell for cell in bare if cell.startswith(("=", "+", "-", "@"))]


def test_an_archive_holds_the_members_that_it_says_and_a_log_of_whole_lines(house: House):
    with zipfile.ZipFile(io.BytesIO(house.file("/v1/tournaments/chess/archive"))) as archive:
        names = archive.namelist()
        logs = [archive.read(name).decode() for name in names if name.endswith(".ndjson")]
    assert not [name for name in names if name.startswith("/") or ".." in name or not name.isprintable()]
    assert logs and all(json.loads(line) for log in logs for line in log.split("\n") if line)


@pytest.fixture
def trf(house: House, tmp_path: Path) -> Path:
    file = tmp_path / "chess.trf"
    file.write_bytes(house.file("/v1/tournaments/chess/trf"))
    return file


def test_what_a_terminal_is_given_moves_no_cursor(house: House, trf: Path, arbiter):
    log = trf.with_name("log")
    log.write_text(arbiter("log", "chess", "--data", house.data)[1])
    for said in (
        log.read_text(),
        arbiter("export", "chess", "--data", house.data)[1],
        arbiter("standings", trf)[1],
        arbiter("standings", trf, "--csv")[1],
        arbiter("replay", log)[1],
    ):
        assert {c for c in said if unicodedata.category(c) == "Cc" and c not in "\n\r"} == set()


def test_a_table_on_a_terminal_names_people_as_they_are_called(trf: Path, arbiter):
    code, out, problem = arbiter("standings", trf)
    assert code == 0, problem
    assert "[/bold][red]e" in out, "no markup of whoever draws the table"
    assert sum("Forged" in line for line in out.splitlines()) <= 1
