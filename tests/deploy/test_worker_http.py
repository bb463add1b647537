"""What a worker answers: whether it lives, whether it is ready, and its numbers."""

import json
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from prometheus_client import CollectorRegistry, Gauge

from deploy.server.worker import worker_http
from deploy.server.worker.worker_http import WorkerServer
from tests.attacks.strangers import crowd, rest


@pytest.fixture
def worker():
    state = {"ready": True}
    registry = CollectorRegistry()
    Gauge("arbiter_parked_tournaments", "Tournaments stopped", registry=registry).set(2)
    server = WorkerServer("127.0.0.1", 0, lambda: (state["ready"], {"lag": 3}), [registry])
    server.start()
    yield server, state
    server.end()


def answer(server: WorkerServer, path: str) -> tuple[int, str, bytes]:
    try:
        with urlopen(f"http://127.0.0.1:{server.port}{path}", timeout=20) as response:
            return response.status, response.headers["Content-Type"], response.read()
    except HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.headers["Content-Type"], refusal.read()


def test_a_worker_that_lives_says_so(worker):
    assert answer(worker[0], "/healthz") == (200, "application/json", b'{"status": "ok"}')


def test_a_worker_that_waits_for_an_operator_is_not_ready(worker):
    server, state = worker
    for ready, status, word in ((True, 200, "ready"), (False, 503, "not ready")):
        state["ready"] = ready
        code, _, content = answer(server, "/readyz")
        assert (code, json.loads(content)) == (status, {"status": word, "lag": 3})


def test_its_numbers_are_in_the_format_of_prometheus(worker):
    status, media, content = answer(worker[0], "/metrics")
    assert (status, media) == (200, "text/plain; version=0.0.4; charset=utf-8")
    assert b"arbiter_parked_tournaments 2.0" in content.splitlines()


def test_it_answers_nothing_else(worker):
    assert answer(worker[0], "/v1/tournaments")[0] == 404


def test_half_sent_requests_stop_nobody_and_are_ended(worker, monkeypatch):
    server, _ = worker
    monkeypatch.setattr(worker_http._Server, "seconds", 0.5)
    monkeypatch.setattr(worker_http._Server, "most", 8)
    with crowd(("127.0.0.1", server.port), b"GET /healthz HT", 12) as strangers:
        assert answer(server, "/healthz")[0] == 200
        assert [rest(stranger) for stranger in strangers] == [b""] * 12
    assert answer(server, "/healthz")[0] == 200
