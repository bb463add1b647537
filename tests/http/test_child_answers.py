"""Expensive answers to readers without a token: a child process makes them, and the reader pays for its CPU time."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import http_sfv
import pytest
from flask import g

from deploy.server import embedded
from deploy.server.embedded import make_reading_app
from deploy.server.jobs import audit_job
from shared.http.app import close
from shared.http.identity.tokens import issue
from shared.http.limits.rate_limits import Limits
from shared.http.limits.turns import QUEUES, TURN, Turn
from shared.http.reads.child_answers import ChildAnswers, _environ, answer_by_child
from shared.http.requests.app_context import EXTENSION, Context
from tests.bench.dearest_inputs import QUESTIONS
from tests.bench.xiangqi import CHASE
from tests.great_hall import great_hall

T, PAGE = "/v1/tournaments/hall", "/t/hall"
IN_TURN = {QUEUES: True, TURN: Turn.TAKEN}
EXPENSIVE = {"game": "xiangqi", "ask": "repetition", "fen": CHASE[0], "moves": CHASE[1].split() * 1250}
ASKED = {
    "table": (f"{T}/standings", {}),
    "table of the past": (f"{T}/standings?at=40", {}),
    "table as CSV": (f"{T}/standings", {"Accept": "text/csv"}),
    "report file": (f"{T}/trf", {}),
    "page": (PAGE, {"Accept-Encoding": "br"}),
    "page in Chinese": (f"{PAGE}/standings", {"Cookie": "arbiter_language=zh-CN"}),
    "page of a line": (f"{PAGE}/log/7", {}),
    "papers": (f"{PAGE}/rounds/1/papers/slips", {}),
    "unchanged table": (f"{T}/standings", {"If-None-Match": "*"}),
    "unknown ruling": (f"{T}/standings?without=r77", {"X-Request-Id": "mine"}),
    "unknown tournament": ("/v1/tournaments/nothing/standings", {}),
    "people, for officials only": ("/v1/people", {}),
    "page of people in Chinese": ("/people", {"Accept": "text/html", "Cookie": "arbiter_language=zh-CN"}),
}
OWN = {"X-Request-Id", "Date", "RateLimit"}
"""Header fields of each answer alone."""


class Hall:
    """A server's app with a played tournament, and its child."""

    def __init__(self, data: Path) -> None:
        self.data = data
        desk = embedded.open_desk(data)
        great_hall(desk, "hall", 41)
        desk.close()
        self.app = embedded.make_app(data, Limits(reads=0.0001, reads_burst=1_000_000))
        answer_by_child(self.app, make_reading_app, data)
        self.context: Context = self.app.extensions[EXTENSION]
        self.child: ChildAnswers = self.context.ask_child.__self__  # type: ignore[attr-defined]
        assert self.ask(f"{T}/standings").status_code == 200, "the server makes the first answer"
        assert self.child.has_started.wait(60)
        self.official = {"Authorization": f"Bearer {issue(data, 'chief_arbiter', 'zhou.min')}"}

    def ask(self, path: str, turn: bool = True, method: str = "GET", body: Any = None, **headers: str) -> Any:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        turned: Any = IN_TURN if turn else {}
        client = self.app.test_client(use_cookies=False)
        return client.open(path, method=method, json=body, headers=sent, environ_overrides=turned, buffered=True)

    def pid(self) -> int:
        process = self.child._child._process
        assert process is not None and process.pid is not None
        return process.pid

    def only_by_child(self) -> None:
        """Make every view of this process fail, so that only the child can answer."""

        def fail(**arguments: Any) -> None:
            raise AssertionError("this process made the answer")

        self.app.view_functions = {name: _like(view, fail) for name, view in self.app.view_functions.items()}


def _like(view: Any, fail: Any) -> Any:
    """Return ``fail`` with the declarations of ``view``."""

    def failing(**arguments: Any) -> None:
        fail(**arguments)

    failing.__dict__.update(view.__dict__)
    return failing


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    made = Hall(tmp_path_factory.mktemp("hall"))
    yield made
    close(made.app)


@pytest.mark.parametrize(("path", "headers"), ASKED.values(), ids=ASKED)
def test_child_gives_the_answer_that_the_server_would_give(hall: Hall, path: str, headers: dict[str, str]):
    here = hall.ask(path, turn=False, **headers)
    views = hall.app.view_functions
    hall.only_by_child()
    try:
        there = hall.ask(path, **headers)
    finally:
        hall.app.view_functions = views
    assert (there.status, there.data) == (here.status, here.data)
    assert {n: v for n, v in there.headers if n not in OWN} == {n: v for n, v in here.headers if n not in OWN}
    assert there.headers["X-Request-Id"] == headers.get("X-Request-Id", there.headers["X-Request-Id"])


