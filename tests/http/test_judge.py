"""Rulings over HTTP: asked without a token and without a tournament, one question or many, within limits."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from services.games.app import blueprint as games
from services.games.judge_answers import JUDGED
from services.games.rules import RULES
from services.games.rules.judge.registry import GAMES as GAMES_JUDGED
from services.games.rules.play.moves import PLIES_AT_MOST
from services.games.schemas import QUESTIONS_AT_MOST
from shared.audit.checkpoints.checkpoint import Signer
from shared.audit.keys.key_files import make
from shared.audit.keys.key_files import read as read_key
from shared.core.terms import GAMES
from shared.desk.desk import Desk
from shared.http.app import Settings, create_app
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from shared.log.sqlite import SqliteLog

Ask = Callable[..., TestResponse]
MATE = {"id": "q1", "game": "chess", "ask": "replay", "moves": ["f3", "e5", "g4", "Qh4#"]}
BODY = 200_000


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    make(tmp_path / "arbiter.key")
    tokens.ensure_keys(tmp_path)
    desk = Desk(
        SqliteLog(tmp_path / "arbiter.db"), {GAMES: RULES}, Signer("a", read_key(tmp_path / "arbiter.key")).sign
    )
    yield create_app([games(desk)], desk, Settings(tmp_path / "token-keys", Limits(body=BODY)), "games")
    desk.close()


@pytest.fixture
def ask(app: Flask) -> Ask:
    def one(question: Any = None, **sent: Any) -> TestResponse:
        return app.test_client().post("/v1/judge", **(sent or {"json": question}))

    return one


def test_anyone_asks_a_question_and_gets_its_answer(ask: Ask):
    given = ask(MATE)
    assert given.status_code == 200
    assert given.json["id"] == "q1"
    assert given.json["answer"]["end"]["termination"] == "checkmate"


ASKED: dict[tuple[str, str], dict[str, Any]] = {
    ("chess", "legal_moves"): {},
    ("chess", "replay"): {"moves": ["e4", "e5"]},
    ("chess", "flag_fall"): {"flag": "white"},
    ("chess", "touch"): {"touched": ["e2", "e1"]},
    ("xiangqi", "legal_moves"): {"fen": "3k5/9/9/9/9/9/9/9/3R5/4K4 b"},
    ("xiangqi", "replay"): {"moves": ["h2e2"]},
    ("xiangqi", "repetition"): {"moves": ["a0a1", "a9a8", "a1a0", "a8a9"] * 3},
    ("xiangqi", "natural_limit"): {"moves": ["a0a1"], "claimant": "red"},
    ("xiangqi", "drawn_material"): {"fen": "4k4/9/9/9/9/9/9/9/9/3K5 w"},
    ("xiangqi", "touch"): {"touched": ["h2"]},
    ("go", "legality"): {"moves": []},
    ("go", "move"): {"moves": [], "move": "D4"},
    ("go", "replay"): {"moves": [["b", "A2"], ["w", "A1"], ["b", "B1"]]},
    ("go", "area"): {"moves": [["b", "D4"]]},
    ("renju", "forbidden"): {"black": ["h8", "i9", "j10"], "white": []},
    ("renju", "replay"): {"moves": ["h8", "h9"]},
    ("gomoku", "replay"): {"moves": ["h8", "h9"]},
    ("prediction", "settle"): {"first": "白子42手", "second": "黑子41手"},
    ("prediction", "verdict"): {"first": "白子42手", "second": "和", "five": "white", "ply": 42},
    ("twentyone", "settle"): {"dealer": ["10", "9"], "players": [["A", "K"]]},
}


def test_each_question_has_the_members_of_its_own_answer_and_no_others(ask: Ask):
    assert set(ASKED) == set(JUDGED) == {(game, name) for game, asks in GAMES_JUDGED.items() for name in asks}
    for (game, name), fields in ASKED.items():
        given = ask({"game": game, "ask": name, **fields}).json
        assert "answer" in given, given
        made = msgspec.convert(given["answer"], JUDGED[game, name])
        assert msgspec.to_builtins(made) == given["answer"], (game, name)


def test_a_list_is_answered_in_order_and_an_error_stands_in_its_place(ask: Ask):
    given = ask([{"id": 1, "game": "chess", "ask": "riddle"}, MATE])
    assert given.status_code == 200
    assert [one["id"] for one in given.json] == [1, "q1"]
    assert given.json[0]["error"]["type"] == "urn:arbiter:problem:unknown-question"


def test_the_repetitions_of_one_request_share_what_judging_them_may_take(ask: Ask):
    nearly_everybody_checks = "P1bk1n3/2P2P3/3aba3/3R3cR/2N2c1P1/9/pp1C2p1r/3AN4/3Kn1p2/r1B2AB2 w"
    there_and_back = ["i6i8", "d9e9", "i8i6", "e9d9"] * 2
    heavy = {"game": "xiangqi", "ask": "repetition", "fen": nearly_everybody_checks, "moves": there_and_back}
    given = ask([heavy] * 20).json
    assert "answer" in given[0]
    assert {one["error"]["type"] for one in given[1:]} == {"urn:arbiter:problem:cycle-too-long"}


def test_a_false_token_is_as_good_as_none(ask: Ask):
    assert ask(json=MATE, headers={"Authorization": "Bearer nonsense"}).status_code == 200


def test_a_command_still_needs_its_token(app: Flask):
    assert app.test_client().post("/v1/games/T.1.1/moves", json={"ply": 1, "moves": ["e4"]}).status_code == 401


@pytest.mark.parametrize(
    "body, status, code",
    [
        ([], 422, "bad-fields"),
        ([1], 422, "bad-fields"),
        ("e4", 422, "bad-fields"),
        (7, 422, "bad-fields"),
        ([MATE] * (QUESTIONS_AT_MOST + 1), 422, "bad-fields"),
        ([{**MATE, "moves": ["e4"] * PLIES_AT_MOST}, MATE], 422, "bad-fields"),
        ({**MATE, "moves": ["\ud800"]}, 422, "bad-fields"),
    ],
)
def test_what_is_no_list_of_questions_or_too_much_is_refused(ask: Ask, body, status, code):
    given = ask(body)
    assert (given.status_code, given.json["type"]) == (status, f"urn:arbiter:problem:{code}")
    assert "questions" in given.json["errors"]


def test_a_field_that_a_question_does_not_have_is_refused_by_name(ask: Ask):
    given = ask([MATE, {**MATE, "regulation": "campus"}])
    assert (given.status_code, given.json["type"]) == (422, "urn:arbiter:problem:bad-fields")
    known = "chess replay has id, game, ask, regulations, changes, fen, moves"
    assert given.json["errors"] == {"questions": {"1": {"regulation": [f"Unknown field; {known}."]}}}
    assert ask({**MATE, "expected": "checkmate"}).status_code == 422


def test_a_question_that_is_none_is_told_as_one_whatever_it_holds(ask: Ask):
    given = ask({"game": "chess", "ask": "riddle", "expected": 7})
    assert (given.status_code, given.json["error"]["title"]) == (200, "Unknown question")


@pytest.mark.parametrize(
    "sent, status",
    [
        ({"data": b"{", "content_type": "application/json"}, 400),
        ({"data": b'{"id": NaN}', "content_type": "application/json"}, 400),
        ({"data": b"game=chess", "content_type": "text/plain"}, 415),
        ({"data": b" " * (BODY + 1), "content_type": "application/json"}, 413),
    ],
)
def test_what_is_no_json_or_too_large_is_refused(ask: Ask, sent, status):
    assert ask(**sent).status_code == status


def test_the_description_says_that_no_token_is_needed(app: Flask):
    told = app.test_client().get("/v1/openapi.json").json["paths"]["/v1/judge"]["post"]
    assert "security" not in told
    assert told["parameters"] == []
    assert {"200", "400", "413", "415", "422", "429"} <= set(told["responses"])
    one, _ = told["requestBody"]["content"]["application/json"]["schema"]["oneOf"]
    assert one["additionalProperties"] is False
    assert one["properties"]["flag"] == {"description": "For chess flag_fall."}
    assert {"id", "game", "ask", "regulations", "changes", "claimant", "players"} <= set(one["properties"])
