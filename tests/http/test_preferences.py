"""A command answered with its body or without, as its caller would rather have it (RFC 7240)."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens
from tests.http.conftest import Caller

CUP = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
ENTRIES = "/v1/tournaments/T/entries"


@pytest.fixture
def organiser(tmp_path: Path) -> Iterator[Caller]:
    app = embedded.make_app(tmp_path)
    caller = Caller(app.test_client(), tokens.issue(tmp_path, "organiser", "li.wei"))
    assert caller("POST", "/v1/tournaments", CUP).status_code == 201
    yield caller
    close(app)


@pytest.fixture
def entered(organiser: Caller) -> Callable[..., TestResponse]:
    """A player is entered, with these header fields."""

    def enter(**headers: str) -> TestResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return organiser("POST", ENTRIES, {"players": [{"name": "A"}]}, headers=named)

    return enter


@pytest.mark.parametrize("wish", ["return=minimal", "respond-async, Return = minimal; x=1", 'return="minimal"'])
def test_a_caller_who_wants_little_gets_the_header_fields_alone(organiser, entered, wish: str):
    answer = entered(Prefer=wish)
    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers["Preference-Applied"] == "return=minimal"
    line = organiser("GET", "/v1/tournaments/T")
    assert answer.headers["ETag"] == line.headers["ETag"]
    assert answer.headers["Arbiter-Checkpoint"].startswith(f"{line.get_json()['seq']}:")
    assert line.get_json()["players"] == 1


@pytest.mark.parametrize("wish", ["", "return=little", "wait=10", "returns=minimal", "return=little, return=minimal"])
def test_what_is_not_known_is_passed_over(entered, wish: str):
    answer = entered(Prefer=wish)
    assert (answer.status_code, len(answer.get_json()["events"])) == (201, 1)
    assert "Preference-Applied" not in answer.headers


def test_of_two_wishes_the_first_counts(entered):
    answer = entered(Prefer="return=representation, return=minimal")
    assert (answer.status_code, answer.headers["Preference-Applied"]) == (201, "return=representation")
    assert answer.get_json()["events"]


def test_the_same_command_sent_again_answers_as_it_is_wanted_then(entered):
    first = entered(Prefer="return=minimal", Idempotency_Key="k1")
    again = entered(Idempotency_Key="k1")
    assert (first.status_code, again.status_code) == (204, 201)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["ETag"] == first.headers["ETag"] and len(again.get_json()["events"]) == 1


def test_a_refusal_is_told_in_full(organiser):
    answer = organiser("POST", "/v1/tournaments", CUP, headers={"Prefer": "return=minimal"})
    assert answer.status_code == 409 and answer.get_json()["detail"]
    assert "Preference-Applied" not in answer.headers
