"""The four services in one house."""

import pytest
from openapi_spec_validator import validate

from deploy.server import embedded
from shared.http import tokens
from shared.http.app import close
from tests.http.conftest import Caller


@pytest.fixture
def house(tmp_path):
    app = embedded.make_app(tmp_path)
    yield app
    close(app)


def test_the_description_is_the_union_of_the_services(house):
    client = house.test_client()
    union = client.get("/v1/openapi.json").get_json()
    validate(union)
    for service in ("pairing", "games", "penalties", "standings"):
        own = client.get(f"/services/{service}/v1/openapi.json").get_json()
        validate(own)
        assert set(own["paths"]) <= set(union["paths"])
        assert client.get(f"/services/{service}/version").get_json()["service"] == service
    for path in ("rounds", "results", "rulings", "standings"):
        assert f"/v1/tournaments/{{t}}/{path}" in union["paths"]


def test_every_route_of_the_interface_is_described(house):
    union = house.test_client().get("/v1/openapi.json").get_json()
    for path, operations in union["paths"].items():
        for method, operation in operations.items():
            view = operation["operationId"]
            assert " " in operation["summary"] or method == "get", f"{method} {path} ({view}) has no summary"


def test_a_tournament_announced_is_the_same_in_every_service_and_agrees_with_the_audit(house, tmp_path):
    organiser = Caller(house.test_client(), tokens.issue(tmp_path, "organiser", "li.wei"))
    sent = {"id": "T.1", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
    assert organiser("POST", "/v1/tournaments", sent).status_code == 201
    players = {"players": [{"id": n, "name": f"选手{n}", "rating": 2000 - n} for n in range(1, 5)]}
    tag = organiser("POST", "/v1/tournaments/T.1/entries", players).headers["ETag"]
    for service in ("pairing", "games", "penalties", "standings"):
        answer = organiser("GET", f"/services/{service}/v1/tournaments/T.1")
        assert (answer.status_code, answer.headers["ETag"]) == (200, tag)
    paired = organiser("POST", "/v1/tournaments/T.1/rounds", {}, headers={"If-Match": tag})
    assert paired.status_code == 201, paired.text
    audit = organiser("GET", "/v1/tournaments/T.1/audit").get_json()
    assert (audit["verdict"], audit["unchecked"]) == ("agrees", 0), audit


def test_where_the_rounds_follow_from_the_entries_no_page_says_of_how_many(house, tmp_path):
    # given a round robin, announced without its rounds
    organiser = Caller(house.test_client(), tokens.issue(tmp_path, "organiser", "li.wei"))
    sent = {"id": "ring", "name": "Ring", "game": "xiangqi", "format": "round_robin", "regulations": "xiangqi-1999"}
    assert organiser("POST", "/v1/tournaments", sent).status_code == 201
    players = {"players": [{"name": f"选手{n}"} for n in range(1, 5)]}
    tag = organiser("POST", "/v1/tournaments/ring/entries", players).headers["ETag"]
    # when its first round is paired
    assert organiser("POST", "/v1/tournaments/ring/rounds", {}, headers={"If-Match": tag}).status_code == 201
    # then the pages count it, and speak of no number that nobody told
    front, page, log = (house.test_client().get(path).text for path in ("/", "/t/ring", "/t/ring/log"))
    assert "Round 1 ·" in front
    assert "<li>round 1</li>" in page
    assert "Ring is announced: xiangqi, round robin." in log


def test_the_key_that_checks_checkpoints_lies_in_the_folder(tmp_path):
    made = embedded.signer(tmp_path)
    assert (tmp_path / "arbiter.vkey").read_text() == f"{made.verifier}\n"
    assert (tmp_path / "arbiter.key").stat().st_mode & 0o777 == 0o600
    assert embedded.signer(tmp_path).verifier == made.verifier
