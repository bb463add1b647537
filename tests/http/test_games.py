"""Games' routes on a real desk: bodies, answers, refusals, the sheet in its forms; all of it is decided again."""

import io
import json
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import chess.pgn
import pytest
from werkzeug.test import TestResponse

from deploy.server.known_tiebreaks import TIEBREAK_CODES
from services.games.app import blueprint as games
from services.games.rules import RULES as GAMES_RULES
from services.pairing.app import blueprint as pairing
from services.pairing.rules import RULES as PAIRING_RULES
from services.penalties.app import blueprint as penalties
from services.penalties.rules import RULES as PENALTIES_RULES
from shared.core.terms import GAMES, PAIRING, PENALTIES, Role
from shared.desk.desk import Desk
from shared.http.app import Settings, create_app
from shared.http.identity import tokens
from tests.http.calls import Call, audited_desk, calls_on, pair_by_hand

RULES = {PAIRING: PAIRING_RULES, GAMES: GAMES_RULES, PENALTIES: PENALTIES_RULES}
T = "/v1/tournaments/T.1"
G = "/v1/games/T.1.1.1"
CUP = {"id": "T.1", "name": 'The "Cup"', "game": "chess", "format": "swiss", "rounds": 3, "regulations": "campus"}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with audited_desk(tmp_path, RULES, "T.1") as desk:
        yield desk


@pytest.fixture
def call(desk: Desk, tmp_path: Path) -> Call:
    """Round 1 of T.1 is paired by hand: 1-2, 3-4."""
    tokens.ensure_keys(tmp_path)
    services = [pairing(desk, TIEBREAK_CODES, partial(tokens.issue, tmp_path)), games(desk), penalties(desk)]
    app = create_app(services, desk, Settings(tmp_path / "token-keys"), "arbiter")
    one = calls_on(app, tmp_path, "arbiter")
    pair_by_hand(one, CUP)
    return one


def etag(call: Call) -> str:
    return call("GET", T).headers["ETag"]


def report(*results: Any, round: int = 1) -> dict[str, Any]:
    return {"round": round, "results": [{"board": n, "result": r} for n, r in enumerate(results, 1)]}


def play(call: Call, said: str, ply: int = 1, role: Role = "board", **headers: str) -> TestResponse:
    return call("POST", f"{G}/moves", {"ply": ply, "moves": said.split()}, role, **headers)


# ---------------------------------------------------------------- results


def test_results_are_answered_with_their_boards_and_events(call: Call) -> None:
    answer = call("POST", f"{T}/results", report("1-0", "-/+"))
    assert answer.status_code == 201
    assert answer.json["round"] == 1
    assert answer.json["results"][1] == {
        "board": 2,
        "game": "T.1.1.2",
        "white": {"points": 0.0, "played": False, "counted": True},
        "black": {"points": 1.0, "played": False, "counted": True},
    }
    assert [e["type"] for e in answer.json["events"]] == ["arbiter.result.reported.v1"] * 2


def test_a_result_may_be_two_marks(call: Call) -> None:
    marks = {"white": {"points": 0.5}, "black": {"points": 0, "played": True}}
    assert call("POST", f"{T}/results", report(marks)).status_code == 201
    assert call("GET", G).json["result"] | {"seq": 0} == {
        "notation": None,
        "white": {"points": 0.5, "played": True, "counted": True},
        "black": {"points": 0.0, "played": True, "counted": True},
        "seq": 0,
    }


def test_a_second_result_is_told_where_corrections_go(call: Call) -> None:
    call("POST", f"{T}/results", report("1-0"))
    refused = call("POST", f"{T}/results", report("0-1"))
    assert (refused.status_code, refused.mimetype) == (409, "application/problem+json")
    assert refused.json["see"] == f"{T}/corrections"


def test_a_repeated_report_gets_the_first_answer(call: Call) -> None:
    first = call("POST", f"{T}/results", report("1-0"), Idempotency_Key="k")
    again = call("POST", f"{T}/results", report("1-0"), Idempotency_Key="k")
    assert (again.status_code, again.data) == (201, first.data)
    assert call("POST", f"{T}/results", report("0-1"), Idempotency_Key="k").status_code == 422


