"""Penalties' routes on a real desk: bodies, answers, and refusals as problems."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from deploy.server.known_tiebreaks import TIEBREAK_CODES
from services.pairing.app import blueprint as pairing
from services.pairing.rules import RULES as PAIRING_RULES
from services.penalties.app import blueprint as penalties
from services.penalties.rules import RULES as PENALTIES_RULES
from shared.core.terms import PAIRING, PENALTIES, Role
from shared.desk.desk import Desk
from shared.http.app import Settings, create_app
from shared.http.identity import tokens
from shared.regulations import load, names
from tests.http.calls import Call, audited_desk, calls_on, pair_by_hand

T = "/v1/tournaments/T"
CUP = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
FOUL = {"player": 1, "round": 1, "infraction": "foul"}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    tokens.ensure_keys(tmp_path)
    with audited_desk(tmp_path, {PAIRING: PAIRING_RULES, PENALTIES: PENALTIES_RULES}, "T") as desk:
        yield an_app(tmp_path, desk)


def an_app(folder: Path, desk: Desk) -> Flask:
    """Pairing and penalties on a desk."""
    blueprints = [pairing(desk, TIEBREAK_CODES, partial(tokens.issue, folder)), penalties(desk)]
    return create_app(blueprints, desk, Settings(folder / "token-keys"), "arbiter")


@pytest.fixture
def call(app: Flask, tmp_path: Path) -> Call:
    """Round 1 of T is paired by hand: 1-2, 3-4."""
    one = calls_on(app, tmp_path, "arbiter")
    pair_by_hand(one, CUP)
    return one


def test_the_third_foul_answers_with_the_loss_that_it_brought(call: Call) -> None:
    call("POST", f"{T}/rulings", FOUL)
    call("POST", f"{T}/rulings", FOUL | {"note": "touched the cannon"})
    answer = call("POST", f"{T}/rulings", FOUL)
    assert answer.status_code == 201
    assert (answer.json["ruling"], answer.json["brought"]) == ("r3", ["r4"])
    foul, loss = answer.json["events"]
    assert (foul["role"], loss["role"]) == ("arbiter", "rulebook")
    assert loss["data"]["because"] == ["r1", "r2", "r3"]


def test_an_annulment_is_previewed_made_and_explained(call: Call) -> None:
    for _ in range(3):
        call("POST", f"{T}/rulings", FOUL)
    seen = call("GET", T).headers["ETag"]
    sent = {"reason": "touched by accident"}
    shown = call("POST", f"{T}/rulings/r2/annulment?preview=true", sent, "appeals")
    assert [e["type"] for e in shown.json["events"]] == ["arbiter.ruling.annulled.v2"]
    assert call("GET", T).headers["ETag"] == seen
    assert call("POST", f"{T}/rulings/r2/annulment", sent, "appeals").json["ruling"] == "r5"
    told = {r["ruling"]: (r["standing"], r["why"]) for r in call("GET", f"{T}/rulings").json["rulings"]}
    assert told["r2"] == (False, "annulled by r5")
    assert told["r4"] == (False, "it depends on r2, no longer in force")
    assert told["r5"] == (True, None)


def test_a_table_arbiter_does_not_annul(call: Call) -> None:
    call("POST", f"{T}/rulings", FOUL)
    answer = call("POST", f"{T}/rulings/r1/annulment", {"reason": "x"})
    assert (answer.status_code, answer.json["article"]) == (403, "002-X 8.5")


def test_a_slip_is_previewed_retracted_and_told_with_who_did_it(call: Call) -> None:
    call("POST", f"{T}/rulings", FOUL)
    seen = call("GET", T).headers["ETag"]
    shown = call("POST", f"{T}/rulings/r1/retraction?preview=true", {"reason": "the other board"})
    assert [(e["type"], e["data"]["retracted"]) for e in shown.json["events"]] == [("arbiter.ruling.annulled.v2", True)]
    assert call("GET", T).headers["ETag"] == seen
    made = call("POST", f"{T}/rulings/r1/retraction", {"reason": "the other board"})
    assert (made.status_code, made.json["ruling"], made.json["brought"]) == (201, "r2", [])
    foul, retraction = call("GET", f"{T}/rulings").json["rulings"]
    assert (foul["standing"], foul["why"], foul["role"]) == (False, "retracted by r2", "arbiter")
    assert (retraction["role"], retraction["actor"], retraction["retracted"]) == ("arbiter", foul["actor"], True)


@pytest.mark.parametrize(
    ("ruling", "sent", "role", "status", "code"),
    [
        ("r1", {}, "arbiter", 422, "bad-fields"),
        ("r1", {"reason": ""}, "arbiter", 422, "bad-fields"),
        ("r1", {"reason": "x", "article": "8.5"}, "arbiter", 422, "bad-fields"),
        ("r9", {"reason": "x"}, "arbiter", 404, "unknown-ruling"),
        ("r1", {"reason": "x"}, "player", 403, "role-may-not"),
        ("r1", {"reason": "x"}, "organiser", 403, "not-the-maker"),
        ("r4", {"reason": "x"}, "arbiter", 409, "rulebook-decided"),
    ],
)
def test_what_is_no_slip_of_the_caller(
    call: Call, ruling: str, sent: dict[str, Any], role: Role, status: int, code: str
) -> None:
    for _ in range(3):
        call("POST", f"{T}/rulings", FOUL)
    answer = call("POST", f"{T}/rulings/{ruling}/retraction", sent, role)
    assert (answer.status_code, answer.json["type"].rpartition(":")[2]) == (status, code)
    assert status in (404, 422) or answer.json["article"]


def test_an_annulment_tells_its_role(call: Call) -> None:
    call("POST", f"{T}/rulings", FOUL)
    call("POST", f"{T}/rulings/r1/annulment", {"reason": "by accident"}, "appeals")
    assert {n: call("GET", f"{T}/rulings/r2").json[n] for n in ("role", "retracted")} == {
        "role": "appeals",
        "retracted": False,
    }


def test_an_effect_is_chosen_only_where_the_rulebook_leaves_it(call: Call) -> None:
    fixed = call("POST", f"{T}/rulings", FOUL | {"effect": {"kind": "warn"}})
    assert (fixed.status_code, fixed.json["type"].rpartition(":")[2]) == (422, "effect-fixed")
    marks = {"kind": "set_marks", "white": {"points": 0}, "black": {"points": 0.5, "counted": False}}
    grave = {"player": 1, "round": 1, "infraction": "grave_misconduct", "effect": marks}
    made = call("POST", f"{T}/rulings", grave, "chief_arbiter")
    assert made.status_code == 201, made.json
    assert call("GET", f"{T}/rulings/r1").json["effect"] == {
        "kind": "set_marks",
        "white": {"points": 0, "played": True, "counted": True},
        "black": {"points": 0.5, "played": True, "counted": False},
    }


@pytest.mark.parametrize(
    ("path", "sent", "status"),
    [
        ("rulings", {"player": 1, "round": 1}, 422),
        ("rulings", FOUL | {"player": "1"}, 422),
        ("rulings", FOUL | {"colour": "red"}, 422),
        ("rulings", FOUL | {"player": 77}, 404),
        ("rulings", FOUL | {"infraction": "dancing"}, 422),
        (
            "rulings",
            {
                "player": 1,
                "round": 1,
                "infraction": "grave_misconduct",
                "effect": {"kind": "adjust_points", "points": 0.25},
            },
            422,
        ),
        ("arrivals", {"player": 1, "round": 1}, 422),
        ("arrivals", {"player": 1, "round": 1, "late": 60, "absent": True}, 422),
        ("arrivals", {"player": 1, "round": 1, "late": -1}, 422),
        ("appeals", {"ruling": "r1", "by": 1}, 422),
        ("appeals", {"ruling": "r9", "by": 1, "grounds": "unfair"}, 404),
        ("crossings/999", {}, 403),
    ],
)
def test_bad_requests(call: Call, path: str, sent: dict[str, Any], status: int) -> None:
    answer = call("POST", f"{T}/{path}", sent)
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")


def test_an_absence_forfeits(call: Call) -> None:
    answer = call("POST", f"{T}/arrivals", {"player": 4, "round": 1, "absent": True})
    assert (answer.status_code, answer.json["brought"]) == (201, ["r2"])
    assert call("GET", f"{T}/rulings/r2").json["infraction"] == "absence"


@pytest.mark.parametrize(
    ("path", "sent", "types"),
    [
        (f"{T}/arrivals", {"player": 4, "round": 1, "late": 901}, ["arrival.noted.v2", "ruling.made.v2"]),
        ("/v1/games/T.1.2/breaks", {"player": 4, "seconds": 901}, ["break.taken.v2"]),
    ],
)
def test_what_the_hall_notes_is_previewed(call: Call, path: str, sent: dict[str, Any], types: list[str]) -> None:
    seen = call("GET", T).headers["ETag"]
    shown = call("POST", f"{path}?preview=true", sent)
    assert (shown.status_code, [e["type"] for e in shown.json["events"]]) == (200, [f"arbiter.{t}" for t in types])
    assert call("GET", T).headers["ETag"] == seen
    assert call("POST", path, sent).status_code == 201


@pytest.mark.parametrize(
    ("game", "sent", "status"),
    [
        ("T.1.1", {"player": 1}, 422),
        ("T.1.1", {"seconds": 60}, 422),
        ("T.1.1", {"player": 1, "side": "white", "seconds": 60}, 422),
        ("T.1.1", {"side": "red", "seconds": 60}, 422),
        ("T.1.1", {"player": 1, "seconds": 0}, 422),
        ("T.1.1", {"player": 1, "seconds": "60"}, 422),
        ("T.1.1", {"player": 3, "seconds": 60}, 422),
        ("T.1.9", {"player": 1, "seconds": 60}, 404),
        ("T", {"player": 1, "seconds": 60}, 404),
        ("X.1.1", {"player": 1, "seconds": 60}, 404),
    ],
)
def test_bad_breaks(call: Call, game: str, sent: dict[str, Any], status: int) -> None:
    answer = call("POST", f"/v1/games/{game}/breaks", sent)
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")


def test_a_crossing_is_noted_by_the_chief_arbiter_without_a_body(call: Call) -> None:
    assert call("POST", f"{T}/crossings/2", role="chief_arbiter").status_code == 201


def test_rulings_page_and_filter(call: Call) -> None:
    for player in (1, 2, 1):
        call("POST", f"{T}/rulings", FOUL | {"player": player})
    first = call("GET", f"{T}/rulings?player=1&limit=1").json
    second = call("GET", first["next"]).json
    assert [r["ruling"] for r in first["rulings"] + second["rulings"]] == ["r1", "r3"]
    assert second["next"] is None


def test_the_rulebook_in_force_is_shown(call: Call) -> None:
    book = call("GET", f"{T}/rulebook").json["rulebook"]
    assert {"foul", "violation"} <= {row["name"] for row in book["infractions"]}
    assert call("GET", f"{T}/rulings/r1").status_code == 404


@pytest.mark.parametrize(("regulations", "game"), [(name, game) for name in names() for game in load(name).game.rules])
def test_a_flag_that_an_arbiter_rules_on_names_the_article_of_its_own_game(
    app: Flask, tmp_path: Path, regulations: str, game: str
) -> None:
    call = calls_on(app, tmp_path, "arbiter")
    pair_by_hand(call, CUP | {"regulations": regulations, "game": game})
    made = call("POST", f"{T}/rulings", FOUL | {"infraction": "flag"})
    assert made.status_code == 201, made.json
    assert call("GET", f"{T}/rulings/r1").json["article"] == load(regulations).game.flag(game)
