"""Every row of a game, a claim and a step does what it is for, from the announcement over HTTP to the audit."""

from collections.abc import Iterator
from pathlib import Path
from typing import get_args
from unittest import mock

import pytest

from services.games.files.export import FORMATS
from services.games.notations import NOTATIONS, ON_PAGES
from services.games.pages.drawing import BOARDS, drawing
from services.games.rules.boards.port.position import SIDES, IllegalMove, LegalMove
from services.games.rules.boards.registry import CLAIM_NAMES, COMMANDED_STEPS, COMMON_CLAIMS, GAMES, STEPS
from services.games.rules.judge.registry import GAMES as JUDGED
from services.games.rules.judge.registry import answer
from services.games.schemas import ClaimSchema, StepSchema
from services.standings.rules.table.table import standings, update_table
from shared.core.events.sheets import Claim, Step
from shared.core.rulebook.game_rules import RULES
from shared.regulations import load, names
from tests.http.boards import Board, G, board

ROOT = Path(__file__).parents[2]

OPENINGS = {
    "chess": "e2e4 e7e5 g1f3",
    "xiangqi": "h2e2 h9g7 h0g2",
    "go": "Q16 D4 C3",
    "renju": "h8 h9 i9",
    "gomoku": "h8 h9 i8",
    "prediction": "h8 h9 i8",
}
"""How each game may begin, as its sheets keep the moves: a further game says it here."""
CLAIMS = [(game, claim.name) for game, row in GAMES.items() for claim in row.claims]
GAME_STEPS = [(game, step.name) for game, row in GAMES.items() for step in row.steps if step.commanded]


def regulations_of(game: str) -> str:
    """A shipped set that has the game."""
    name = next((name for name in names() if game in load(name).game.rules), None)
    assert name is not None, f"no shipped set of regulations has {game}"
    return name


@pytest.fixture
def opened(game: str, tmp_path: Path) -> Iterator[Board]:
    """A tournament of the game, announced over HTTP and paired; at the end all of it is audited."""
    with board(tmp_path, game, regulations_of(game)) as b:
        yield b


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_rules_a_judge_a_drawing_and_a_file_by_its_name(game):
    for table in (RULES, JUDGED, BOARDS, OPENINGS):
        assert game in table, f"{game} is missing"
    assert GAMES[game].name == game and isinstance(GAMES[game].default_rules(), RULES[game])
    assert ON_PAGES.get(game) in (None, *NOTATIONS.get(game, {}))
    assert (ROOT / "services/games/rules/boards" / game / "game.py").exists()
    contracts = (ROOT / ".importlinter").read_text(encoding="utf-8").split()
    assert {f"services.games.rules.boards.{name}" for name in (game, "*")} & {*contracts}, (
        f"no contract keeps generic modules from {game}"
    )


def test_no_table_names_a_game_that_there_is_not():
    assert set(RULES) == set(BOARDS) == set(OPENINGS) == set(GAMES)
    assert set(FORMATS) == set(GAMES) - {"prediction"}, "SGF has no number for it"
    assert set(ON_PAGES) <= set(NOTATIONS) <= set(GAMES) <= set(JUDGED)


