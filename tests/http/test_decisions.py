"""What a decision on a game without an accused is refused for: each refusal names the article, and what would be taken."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from deploy.server.known_tiebreaks import TIEBREAK_CODES
from services.games.app import blueprint as games
from services.games.rules import RULES as GAMES_RULES
from services.pairing.app import blueprint as pairing
from services.pairing.rules import RULES as PAIRING_RULES
from services.penalties.app import blueprint as penalties
from services.penalties.rules import RULES as PENALTIES_RULES
from shared.core.terms import GAMES, PAIRING, PENALTIES, Role
from shared.http.app import Settings, create_app
from shared.http.identity import tokens
from shared.regulations import load, names
from tests.http.calls import Call, audited_desk, calls_on, pair_by_hand

T = "/v1/tournaments/T"
CUP = {"id": "T", "name": "Cup", "game": "go", "format": "swiss", "rounds": 3, "regulations": "go-campus"}
DRAW = {"result": "1/2-1/2", "infraction": "scattering_the_board", "reason": "an outsider upset the board"}
HALF, NONE, FULL = {"points": 0.5}, {"points": 0}, {"points": 1}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    tokens.ensure_keys(tmp_path)
    rules = {PAIRING: PAIRING_RULES, GAMES: GAMES_RULES, PENALTIES: PENALTIES_RULES}
    with audited_desk(tmp_path, rules, "T") as desk:
        services = [pairing(desk, TIEBREAK_CODES, partial(tokens.issue, tmp_path)), games(desk), penalties(desk)]
        yield create_app(services, desk, Settings(tmp_path / "token-keys"), "arbiter")


@pytest.fixture
def call(app: Flask, tmp_path: Path) -> Call:
    """Round 1 of T is paired by hand: 1-2, 3-4."""
    one = calls_on(app, tmp_path, "chief_arbiter")
    pair_by_hand(one, CUP)
    return one


def decision(call: Call, sent: dict[str, Any], game: str = "T.1.1", role: Role = "chief_arbiter") -> Any:
    return call("POST", f"/v1/games/{game}/decision", sent, role)


def without(sent: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in sent.items() if name not in names}


@pytest.mark.parametrize(
    ("sent", "notation"),
    [
        (DRAW, "1/2-1/2"),
        (DRAW | {"result": "0-0"}, "0-0"),
        (without(DRAW, "result") | {"white": HALF, "black": HALF}, "1/2-1/2"),
        (without(DRAW, "result") | {"white": NONE, "black": NONE}, "0-0"),
    ],
)
@pytest.mark.parametrize("role", ["chief_arbiter", "deputy_chief_arbiter"])
def test_the_article_leaves_a_draw_and_a_loss_for_both(
    call: Call, sent: dict[str, Any], notation: str, role: Role
) -> None:
    answer = decision(call, sent, role=role)
    assert (answer.status_code, answer.json["brought"]) == (201, [])
    assert call("GET", "/v1/games/T.1.1").json["result"]["notation"] == notation


@pytest.mark.parametrize(
    ("sent", "status", "code", "detail"),
    [
        (DRAW | {"result": "1-0"}, 409, "result-not-allowed", "the result must be 1/2-1/2 or 0-0"),
        (DRAW | {"result": "-/-"}, 409, "result-not-allowed", "must be 1/2-1/2 or 0-0"),
        (without(DRAW, "result") | {"white": FULL, "black": FULL}, 409, "result-not-allowed", "1/2-1/2 or 0-0"),
        (
            without(DRAW, "result") | {"white": NONE | {"played": False}, "black": NONE},
            *(409, "result-not-allowed", "1/2-1/2 or 0-0"),
        ),
        (DRAW | {"infraction": "flag"}, 409, "accuses-a-player", "scattering_the_board (000-A 围棋, 行棋 3)"),
        (DRAW | {"infraction": "dancing"}, 422, "unknown-infraction", "scattering_the_board (000-A 围棋, 行棋 3)"),
        (DRAW | {"result": "2-0"}, 422, "bad-fields", ""),
        (DRAW | {"white": HALF, "black": HALF}, 422, "bad-fields", ""),
        (without(DRAW, "result"), 422, "bad-fields", ""),
        (without(DRAW, "result") | {"white": HALF}, 422, "bad-fields", ""),
        (without(DRAW, "reason"), 422, "bad-fields", ""),
        (without(DRAW, "infraction"), 422, "bad-fields", ""),
        (DRAW | {"player": 1}, 422, "bad-fields", ""),
    ],
)
def test_what_no_decision_is(call: Call, sent: dict[str, Any], status: int, code: str, detail: str) -> None:
    answer = decision(call, sent)
    assert (answer.status_code, answer.json["type"].rpartition(":")[2]) == (status, code), answer.json
    assert detail in answer.json["detail"]
    if status == 409:
        assert answer.json["article"]
    assert call("GET", "/v1/games/T.1.1").json["result"] is None


@pytest.mark.parametrize("role", ["arbiter", "organiser", "appeals", "player", "board", "auditor"])
def test_nobody_decides_in_the_chief_arbiters_place(call: Call, role: Role) -> None:
    answer = decision(call, DRAW, role=role)
    assert answer.status_code == 403
    assert "roles that may: deputy_chief_arbiter or chief_arbiter" in answer.json["detail"]
    assert answer.json["article"].startswith("000-A 围棋, 行棋 3")


def test_a_game_that_is_not_there_or_was_not_paired_in_the_end(call: Call) -> None:
    assert decision(call, DRAW, "T.1.9").status_code == 404
    assert decision(call, DRAW, "none.1.1").status_code == 404
    assert decision(call, DRAW, "none").status_code == 404
    call("POST", f"{T}/rounds/1/withdrawal", {"reason": "drawn anew"})
    answer = decision(call, DRAW)
    assert (answer.status_code, answer.json["type"].rpartition(":")[2]) == (409, "pairing-withdrawn")


def test_a_game_that_a_ruling_has_decided_is_not_decided_again(call: Call) -> None:
    call("POST", f"{T}/rulings", {"player": 1, "round": 1, "infraction": "scattering_the_board"}, "arbiter")
    answer = decision(call, DRAW)
    assert (answer.status_code, answer.json["type"].rpartition(":")[2]) == (409, "game-decided")
    assert answer.json["see"] == f"{T}/rulings/r1" and "annul that ruling" in answer.json["detail"]


@pytest.mark.parametrize(("regulations", "game"), [(name, game) for name in names() for game in load(name).game.rules])
def test_where_no_article_decides_a_game_without_an_accused_nobody_may(
    app: Flask, tmp_path: Path, regulations: str, game: str
) -> None:
    call = calls_on(app, tmp_path, "chief_arbiter")
    pair_by_hand(call, CUP | {"regulations": regulations, "game": game})
    book = load(regulations).rulebook
    answer = decision(call, DRAW)
    if any(row.results and game in (row.games or load(regulations).game.rules) for row in book.infractions):
        assert answer.status_code == 201
    elif any(row.act == "decide a game" for row in book.authority):
        assert answer.status_code == 422
        assert (
            f"the ruleset {book.name} has no article that decides a game of {game} without an accused player"
            in answer.json["detail"]
        )
    else:
        assert (answer.status_code, answer.json["see"]) == (403, f"{T}/rulebook")
        assert "nobody: the rulebook does not grant it to any role" in answer.json["detail"]
