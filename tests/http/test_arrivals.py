"""What cannot be noted, checked in or corrected in the hall, each with its status, code, article and what is allowed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from deploy.server import embedded
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from tests.http.calls import Call, calls_on, pair_by_hand

T = "/v1/tournaments/T"
G1, G2 = "/v1/games/T.1.1", "/v1/games/T.1.2"
CUP = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
WHY = {"reason": "the wrong row"}
LATE: dict[str, Any] = {"player": 1, "round": 1, "late": 60}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    app = embedded.make_app(tmp_path, Limits(rate=0, reads=0))
    yield app
    close(app)


@pytest.fixture
def call(app: Flask, tmp_path: Path) -> Call:
    """Round 1 is paired: 1-2, 3-4. Player 1 came 60 s late (a1, since corrected by a2 to 90 s), 3 into the hall (a3) and to
    his seat 1,000 s late (a4; r5); player 1 was away for 100 s (b6, since void by b7)."""
    one = calls_on(app, tmp_path, "arbiter")
    pair_by_hand(one, CUP)
    for path, sent in (
        (f"{T}/arrivals", LATE),
        (f"{T}/arrivals/a1/correction", {"late": 90} | WHY),
        (f"{T}/arrivals", {"player": 3, "round": 1, "late": 10, "place": "hall"}),
        (f"{T}/arrivals", {"player": 3, "round": 1, "late": 1000}),
        (f"{G1}/breaks", {"player": 1, "seconds": 100}),
        (f"{G1}/breaks/b6/correction", {"void": True} | WHY),
    ):
        made = one("POST", path, sent)
        assert made.status_code == 201, made.json
    return one


@pytest.mark.parametrize(
    ("path", "sent", "status", "code", "told"),
    [
        # bodies
        ("arrivals", {"player": 2, "round": 1, "late": 5, "place": "stairs"}, 422, "bad-fields", "place"),
        ("arrivals", {"round": 1, "late": 5}, 422, "bad-fields", "give a player or boards"),
        ("arrivals", {"round": 1, "player": 2, "boards": [{"board": 1}]}, 422, "bad-fields", "give a player or boards"),
        ("arrivals", {"round": 1, "boards": []}, 422, "bad-fields", "boards"),
        ("arrivals", {"round": 1, "boards": [{"board": 1}]}, 422, "bad-fields", "give the arrival of at least one side"),
        ("arrivals", {"round": 1, "late": 5, "boards": [{"board": 1, "white": {"late": 0}}]}, 422, "bad-fields", "boards"),
        ("arrivals", {"round": 1, "boards": [{"board": 1, "white": {}}]}, 422, "bad-fields", "late in seconds, or absent"),
        ("arrivals/a2/correction", {"late": 5}, 422, "bad-fields", "reason"),
        ("arrivals/a2/correction", WHY, 422, "bad-fields", "late in seconds, or absent"),
        ("arrivals/a2/correction", {"late": 5, "absent": True} | WHY, 422, "bad-fields", "late in seconds, or absent"),
        ("arrivals/a2/correction", {"late": 5, "player": 2} | WHY, 422, "bad-fields", "player"),
        (f"{G1}/breaks/b7/correction", WHY, 422, "bad-fields", "seconds, or void: true"),
        (f"{G1}/breaks/b7/correction", {"seconds": 5, "void": True} | WHY, 422, "bad-fields", "seconds, or void: true"),
        # what there is not
        ("arrivals/a9/correction", {"late": 5} | WHY, 404, "unknown-arrival", "a9 does not exist; in force are a2, a3, a4"),
        ("arrivals/b7/correction", {"late": 5} | WHY, 404, "unknown-arrival", "in force are a2, a3, a4"),
        (f"{G1}/breaks/b9/correction", {"seconds": 5} | WHY, 404, "unknown-break", "break b9 does not exist; in force are b7"),
        (f"{G2}/breaks/b7/correction", {"seconds": 5} | WHY, 404, "unknown-break", "break b7 does not exist; none is recorded"),
        ("arrivals", {"round": 1, "boards": [{"board": 3, "black": {"late": 0}}]}, 404, "unknown-board", "boards 1 to 2"),
        ("arrivals", {"round": 2, "boards": [{"board": 1, "black": {"late": 0}}]}, 404, "unknown-board", "no board that is"),
        # what is not in force, or says so already
        ("arrivals/a1/correction", {"late": 5} | WHY, 409, "not-in-force", "a1 was corrected by a2"),
        (f"{G1}/breaks/b6/correction", {"seconds": 5} | WHY, 409, "not-in-force", "b6 was corrected by b7"),
        ("arrivals/a2/correction", {"late": 90} | WHY, 409, "arrival-unchanged", "already has these values"),
        (f"{G1}/breaks/b7/correction", {"void": True} | WHY, 409, "break-unchanged", "already has these values"),
        # one arrival in each place
        ("arrivals", LATE, 409, "arrival-noted", "POST /v1/tournaments/T/arrivals/a2/correction"),
        ("arrivals", {"round": 1, "boards": [{"board": 1, "white": {"late": 0}}]}, 409, "arrival-noted", "(a2, seat)"),
        ("arrivals", {"player": 3, "round": 1, "late": 9, "place": "hall"}, 409, "arrival-noted", "(a3, hall)"),
        ("arrivals/a3/correction", {"late": 10, "place": "seat"} | WHY, 409, "arrival-noted", "(a4, seat)"),
        ("arrivals/a3/correction", {"absent": True} | WHY, 409, "arrival-noted", "(a4, seat)"),
        ("arrivals", {"player": 2, "round": 1, "absent": True, "place": "hall"}, 422, "bad-place", "at the seat"),
        ("arrivals/a2/correction", {"absent": True, "place": "hall"} | WHY, 422, "bad-place", "at the seat"),
    ],
)  # fmt: skip
def test_what_is_refused_names_what_would_be_allowed(
    call: Call, path: str, sent: dict[str, Any], status: int, code: str, told: str
) -> None:
    seen = call("GET", T).headers["ETag"]
    answer = call("POST", path if path.startswith("/") else f"{T}/{path}", sent)
    assert (answer.status_code, answer.json["type"].rpartition(":")[2]) == (status, code), answer.json
    assert told in answer.text
    assert call("GET", T).headers["ETag"] == seen, "nothing was written"
    see = answer.json.get("see")
    assert see is None or call("GET", see).status_code == 200, see


def test_an_absence_in_the_hall_names_its_article(call: Call) -> None:
    answer = call("POST", f"{T}/arrivals", {"player": 2, "round": 1, "absent": True, "place": "hall"})
    assert answer.json["article"].startswith("000-A 8.1")


@pytest.mark.parametrize("role", ["organiser", "player", "auditor", "board", "appeals"])
def test_only_the_hall_corrects(call: Call, role: str) -> None:
    for path, sent in ((f"{T}/arrivals/a2/correction", {"late": 5}), (f"{G1}/breaks/b7/correction", {"seconds": 5})):
        assert call("POST", path, sent | WHY, role).status_code == 403
        assert call("POST", path, sent | WHY, None).status_code == 401


def test_a_game_that_was_played_is_not_lost_by_a_correction_but_its_seconds_are_corrected(call: Call) -> None:
    played = {"round": 1, "results": [{"board": 1, "result": "1-0"}]}
    assert call("POST", f"{T}/results", played).status_code == 201
    refused = call("POST", f"{T}/arrivals/a2/correction", {"late": 901} | WHY)
    assert (refused.status_code, refused.json["type"].rpartition(":")[2], refused.json["see"]) == (
        409,
        "game-decided",
        G1,
    )
    assert call("POST", f"{T}/arrivals/a2/correction", {"late": 900} | WHY).status_code == 201


def test_the_arrivals_of_a_withdrawn_pairing_are_corrected_no_more(app: Flask, tmp_path: Path) -> None:
    call = calls_on(app, tmp_path, "arbiter")
    pair_by_hand(call, CUP)
    call("POST", f"{T}/arrivals", LATE)
    gone = call("POST", f"{T}/rounds/1/withdrawal", {"reason": "wrong names"}, "chief_arbiter")
    assert gone.status_code == 201, gone.json
    answer = call("POST", f"{T}/arrivals/a1/correction", {"late": 5} | WHY)
    assert (answer.status_code, answer.json["type"].rpartition(":")[2]) == (409, "pairing-withdrawn")


def test_a_correction_is_previewed_with_the_ruling_that_would_follow(call: Call) -> None:
    seen = call("GET", T).headers["ETag"]
    shown = call("POST", f"{T}/arrivals/a2/correction?preview=true", {"absent": True} | WHY)
    assert [e["type"] for e in shown.json["events"]] == ["arbiter.arrival.corrected.v1", "arbiter.ruling.made.v2"]
    assert call("GET", T).headers["ETag"] == seen


def test_arrivals_are_listed_by_player_round_and_page_and_one_by_one(call: Call) -> None:
    first = call("GET", f"{T}/arrivals?player=1&limit=1").json
    second = call("GET", first["next"]).json
    assert [a["arrival"] for a in first["arrivals"] + second["arrivals"]] == ["a1", "a2"]
    assert (second["next"], "boards" in first) == (None, False)
    none = call("GET", f"{T}/arrivals?round=2").json
    assert (none["arrivals"], none["boards"], none["next"]) == ([], [], None)
    one = call("GET", f"{T}/arrivals/a4").json
    assert {name: one[name] for name in ("player", "round", "board", "late", "absent", "place", "in_force", "rulings")} == {
        "player": 3, "round": 1, "board": 2, "late": 1000, "absent": False, "place": "seat", "in_force": True,
        "rulings": ["r5"],
    }  # fmt: skip
    for path in (f"{T}/arrivals/a9", f"{G1}/breaks/b9", f"{G2}/breaks/b7", "/v1/games/T.1.9/breaks"):
        assert call("GET", path).status_code == 404, path
    assert call("GET", f"{T}/arrivals?at=4").json["arrivals"] == []
