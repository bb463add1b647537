"""A preview by all services: what a command would bring to the log and the table, and nothing written."""

from collections.abc import Iterator
from multiprocessing import spawn
from pathlib import Path

import pytest
from flask import Flask

from deploy.server import embedded
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from shared.http.requests.app_context import EXTENSION
from tests.http.calls import Call, calls_on, pair_by_hand
from tests.made_once import forget_children

T = "/v1/tournaments/T"
CUP = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
FOUL = {"player": 1, "round": 1, "infraction": "foul"}
RESULTS = {"round": 1, "results": [{"board": 1, "result": "1-0"}, {"board": 2, "result": "1/2-1/2"}]}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Flask, Path]]:
    data = tmp_path_factory.mktemp("preview")
    app = embedded.make_app(data, Limits(rate=0, reads=0, preview_seconds=120))
    yield app, data
    close(app)


@pytest.fixture(scope="module")
def call(app: tuple[Flask, Path]) -> Call:
    """Round 1 of T is paired by hand, 1-2, 3-4; 1 has won, and has two fouls."""
    one = calls_on(*app, "arbiter")
    pair_by_hand(one, CUP)
    assert one("POST", f"{T}/results", RESULTS).status_code == 201
    for _ in range(2):
        assert one("POST", f"{T}/rulings", FOUL).status_code == 201
    return one


def preview(call: Call, path: str, body: dict, role="arbiter", **more):
    return call("POST", f"{T}/preview", {"path": f"{T}/{path}", "body": body}, role, **more)


def test_a_third_foul_is_shown_with_the_loss_that_it_brings_and_the_table_after_it_and_then_so_happens(
    call: Call,
) -> None:
    seen = call("GET", T).headers["ETag"]
    shown = preview(call, "rulings", FOUL | {"note": "touched the cannon"})
    assert (shown.status_code, shown.headers["ETag"], call("GET", T).headers["ETag"]) == (200, seen, seen)
    foul, loss = shown.json["events"]
    assert (foul["role"], loss["role"], loss["data"]["because"]) == ("arbiter", "rulebook", ["r1", "r2", "r3"])
    assert loss["sentence"].startswith("Ruling r4: ") and "Player 1" in loss["sentence"]
    ranks = {row["id"]: (row["before"]["rank"], row["after"]["rank"]) for row in shown.json["table"]["changes"]}
    assert ranks[1] == (1, 4)
    assert (shown.json["out_of_force"], shown.json["in_force_again"]) == ([], [])

    # when it is annulled again, the next one is another third foul
    made = call("POST", f"{T}/rulings", FOUL | {"note": "touched the cannon"})
    diff = call("GET", f"{T}/diff?from={shown.json['seq']}&to={made.headers['ETag'].strip(chr(34))}").json
    assert shown.json["table"] == diff
    back = preview(call, "rulings/r3/annulment", {"reason": "by accident"}, "appeals")
    assert [e["type"] for e in back.json["events"]] == ["arbiter.ruling.annulled.v2"]
    assert {row["id"]: row["after"]["rank"] for row in back.json["table"]["changes"]}[1] == 1
    assert (back.json["out_of_force"], back.json["in_force_again"]) == (["r3", "r4"], [])


def test_a_correction_of_a_result_is_previewed_with_what_it_moves(call: Call) -> None:
    sent = {"round": 1, "results": [{"board": 2, "result": "0-1"}], "reason": "the slip was read wrongly"}
    shown = preview(call, "corrections", sent)
    assert [e["source"] for e in shown.json["events"]] == ["/services/games"]
    assert {row["id"] for row in shown.json["table"]["changes"]} >= {3, 4}


@pytest.mark.parametrize(
    ("path", "body", "role", "status", "code"),
    [
        ("rulings", FOUL | {"infraction": "whistling"}, "arbiter", 422, "unknown-infraction"),
        ("rulings", FOUL, "player", 403, "role-may-not"),
        ("rulings", {"player": 1}, "arbiter", 422, "bad-fields"),
        ("rulings/r99/annulment", {"reason": "x"}, "appeals", 404, "unknown-ruling"),
        ("texts", {}, "arbiter", 422, "no-preview"),
        ("../U/rulings", FOUL, "arbiter", 422, "no-preview"),
    ],
)
def test_what_would_be_refused_is_refused_for_the_same_reason(call: Call, path, body, role, status, code) -> None:
    answer = preview(call, path, body, role)
    assert (answer.status_code, answer.json["type"].rpartition(":")[2]) == (status, code)


def test_a_preview_takes_a_token_and_the_path_of_its_own_tournament(call: Call) -> None:
    assert preview(call, "rulings", FOUL, None).status_code == 401
    other = call("POST", f"{T}/preview", {"path": "/v1/tournaments/U/rulings", "body": FOUL})
    assert (other.status_code, list(other.json["errors"])) == (422, ["path"])
    assert (
        call("POST", "/v1/tournaments/U/preview", {"path": "/v1/tournaments/U/rulings", "body": FOUL}).status_code
        == 404
    )


def test_a_preview_that_takes_too_long_is_told_and_the_next_one_is_made(tmp_path: Path) -> None:
    app = embedded.make_app(tmp_path, Limits(rate=0, reads=0, preview_seconds=0.0))
    call = calls_on(app, tmp_path, "arbiter")
    pair_by_hand(call, CUP)
    answer = preview(call, "rulings", FOUL)
    assert (answer.status_code, answer.json["type"].rpartition(":")[2]) == (503, "preview-too-large")
    assert int(answer.headers["Retry-After"]) > 0
    assert call("POST", f"{T}/rulings", FOUL).status_code == 201, "what is written does not wait for previews"
    assert app.extensions[EXTENSION].limits.previews > 0
    close(app)


def test_a_preview_whose_process_cannot_be_started_is_told_and_the_next_one_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_children()
    app = embedded.make_app(tmp_path, Limits(rate=0, reads=0, preview_seconds=120))
    call = calls_on(app, tmp_path, "arbiter")
    pair_by_hand(call, CUP)
    with monkeypatch.context() as broken:
        broken.setattr(spawn, "_python_exe", b"/no/such/python")
        answer = preview(call, "rulings", FOUL)
    assert (answer.status_code, answer.json["type"].rpartition(":")[2]) == (503, "no-preview-now")
    assert int(answer.headers["Retry-After"]) > 0
    assert preview(call, "rulings", FOUL).status_code == 200
    close(app)