def test_a_correction_takes_if_match_and_a_reason(call: Call) -> None:
    call("POST", f"{T}/results", report("1-0"))
    body = report("1/2-1/2") | {"reason": "the sheets were read the wrong way round"}
    assert call("POST", f"{T}/corrections", body).status_code == 428
    assert call("POST", f"{T}/corrections", body, If_Match='"2"').status_code == 412
    assert call("POST", f"{T}/corrections", report("0-1"), If_Match=etag(call)).status_code == 422
    answer = call("POST", f"{T}/corrections", body, If_Match=etag(call))
    assert (answer.status_code, answer.json["results"][0]["beneath"]) == (201, None)
    assert call("GET", G).json["result"]["notation"] == "1/2-1/2"


def test_the_answer_says_that_a_correction_waits_beneath_a_ruling(call: Call) -> None:
    call("POST", f"{T}/rulings", {"player": 1, "round": 1, "infraction": "refusal_to_obey"})
    body = report("1/2-1/2") | {"reason": "as the players signed"}
    answer = call("POST", f"{T}/corrections", body, If_Match=etag(call))
    assert answer.json["results"][0]["beneath"] == "r1"
    game = call("GET", G).json
    assert (game["result"]["notation"], game["ruling"]) == ("0-1", "r1")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"round": 1},
        {"round": "x", "results": []},
        {"round": 99, "results": []},
        {"round": 1, "results": [{"board": -1, "result": "2-0"}]},
        report("2-0"),
        report("1-0 "),
        report(["1", "0"]),
        report({"white": {"points": 1}}),
        report({"white": {"points": 0.25}, "black": {"points": 0}}),
        report({"white": {"points": True}, "black": {"points": 0}}),
        report({"white": {"points": -1}, "black": {"points": 0}}),
        report({"white": {"points": 9}, "black": {"points": 0}}),
        report({"white": {"points": 1, "played": 1}, "black": {"points": 0}}),
        report({"white": {"points": 1, "played": False}, "black": {"points": 0}}),
        report("1-0") | {"more": 1},
    ],
)
def test_bodies_that_are_not_results(call: Call, body: dict[str, Any]) -> None:
    refused = call("POST", f"{T}/results", body)
    assert (refused.status_code, refused.mimetype) == (422, "application/problem+json")


def test_what_is_unknown_is_not_found(call: Call) -> None:
    assert call("POST", f"{T}/results", report("1-0", round=2)).status_code == 404
    assert call("POST", f"{T}/results", report("1-0", "1-0", "1-0")).status_code == 404
    assert call("POST", "/v1/tournaments/none/results", report("1-0")).status_code == 404
    for path in ("/v1/games/T.1.9.1", "/v1/games/none.1.1", "/v1/games/none", "/v1/games/T.1.x.1", f"{G}/nothing"):
        assert call("GET", path).status_code == 404, path
    assert call("POST", "/v1/games/none/moves", {"ply": 1, "moves": ["e4"]}, "board").status_code == 404


def test_who_may_report_and_who_may_feed(call: Call) -> None:
    assert call("POST", f"{T}/results", {}, None).status_code == 401
    assert call("POST", f"{T}/results", report("1-0"), "board").status_code == 403
    assert play(call, "e4", role="auditor").status_code == 403
    assert call("GET", G, role=None).status_code == 200


# ---------------------------------------------------------------- moves


def test_moves_come_in_batches_and_a_repeated_batch_is_known(call: Call) -> None:
    first = play(call, "e4 e5")
    assert first.status_code == 201
    assert [e["type"] for e in first.json["events"]] == ["arbiter.move.played.v1"] * 2 + ["arbiter.game.started.v2"]
    again = play(call, "e2e4 e7e5")
    assert (again.status_code, again.json) == (200, {"game": "T.1.1.1", "events": []})
    body = {"ply": 3, "moves": [{"move": "Nf3", "clock": 5399}, "Nc6"]}
    assert call("POST", f"{G}/moves", body, "board").status_code == 201
    game = call("GET", G).json
    assert game["moves"] == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert game["fen"].startswith("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/")
    assert (game["status"], game["to_move"], game["clocks"]) == ("playing", "white", {"white": 5399, "black": None})


