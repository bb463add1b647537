"""Every error is one RFC 9457 document, whatever went wrong."""

import json
from pathlib import Path

import pytest
from flask import Flask

from shared.core.terms import Refusal
from shared.desk.requests import Behind, OutcomeUnknown, Stopped, TooLarge
from shared.http import problems
from shared.http.limits.rate_limits import Limits
from shared.log.port import CommitUnknown, LogFull
from tests.http.house import an_app

JSON = {"Content-Type": "application/json"}


def is_problem(response, status, code):
    assert response.status_code == status, response.text
    assert response.mimetype == "application/problem+json"
    document = response.get_json(force=True)
    assert document["type"] == f"urn:arbiter:problem:{code}"
    assert document["status"] == status and document["title"]
    return document


def test_an_unknown_address_and_a_wrong_method_are_problems(organiser):
    is_problem(organiser("GET", "/nowhere"), 404, "not-found")
    answer = organiser("PUT", "/v1/tournaments", {})
    is_problem(answer, 405, "method-not-allowed")
    assert "POST" in answer.headers["Allow"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "bad-json"),
        (b"{", 400, "bad-json"),
        (b"\xff", 400, "bad-json"),
        (b"[" * 100_000, 400, "bad-json"),
        (b'{"id": NaN, "name": "x"}', 400, "bad-json"),
        (b"[]", 400, "object-expected"),
        (b"null", 400, "object-expected"),
        (b'{"id": "A", "name": "x\\u0000y"}', 422, "bad-fields"),
        (b'{"id": "A", "name": "\\ud800"}', 422, "bad-fields"),
        (b'{"id": "A", "id": "B", "name": "x"}', 400, "bad-json"),
        (b'{"id": "A", "name": "x", "more": ' + b"9" * 5000 + b"}", 400, "bad-json"),
        (b"{}", 422, "bad-fields"),
        (b'{"id": "A", "name": 3}', 422, "bad-fields"),
        (b'{"id": "A", "name": "x", "more": 1}', 422, "bad-fields"),
    ],
)
def test_a_body_that_cannot_be_taken_says_why(organiser, body, status, code):
    is_problem(organiser("POST", "/v1/tournaments", data=body, headers=JSON), status, code)


def test_each_wrong_field_is_named(organiser):
    document = is_problem(organiser("POST", "/v1/tournaments", {"name": 3, "extra": 1}), 422, "bad-fields")
    assert set(document["errors"]) == {"id", "name", "extra"}


def test_a_body_of_another_media_type_is_not_read(organiser):
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = organiser("POST", "/v1/tournaments", data=b"id=A", headers=form)
    is_problem(answer, 415, "json-expected")


def test_a_body_over_the_limit_is_refused(organiser):
    body = b'{"id": "A", "name": "' + b"x" * Limits().body + b'"}'
    document = is_problem(organiser("POST", "/v1/tournaments", data=body, headers=JSON), 413, "content-too-large")
    assert str(Limits().body) in document["detail"]


def test_a_crash_tells_an_incident_and_nothing_else(organiser, logged):
    answer = organiser("GET", "/crash")
    document = is_problem(answer, 500, "crash")
    assert "陈平" not in answer.text and "Traceback" not in answer.text and "RuntimeError" not in answer.text
    logged = [json.loads(line) for line in logged().splitlines() if line.startswith("{")]
    crash = next(line for line in logged if line["event"] == "crash")
    assert crash["incident"] == document["incident"] and crash["exception"] == "RuntimeError"
    assert any("house.py" in frame for frame in crash["frames"])
    assert "陈平" not in json.dumps(logged, ensure_ascii=False)


@pytest.mark.parametrize(("kind", "status"), [("rule", 409), ("authority", 403), ("unknown", 404), ("invalid", 422)])
def test_a_refusal_becomes_its_status_with_article_and_place(kind, status):
    problem = problems.refused(Refusal(kind, "no-rematch", "they met", "C.04.1", "boards[0]", "/v1/x"))
    assert problem.status == status
    assert problem.document() | {"title": ""} == {
        "type": "urn:arbiter:problem:no-rematch",
        "title": "",
        "status": status,
        "detail": "they met",
        "written": "no",
        "help": "/problems/no-rematch",
        "article": "C.04.1",
        "where": "boards[0]",
        "see": "/v1/x",
    } | ({"errors": {"boards": {"0": ["they met"]}}} if kind == "invalid" else {})


