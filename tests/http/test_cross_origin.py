"""What pages of other sites may do: read what everybody may, without credentials; nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.requests.auth import COOKIE
from tests.http.conftest import Caller

FOREIGN = {"Origin": "https://elsewhere.example"}
CUP = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
ALLOWED = "Access-Control-Allow-Origin"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Flask]:
    app = embedded.make_app(tmp_path)
    assert Caller(app.test_client(), tokens.issue(tmp_path, "organiser", "li.wei"))(
        "POST", "/v1/tournaments", CUP
    ).status_code == 201  # fmt: skip
    yield app
    close(app)


def crossing(answer: TestResponse) -> set[str]:
    """The fields of an answer that speak of other origins."""
    return {name for name, _ in answer.headers if name.startswith("Access-Control-")}


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/tournaments", 200),
        ("/v1/tournaments/T", 200),
        ("/v1/tournaments/T/events", 200),
        ("/v1/tournaments/T/texts", 401),
        ("/v1/tournaments/none", 404),
        ("/services/pairing/v1/tournaments/T", 200),
        ("/v1/openapi.json", 200),
    ],
)
def test_a_read_of_the_interface_is_open_to_any_origin(house, path: str, status: int):
    answer = house.test_client().get(path, headers=FOREIGN)
    assert (answer.status_code, answer.headers[ALLOWED]) == (status, "*")
    assert answer.headers["Access-Control-Expose-Headers"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_a_read_that_has_changed_nothing_is_open_too(house):
    client = house.test_client()
    tag = client.get("/v1/tournaments/T").headers["ETag"]
    answer = client.get("/v1/tournaments/T", headers=FOREIGN | {"If-None-Match": tag})
    assert (answer.status_code, answer.headers[ALLOWED]) == (304, "*")


def test_a_live_stream_is_open(house):
    answer = house.test_client().get(
        "/v1/tournaments/T/events", headers=FOREIGN | {"Accept": "text/event-stream"}, buffered=False
    )
    assert (answer.mimetype, answer.headers[ALLOWED]) == ("text/event-stream", "*")
    answer.close()


@pytest.mark.parametrize("path", ["/", "/t/T/", "/t/T/log", "/healthz", "/metrics", "/nowhere"])
def test_pages_and_what_is_for_machines_of_the_house_are_not_open(house, path: str):
    assert not crossing(house.test_client().get(path, headers=FOREIGN))


def test_what_is_asked_for_with_a_token_or_a_cookie_is_for_no_other_origin(house, tmp_path):
    token = tokens.issue(tmp_path, "organiser", "li.wei")
    client = house.test_client()
    assert not crossing(client.get("/v1/tournaments/T/texts", headers=FOREIGN | {"Authorization": f"Bearer {token}"}))
    client.set_cookie(COOKIE, token)
    read = client.get("/v1/tournaments/T/texts", headers=FOREIGN)
    assert read.status_code == 200 and not crossing(read)


def test_no_command_is_open(house, tmp_path):
    client = house.test_client()
    organiser = Caller(client, tokens.issue(tmp_path, "organiser", "li.wei"))
    assert not crossing(organiser("POST", "/v1/tournaments/T/entries", {"players": [{"name": "A"}]}, headers=FOREIGN))
    assert not crossing(client.post("/v1/judge", json={}, headers=FOREIGN))


def preflight(house: Flask, path: str, method: str, **headers: str) -> TestResponse:
    asked = FOREIGN | {"Access-Control-Request-Method": method} | headers
    return house.test_client().options(path, headers=asked)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_browser_that_asks_beforehand_may_read_and_send_no_credentials(house, method: str):
    asked = {"Access-Control-Request-Headers": "if-none-match, authorization"}
    answer = preflight(house, "/v1/tournaments/T/events", method, **asked)
    assert answer.status_code == 200
    assert answer.headers[ALLOWED] == "*"
    assert answer.headers["Access-Control-Allow-Methods"] == "GET, HEAD"
    allowed = answer.headers["Access-Control-Allow-Headers"].lower()
    assert "if-none-match" in allowed and "authorization" not in allowed and "*" not in allowed


@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("/v1/tournaments", "POST"),
        ("/v1/tournaments/T/entries", "GET"),
        ("/v1/tournaments/T/texts", "DELETE"),
        ("/v1/tokens/x", "DELETE"),
        ("/t/T/", "GET"),
    ],
)
def test_a_browser_that_asks_to_write_or_for_a_page_is_not_let(house, path: str, method: str):
    assert not crossing(preflight(house, path, method))


def test_an_operator_closes_it(tmp_path, monkeypatch):
    monkeypatch.setenv("ARBITER_CROSS_ORIGIN", "none")
    app = embedded.make_app(tmp_path)
    try:
        assert not crossing(app.test_client().get("/v1/tournaments", headers=FOREIGN))
        assert not crossing(preflight(app, "/v1/tournaments", "GET"))
    finally:
        close(app)