def test_page_marks_the_side_to_move(call: Call) -> None:
    for said, ply, mover, waiting in (("e4", 1, "Black", "White"), ("e5", 2, "White", "Black")):
        play(call, said, ply)
        rows = call("GET", "/games/T.1.1.1", role=None).text.split("<tr>")
        (moves,) = (row for row in rows if f"<td>{mover}" in row)
        (waits,) = (row for row in rows if f"<td>{waiting}" in row)
        assert "to move" in moves and "to move" not in waits


def test_an_illegal_move_is_refused_with_its_ply_reason_and_article(call: Call) -> None:
    refused = play(call, "e4 e4")
    assert refused.status_code == 409
    assert refused.json["detail"] == "ply 2, e4: none of the pieces can make this move"
    assert refused.json["where"] == "moves[1]" and "不合规则 1" in refused.json["article"]
    assert call("GET", G).json["status"] == "paired"


@pytest.mark.parametrize(
    "body",
    [
        {"ply": 0, "moves": ["e4"]},
        {"ply": 1, "moves": []},
        {"ply": 1, "moves": ["e4"] * 501},
        {"ply": 5001, "moves": ["e4"]},
        {"ply": 1, "moves": [7]},
        {"ply": 1, "moves": ["e" * 17]},
        {"ply": 1, "moves": [{"move": "e4", "clock": -1}]},
        {"ply": 1, "moves": [{"move": "e4", "clock": 1.5}]},
        {"ply": 1, "moves": [{"move": "e4", "time": 1}]},
        {"ply": True, "moves": ["e4"]},
    ],
)
def test_bodies_that_are_not_moves(call: Call, body: dict[str, Any]) -> None:
    assert call("POST", f"{G}/moves", body, "board").status_code == 422


def test_mate_ends_the_game_and_commits_to_the_sheet(call: Call) -> None:
    ended = play(call, "f3 e5 g4 Qh4").json["events"][-1]
    assert (ended["type"], ended["role"]) == ("arbiter.game.ended.v1", "rulebook")
    raw = call("GET", f"{G}/sheet", Accept="application/x-ndjson").data
    assert ended["data"]["sheet"] == {"lines": 4, "sha256": sha256(raw).hexdigest()}
    sheet = call("GET", f"{G}/sheet").json
    assert (sheet["lines"], sheet["sha256"]) == (4, sha256(raw).hexdigest())
    assert [json.loads(line)["data"]["move"] for line in raw.splitlines()] == [m["move"] for m in sheet["moves"]]
    assert call("GET", G).json["status"] == "decided"
    assert play(call, "a3", 5).status_code == 409


def test_an_agreement_by_offer_and_a_resignation(call: Call) -> None:
    play(call, "e4 e5")
    assert call("POST", f"{G}/offers", {"offer": "draw", "side": "black"}, "player").status_code == 201
    assert call("GET", G).json["offer"] == "black"
    drawn = call("POST", f"{G}/offers", {"offer": "accept", "side": "white"}, "player")
    assert drawn.json["events"][-1]["data"]["termination"] == "agreement"
    other = "/v1/games/T.1.1.2"
    assert call("POST", f"{other}/start").status_code == 201
    assert call("POST", f"{other}/end", {"termination": "resignation"}).status_code == 422
    resigned = call("POST", f"{other}/end", {"termination": "resignation", "side": "black"})
    assert resigned.json["events"][-1]["data"]["white"]["points"] == 2
    assert call("GET", other).json["result"]["notation"] == "1-0"


