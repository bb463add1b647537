"""The audit over HTTP has the three verdicts of the command, and `differs` goes before the others."""

import sqlite3

import pytest

from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens
from shared.wire.envelope import split_signature
from tests.http.conftest import Caller

CUP = {"id": "cup", "name": "Cup", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "campus"}


@pytest.fixture
def house(tmp_path):
    app = embedded.make_app(tmp_path)
    call = Caller(app.test_client(), tokens.issue(tmp_path, "chief_arbiter", "he.jing"))
    assert call("POST", "/v1/tournaments", CUP).status_code == 201
    for name in ("Ana", "Ole"):
        assert call("POST", "/v1/tournaments/cup/entries", {"players": [{"name": name}]}).status_code == 201
    yield call
    close(app)


def altered(folder, seq: int, change) -> None:
    """A line of the database after who can write to it has changed it."""
    with sqlite3.connect(folder / "arbiter.db") as connection:
        chosen = ("tournaments/cup", seq)
        (line,) = connection.execute("SELECT line FROM events WHERE stream = ? AND seq = ?", chosen).fetchone()
        connection.execute("UPDATE events SET line = ? WHERE stream = ? AND seq = ?", (change(line), *chosen))
    connection.close()


def without_signature(line: bytes) -> bytes:
    assert split_signature(line)[1] is not None
    return split_signature(line)[0]


def told(house: Caller) -> dict:
    answer = house("GET", "/v1/tournaments/cup/audit")
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def test_a_log_that_holds_agrees(house):
    report = told(house)
    assert (report["verdict"], report["incomplete"], report["findings"]) == ("agrees", {}, 0)


def test_where_a_signature_is_missing_the_audit_is_incomplete(house, tmp_path):
    altered(tmp_path, told(house)["size"], without_signature)
    report = told(house)
    assert (report["verdict"], report["incomplete"], report["findings"]) == ("incomplete", {"signature missing": 1}, 0)


def test_a_line_that_differs_goes_before_a_signature_that_is_missing(house, tmp_path):
    last = told(house)["size"]
    altered(tmp_path, last - 1, lambda line: line.replace(b'"rating":null', b'"rating":2700'))
    altered(tmp_path, last, without_signature)
    report = told(house)
    assert report["verdict"] == "differs" and report["incomplete"] == {"signature missing": 1}