def test_child_judges_a_question_that_was_sent(hall: Hall):
    here, there = (hall.ask("/v1/judge", turn, "POST", EXPENSIVE) for turn in (False, True))
    assert there.status_code == 200 and there.json == here.json


def test_child_answers_with_what_was_written_a_moment_ago(hall: Hall):
    before = hall.ask(f"{T}/standings")
    change = {"round": 7, "results": [{"board": 1, "result": "1-0"}]}
    assert hall.ask(f"{T}/results", False, "POST", change, **hall.official).status_code == 201
    after = hall.ask(f"{T}/standings")
    assert int(after.headers["ETag"].strip('"')) > int(before.headers["ETag"].strip('"'))


def test_child_that_died_is_replaced(hall: Hall):
    hall.ask(f"{T}/standings")
    first = hall.pid()
    os.kill(first, signal.SIGKILL)
    assert hall.ask(f"{T}/standings").status_code == 200 and hall.pid() != first


def test_answer_that_takes_too_long_is_refused_and_the_next_is_made(hall: Hall):
    hall.ask(f"{T}/standings")
    first, seconds = hall.pid(), hall.child._child._seconds
    hall.child._child._seconds = 0.01
    try:
        refused = hall.ask("/v1/judge", method="POST", body=EXPENSIVE)
    finally:
        hall.child._child._seconds = seconds
    assert (refused.status_code, refused.json["type"]) == (503, "urn:arbiter:problem:answer-too-large")
    assert "more than 0.01 s" in refused.json["detail"] and refused.headers["Retry-After"] == "60"
    with suppress(ProcessLookupError):
        os.kill(first, 0)
        pytest.fail("the child that took too long still runs")
    assert hall.ask(f"{T}/standings").status_code == 200


def left(answer: Any) -> int:
    items = http_sfv.List()
    items.parse(answer.headers["RateLimit"].encode())
    return {item.value: dict(item.params) for item in items}["reads"]["r"]


def test_reader_without_a_token_pays_for_the_child(hall: Hall):
    before = left(hall.ask("/nowhere", False))
    assert hall.ask("/v1/judge", method="POST", body=QUESTIONS["go replayed"]()).status_code == 200
    assert before - left(hall.ask("/nowhere", False)) > 50, "the declared cost is settled too"


def test_audit_is_paid_by_the_reader_without_a_token_who_asked_first(hall: Hall, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(audit_job, "children_time", iter([1.0, 4.0]).__next__)
    before = left(hall.ask("/nowhere", False))
    assert hall.ask(f"{T}/audit", False).status_code == 200
    deadline = time.monotonic() + 20
    while before - left(hall.ask("/nowhere", False)) < 3000:
        assert time.monotonic() < deadline, "the audit was not charged"
    before = left(hall.ask("/nowhere", False))
    assert hall.ask(f"{T}/audit", False).status_code == 200
    assert before - left(hall.ask("/nowhere", False)) < 1000, "it was made already"


def test_child_gets_no_token_and_the_server_says_why_it_is_invalid(hall: Hall):
    expired = {"Authorization": f"Bearer {issue(hall.data, 'auditor', 'late', now=1e9)}"}
    refused = hall.ask(f"{T}/archive", **expired)
    assert (refused.status_code, refused.json["type"]) == (401, "urn:arbiter:problem:token-expired")
    assert hall.ask(f"{T}/standings", **expired).status_code == 200
    with hall.app.test_request_context(
        T, headers=expired | {"Cookie": "a=b; arbiter_token=secret; arbiter_language=en"}
    ):
        g.request_id = "1"
        sent = _environ()
    assert (sent["HTTP_AUTHORIZATION"], sent["HTTP_COOKIE"]) == ("Bearer invalid", "a=b; arbiter_language=en")


def test_answer_to_a_token_is_made_by_the_server(hall: Hall):
    os.kill(hall.pid(), signal.SIGSTOP)
    try:
        assert hall.ask(f"{T}/standings", **hall.official).status_code == 200
    finally:
        os.kill(hall.pid(), signal.SIGCONT)


def test_child_cannot_write(hall: Hall):
    seen, app = hall.ask(f"{T}/standings"), make_reading_app(hall.data)
    client = app.test_client()
    change = {"round": 7, "results": [{"board": 7, "result": "1-0"}]}
    answer = client.post(f"{T}/results", json=change, headers=hall.official)
    assert answer.status_code == 500
    assert hall.ask(f"{T}/standings").headers["ETag"] == seen.headers["ETag"]
    close(app, 0)