def test_a_refusal_by_the_rules_is_a_conflict(announced):
    document = is_problem(announced("POST", "/v1/tournaments", {"id": "T", "name": "Cup"}), 409, "announced-already")
    assert document["article"] == "1.1" and document["see"] == "/v1/tournaments"


def test_an_unknown_tournament_and_an_impossible_name_are_not_found(organiser):
    is_problem(organiser("GET", "/v1/tournaments/nobody"), 404, "unknown-tournament")
    is_problem(organiser("GET", "/v1/tournaments/-x"), 404, "unknown-tournament")
    is_problem(organiser("POST", "/v1/tournaments/nobody/entries", {"name": "x"}), 404, "unknown-tournament")


@pytest.mark.parametrize(
    ("raised", "status", "code", "retry"),
    [
        (Behind("wait"), 503, "behind", "1"),
        (Stopped("line 3"), 503, "tournament-stopped", "30"),
        (TooLarge("8 MiB"), 413, "command-too-large", None),
        (LogFull("cannot be written"), 507, "log-full", "60"),
        (OutcomeUnknown("c7"), 503, "outcome-unknown", None),
        (CommitUnknown("lost"), 503, "outcome-unknown", None),
    ],
)
def test_what_the_desk_cannot_take_is_told(app: Flask, announced, monkeypatch, raised, status, code, retry):
    def submit(*_):
        raise raised

    monkeypatch.setattr(app.extensions["arbiter"].desk, "submit", submit)
    answer = announced("POST", "/v1/tournaments/T/entries", {"name": "x"})
    document = is_problem(answer, status, code)
    assert answer.headers.get("Retry-After") == retry
    assert document["written"] == ("unknown" if code == "outcome-unknown" else "no")
    assert document.get("see") == ("/v1/tournaments/T/commands/c7" if isinstance(raised, OutcomeUnknown) else None)


@pytest.mark.parametrize(("method", "written"), [("GET", "no"), ("POST", "unknown")])
def test_a_crash_leaves_open_whether_a_command_was_written(app: Flask, announced, monkeypatch, method, written):
    def crash(*_, **__):
        raise RuntimeError("a mistake of ours")

    desk = app.extensions["arbiter"].desk
    monkeypatch.setattr(desk, "submit", crash)
    monkeypatch.setattr(desk, "view", crash)
    path = "/v1/tournaments/T" if method == "GET" else "/v1/tournaments/T/entries"
    document = is_problem(announced(method, path, {"name": "x"} if method == "POST" else None), 500, "crash")
    assert document["written"] == written


def test_a_full_disk_is_told_and_nothing_is_half_done(app: Flask, announced):
    log = app.extensions["arbiter"].desk.log
    with log.transaction() as tx:
        pages = tx.connection.exec_driver_sql("PRAGMA page_count").scalar()
        tx.connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    filled = 1
    while (answer := announced("POST", "/v1/tournaments/T/entries", {"name": "x" * 3000})).status_code == 201:
        filled += 1
        assert filled < 100
    is_problem(answer, 507, "log-full")
    assert announced("GET", "/v1/tournaments/T").get_json()["seq"] == filled
    with log.transaction() as tx:
        tx.connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
    answer = announced("POST", "/v1/tournaments/T/entries", {"name": "x"})
    assert (answer.status_code, answer.headers["ETag"]) == (201, f'"{filled + 1}"')


def test_a_caller_who_commands_too_fast_waits(tmp_path: Path):
    app = an_app(tmp_path, Limits(rate=0.001, burst=2))
    client = app.test_client()
    assert [client.post("/v1/tournaments", json={}).status_code for _ in range(3)] == [401, 401, 429]
    answer = client.post("/v1/tournaments", json={})
    is_problem(answer, 429, "too-many-requests")
    assert int(answer.headers["Retry-After"]) > 100
    assert client.get("/healthz").status_code == 200
    false = {"Authorization": "Bearer false"}
    assert client.post("/v1/tournaments", json={}, headers=false).status_code == 429
    app.extensions["arbiter"].desk.close()
