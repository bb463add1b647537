"""A command answered with its body or without, as its caller would rather have it (RFC 7240)."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from deploy.build.openapi_build import FOLDER, UNION
from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens
from tests.http.boards import G, board
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


LIGHT = f"{ENTRIES}?events=false"
TWO = {"players": [{"name": "A"}, {"name": "B"}]}


def test_light_answer_has_numbers_and_ids_of_the_events(organiser):
    answer = organiser("POST", LIGHT, TWO)
    light = answer.get_json()
    written = organiser("GET", light["follows"]).get_json()["events"]
    assert answer.status_code == 201 and [one["id"] for one in light["players"]] == [1, 2]
    assert light["event_ids"] == [one["event"]["id"] for one in written] and len(written) == 2
    assert light["events"] == light["consequences"] == light["consequence_ids"] == []
    whole = organiser("POST", ENTRIES, TWO)
    assert {"event_ids", "consequence_ids"} == light.keys() - whole.get_json().keys()
    assert len(answer.data) < len(whole.data) / 2


def test_light_answer_has_the_header_fields_of_a_whole_one(organiser):
    light, whole = (organiser("POST", address, TWO) for address in (LIGHT, ENTRIES))
    assert {*light.headers.keys()} == {*whole.headers.keys()}
    after_light, after_whole = (int(one.headers["ETag"].strip('"')) for one in (light, whole))
    assert after_light == after_whole - 2


def test_repeated_request_may_choose_another_shape(organiser):
    first, again, whole = (
        organiser("POST", address, TWO, headers={"Idempotency-Key": "k"}) for address in (LIGHT, LIGHT, ENTRIES)
    )
    assert first.get_json() == again.get_json() and again.headers["Idempotent-Replayed"] == "true"
    assert [one["id"] for one in whole.get_json()["events"]] == first.get_json()["event_ids"]


def test_light_answer_lists_consequences_by_id(tmp_path: Path):
    with board(tmp_path, "chess") as b:
        b.moves("g1f3 g8f6 f3g1 f6g8")
        claim = {"claim": "threefold_repetition", "side": "white", "move": "Nc3"}
        light = b.call("POST", f"{G}/claims?events=false", claim, "board").json
        outcome = b.call("GET", light["follows"], None, None).json
    assert (light["events"], light["consequences"], light["rulings"]) == ([], [], ["r2"])
    assert len(light["event_ids"]) == 3 and len(light["consequence_ids"]) == 2
    assert light["event_ids"][-1:] + light["consequence_ids"] == [one["event"]["id"] for one in outcome["events"]]


def test_wrong_value_of_events_writes_nothing(organiser):
    answer = organiser("POST", f"{ENTRIES}?events=no", TWO)
    assert (answer.status_code, answer.get_json()["type"].rpartition(":")[2]) == (400, "bad-query")
    assert organiser("GET", "/v1/tournaments/T").get_json()["players"] == 0


def test_preview_has_its_events_in_every_shape(organiser):
    organiser("POST", ENTRIES, TWO)
    assert organiser("POST", "/v1/tournaments/T/rounds?preview=true&events=false", {}).get_json()["events"]


def test_each_command_that_returns_events_describes_the_light_answer():
    document = json.loads((FOLDER / f"{UNION}.json").read_text(encoding="utf-8"))
    light = {
        name for name, one in document["components"]["schemas"].items() if "event_ids" in one.get("properties", {})
    }
    for path in document["paths"].values():
        for operation in path.values():
            answers = json.dumps(operation["responses"])
            takes = any(one["name"] == "events" for one in operation["parameters"])
            assert takes == any(f'schemas/{name}"' in answers for name in light), operation["operationId"]


def test_a_refusal_is_told_in_full(organiser):
    answer = organiser("POST", "/v1/tournaments", CUP, headers={"Prefer": "return=minimal"})
    assert answer.status_code == 409 and answer.get_json()["detail"]
    assert "Preference-Applied" not in answer.headers