@pytest.mark.parametrize("game", GAMES)
def test_a_position_keeps_the_promises_of_the_port_and_each_move_is_drawn(game):
    position = GAMES[game].start(GAMES[game].default_rules())
    for move in OPENINGS[game].split():
        before, fork = position.text(), position.fork()
        assert isinstance(position.play("no move"), IllegalMove) and position.text() == before
        assert position.play(move) == LegalMove(move) and fork.text() == before != position.text()
        assert fork.play(move) == LegalMove(move) and fork.text() == position.text()
        after, former = (drawing(game, text).partition("</title>")[2] for text in (position.text(), before))
        assert after != former


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_tests_of_its_rules_and_a_row_for_readers(game):
    assert list((ROOT / "tests/rules").glob(f"test_{game}*.py"))
    assert f"`{game}`" in (ROOT / "services/games/rules/README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_announced_played_shown_and_kept(game, opened):
    moves = OPENINGS[game].split()
    begun = opened.get().json
    assert (begun["kind"], begun["status"], begun["to_move"]) == (game, "paired", RULES[game].FIRST)
    assert opened.moves(OPENINGS[game]).status_code == 201
    told = opened.get().json
    assert (told["moves"], told["status"], told["ply"]) == (moves, "playing", len(moves))
    sheet = opened.get("/sheet").json
    assert ([one["move"] for one in sheet["moves"]], sheet["lines"]) == (moves, len(moves))
    assert len(opened.get("/sheet", Accept="application/x-ndjson").data.splitlines()) == len(moves)
    page = opened.call("GET", "/games/T.1.1", role=None)
    assert page.status_code == 200 and '<svg xmlns="http://www.w3.org/2000/svg" class="board"' in page.text


@pytest.mark.parametrize("game", FORMATS)
def test_a_game_is_kept_as_its_file_and_read_back(game, opened, tmp_path):
    opened.moves(OPENINGS[game])
    media = FORMATS[game].media
    kept = opened.get("/sheet", Accept=media)
    assert (kept.status_code, kept.mimetype) == (200, media)
    assert opened.call("GET", f"/games/T.1.1/sheet.{FORMATS[game].ending}", role=None).status_code == 200
    sgf = FORMATS[game].dialect is not None
    assert not sgf or kept.text.split(";")[2].startswith(RULES[game].FIRST[0].upper()), "who moves first"
    with board(tmp_path / "again", game, regulations_of(game)) as again:
        assert again.file(kept.data, media).status_code == 201
        assert again.get().json["moves"] == OPENINGS[game].split()


@pytest.mark.parametrize("game", GAMES)
def test_the_end_of_a_game_changes_the_table_as_a_replay_does(game, opened):
    opened.moves(OPENINGS[game])
    before = standings(opened.tournament(), ())
    assert opened.call("POST", f"{G}/end", {"termination": "agreement"}, "arbiter").status_code == 201
    now = opened.tournament()
    assert update_table(before, now).rows == standings(now, ()).rows != before.rows


@pytest.mark.parametrize("game", GAMES)
def test_the_judge_knows_a_game_and_says_what_can_be_asked_of_it(game):
    error = answer({"game": game, "ask": "nothing"})["error"]
    assert error["title"] == "Unknown question" and all(ask in error["detail"] for ask in JUDGED[game])


@pytest.mark.parametrize("table", ["judge", "drawing", "file"])
def test_a_game_without_a_row_elsewhere_is_told_without_it(table, tmp_path):
    rows: dict = {"judge": JUDGED, "drawing": BOARDS, "file": FORMATS}[table]
    # The table is put back in its order, which others tell.
    with board(tmp_path, "chess", regulations_of("chess")) as b, mock.patch.dict(rows):
        b.moves("e2e4")
        del rows["chess"]
        page = b.call("GET", "/games/T.1.1", role=None)
        assert (page.status_code, "<svg" in page.text, "sheet.pgn" in page.text) == (
            200,
            table != "drawing",
            table != "file",
        )
        kept = b.get("/sheet", Accept="application/x-chess-pgn")
        assert kept.status_code == (406 if table == "file" else 200)
        sent = b.file("1. e4 e5 *", "application/x-chess-pgn")
        assert sent.status_code == (415 if table == "file" else 201)
        judged = answer({"game": "chess", "ask": "legal_moves"})
        assert ("error" in judged) == (table == "judge")


# ---------------------------------------------------------------- claims and steps


def test_what_a_sheet_can_hold_is_what_some_game_declares():
    assert set(get_args(Claim)) == set(CLAIM_NAMES)
    assert set(get_args(Step)) == {step.name for step in STEPS}
    assert len({(step.name, step.is_ply, step.permanent, step.places, step.words) for step in STEPS}) == len(
        {step.name for step in STEPS}
    ), "a step means the same in every game that has it"


@pytest.mark.parametrize(("game", "claim"), CLAIMS)
def test_a_claim_is_known_and_decided_or_refused_with_its_reason(game, claim, opened):
    assert ClaimSchema().validate({"claim": claim}) == {}
    assert claim not in COMMON_CLAIMS
    body = {"claim": claim, "side": "white"}
    early = opened.call("POST", f"{G}/claims", body, "arbiter")
    assert (early.status_code, early.json["type"].rpartition(":")[2]) == (409, "not-started")
    opened.moves(OPENINGS[game])
    for side in SIDES:
        late = opened.call("POST", f"{G}/claims", body | {"side": side}, "board")
        assert late.status_code == 201 or late.json["detail"], late.json
        assert late.status_code in (201, 409, 422), late.json


@pytest.mark.parametrize(("game", "step"), GAME_STEPS)
def test_a_step_is_known_and_refused_with_its_reason_where_it_cannot_be_taken(game, step, opened):
    assert StepSchema().validate({"side": "white", "step": step}) == {}
    body = {"side": "white", "step": step, "values": ["no such value"]}
    refused = opened.call("POST", f"{G}/steps", body, "chief_arbiter")
    assert refused.status_code in (409, 422) and refused.json["detail"], refused.json
    assert refused.json["type"].rpartition(":")[2] != "no-such-step"


@pytest.mark.parametrize("game", GAMES)
def test_what_a_game_has_not_is_refused_by_name_with_what_it_has(game, opened):
    opened.moves(OPENINGS[game])
    row = GAMES[game]
    for claim in set(CLAIM_NAMES) - set(COMMON_CLAIMS) - set(row.claims_by_name):
        refused = opened.call("POST", f"{G}/claims", {"claim": claim, "side": "white"})
        assert (refused.status_code, refused.json["type"].rpartition(":")[2]) == (422, "no-such-claim")
        assert all(known in refused.json["detail"] for known in (*COMMON_CLAIMS, *row.claims_by_name))
    for step in COMMANDED_STEPS - set(row.steps_by_name) - {"confirm_resignation"}:
        refused = opened.step("white", step)
        assert (refused.status_code, refused.json["type"].rpartition(":")[2]) == (422, "no-such-step")