def test_an_agreement_stated_by_the_arbiter_commits_to_the_sheet(call: Call) -> None:
    play(call, "e4 e5")
    assert call("POST", f"{G}/end", {"termination": "agreement"}, "player").status_code == 403
    answer = call("POST", f"{G}/end", {"termination": "agreement"})
    assert answer.json["events"][-1]["data"]["sheet"]["lines"] == 2


def test_a_flag_is_answered_by_penalties_and_the_game_is_lost(call: Call) -> None:
    play(call, "e4 e5")
    claimed = call("POST", f"{G}/claims", {"claim": "flag", "side": "black"})
    assert claimed.json["events"][-1]["data"]["finding"] == "f2"
    assert claimed.json["rulings"] == ["r2"]
    game = call("GET", G).json
    assert (game["status"], game["result"]["notation"], game["ruling"]) == ("decided", "0-1", "r2")


def test_moves_taken_back_leave_the_game_but_not_the_sheet(call: Call) -> None:
    play(call, "e4 e5 Nf3")
    body = {"to_ply": 1, "reason": "misrecorded"}
    assert call("POST", f"{G}/take-back", body, "board").status_code == 403
    assert call("POST", f"{G}/take-back", body).status_code == 201
    assert play(call, "c5", 2).status_code == 201
    assert call("GET", G).json["moves"] == ["e2e4", "c7c5"]
    assert call("GET", f"{G}/sheet").json["lines"] == 5


# ---------------------------------------------------------------- reading


def test_a_game_has_an_etag_of_its_own_that_moves_change(call: Call) -> None:
    play(call, "e4")
    before = call("GET", G).headers["ETag"]
    assert call("GET", G, If_None_Match=before).status_code == 304
    play(call, "e5", 2)
    after = call("GET", G, If_None_Match=before)
    assert (after.status_code, after.json["ply"]) == (200, 2)


def test_time_travel_shows_the_moves_written_by_then(call: Call) -> None:
    seq = int(etag(call).strip('"'))
    play(call, "e4")
    play(call, "e5", 2)
    call("POST", f"{T}/results", report("1/2-1/2"))
    assert call("GET", f"{G}?at={seq + 1}").json["ply"] == 2
    assert call("GET", f"{G}?at={seq + 1}").json["result"] is None
    assert call("GET", f"{G}?at={seq - 1}").status_code == 404
    assert call("GET", f"{G}?at=x").status_code == 422


def test_the_sheet_as_pgn_is_read_by_others(call: Call) -> None:
    call("POST", f"{G}/moves", {"ply": 1, "moves": [{"move": "f3", "clock": 5400}, "e5", "g4", "Qh4"]}, "board")
    told = call("GET", f"{G}/sheet", Accept="application/x-chess-pgn")
    assert told.mimetype == "application/x-chess-pgn"
    game = chess.pgn.read_game(io.StringIO(told.get_data(as_text=True)))
    assert game is not None and not game.errors
    assert [game.headers[name] for name in ("White", "Black", "Round", "Result")] == [
        "Player 1",
        "Player 2",
        "1.1",
        "0-1",
    ]
    assert r'[Event "The \"Cup\""]' in told.get_data(as_text=True), "quotes are escaped (PGN 8.1.1)"
    assert len(game.headers["Date"]) == 10
    assert game.end().board().is_checkmate() and game.next().clock() == 5400


def test_the_routes_describe_themselves(call: Call) -> None:
    told = call("GET", "/v1/openapi.json").json
    assert {"/v1/tournaments/{t}/results", "/v1/games/{g}/moves", "/v1/games/{g}/sheet"} <= set(told["paths"])
    assert "If-Match" in str(told["paths"]["/v1/tournaments/{t}/corrections"]["post"]["parameters"])
    assert told["components"]["schemas"]["MovesRequest"]["required"] == ["moves", "ply"]


def test_a_sheet_is_not_told_in_any_form_asked_for(call: Call) -> None:
    assert call("GET", f"{G}/sheet", Accept="text/html").status_code == 406
    assert call("GET", f"{G}/sheet").json["moves"] == []
