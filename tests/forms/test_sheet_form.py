"""A score sheet written in the browser: each action of the form, what it refuses, and the sheet afterwards."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.forms.conftest import Comes
from tests.http.calls import Call
from tests.http.forms import Person, hall

FORM = "/t/<t>/rounds/1/boards/1/moves"
PGN = b'[Event "?"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n'


def sheet(call: Call) -> dict[str, Any]:
    return call("GET", "/v1/games/<t>.1.1").json


def moves(arbiter: Person, text: str, **more: str) -> Any:
    ply = arbiter.sees(FORM).text.partition('name="ply" value="')[2].partition('"')[0]
    return arbiter.fills(FORM, act="moves", ply=ply, moves=text, **more)


def test_moves_are_recorded_in_any_notation_with_the_last_clock_and_the_form_shows_the_next_ply(
    call: Call, comes: Comes
):
    arbiter = comes()
    answer = moves(arbiter, "1. 炮二平五 马8进7 2.h0g2", clock="58:30")
    assert answer.status_code == 303, answer.text
    again = arbiter.client.get(answer.headers["Location"]).text
    assert 'name="ply" value="4"' in again and "马二进三" in again and "58:30" in again
    game = sheet(call)
    assert game["moves"] == ["h2e2", "h9g7", "h0g2"] and game["clocks"]["white"] == 3510
    assert game["status"] == "playing" and game["to_move"] == "black"


def test_an_illegal_move_is_refused_with_the_input_and_nothing_is_recorded(call: Call, comes: Comes):
    answer = moves(comes(), "h2e2 h2e2")
    assert answer.status_code == 409 and "h2e2 h2e2" in answer.text
    assert sheet(call)["moves"] == []


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"act": "moves", "ply": "1"}, "Moves: "),
        ({"act": "moves", "moves": "h2e2"}, "Half-move: "),
        ({"act": "moves", "ply": "1", "moves": "h2e2", "clock": "an hour"}, "Clock: "),
        ({"act": "moves", "ply": "1", "moves": "x" * 40}, "Moves: "),
        ({"act": "step", "side": "white"}, "Step: "),
        ({"act": "file", "format": "pgn"}, "File: "),
        ({"act": "delete"}, "Action: "),
    ],
)
def test_a_wrong_or_missing_field_is_named(call: Call, comes: Comes, sent: dict[str, str], words: str):
    answer = comes().fills(FORM, **sent)
    assert answer.status_code == 422 and words in answer.text
    assert sheet(call)["moves"] == []


def test_a_form_of_an_earlier_ply_does_not_overwrite_a_move(call: Call, comes: Comes):
    arbiter, other = comes(), comes("chief_arbiter")
    fields = arbiter.opens(FORM) | {"act": "moves", "ply": "1", "moves": "b2e2"}
    assert moves(other, "h2e2").status_code == 303
    answer = arbiter.sends(FORM, fields)
    assert answer.status_code == 409, answer.text
    assert sheet(call)["moves"] == ["h2e2"]


def test_a_position_is_set_up_and_play_goes_on_from_it(call: Call, comes: Comes):
    chief = comes("chief_arbiter")
    fen = "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1"
    assert chief.fills(FORM, act="start", position=fen).status_code == 303
    assert moves(chief, "a1a9").status_code == 303
    assert sheet(call)["start"].startswith("4k4/9/9/9/9/9/9/9/R8/3K5 w") and sheet(call)["moves"] == ["a1a9"]


def test_moves_are_taken_back_and_the_form_goes_on_from_there(call: Call, comes: Comes):
    arbiter = comes()
    assert moves(arbiter, "h2e2 h9g7 h0g2").status_code == 303
    assert arbiter.fills(FORM, act="take_back", to_ply="1", why="misrecorded").status_code == 303
    assert sheet(call)["moves"] == ["h2e2"] and 'name="ply" value="2"' in arbiter.sees(FORM).text


def test_an_offer_is_shown_and_its_acceptance_ends_the_game_in_a_draw(call: Call, comes: Comes):
    arbiter = comes()
    assert moves(arbiter, "h2e2 h9g7").status_code == 303
    assert arbiter.fills(FORM, act="offer", side="black", offer="draw").status_code == 303
    assert "offers a draw." in arbiter.sees(FORM).text
    assert arbiter.fills(FORM, act="offer", side="white", offer="accept").status_code == 303
    assert sheet(call)["result"]["notation"] == "1/2-1/2"
    assert 'name="moves"' not in arbiter.sees(FORM).text, "the game is over"


def test_a_file_is_recorded_as_the_whole_game_with_its_result_and_a_second_file_is_not_the_first(
    app: Flask, data: Path, t: str, comes: Comes
):
    call, arbiter = hall(app, data, t, game="chess", regulations="fide-2026"), comes()
    fields = arbiter.opens(FORM) | {"act": "file", "format": "pgn"}
    bad = arbiter.sends(FORM, fields | {"file": (BytesIO(PGN.replace(b"Qh5", b"Qh6")), "a.pgn")})
    assert bad.status_code == 409 and "line 6" in bad.text, bad.text
    again = dict(fields) | {"file": (BytesIO(PGN), "a.pgn")}
    assert arbiter.sends(FORM, again).status_code == 303
    game = sheet(call)
    assert len(game["moves"]) == 7 and game["result"]["notation"] == "1-0"
    other = arbiter.sends(FORM, dict(fields) | {"file": (BytesIO(PGN.replace(b"1-0", b"0-1")), "b.pgn")})
    assert other.status_code in (409, 422), "the same key with another file"


def test_reversed_colours_are_put_right_as_a_step(app: Flask, data: Path, t: str, comes: Comes):
    call, chief = hall(app, data, t, game="go", regulations="go-campus"), comes("chief_arbiter")
    assert moves(chief, "Q16").status_code == 303
    before = sheet(call)["colours"]
    assert chief.fills(FORM, act="step", side="white", step="correct_colours").status_code == 303
    assert sheet(call)["colours"] != before


def test_a_player_records_the_moves_of_an_own_game_and_of_no_other(call: Call, comes: Comes):
    first, third = comes("player", "1"), comes("player", "3")
    assert moves(first, "h2e2").status_code == 303
    assert moves(third, "h9g7").status_code == 403
    assert sheet(call)["moves"] == ["h2e2"]


def test_a_reader_without_login_sees_the_form_disabled_and_records_nothing(call: Call, comes: Comes):
    reader = comes(None)
    assert "<fieldset disabled>" in reader.sees(FORM).text
    sent = {"act": "moves", "ply": "1", "moves": "h2e2", "seq": "1", "once": "k"}
    assert reader.sends(FORM, sent).status_code == 401
    assert sheet(call)["moves"] == []
