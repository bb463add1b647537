"""The four services in one house."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from openapi_spec_validator import validate

from deploy.server import embedded
from deploy.server.keys.house_signer import HouseSigner
from shared.core.rulebook.formats import FORMATS
from shared.http.app import close
from shared.http.identity import tokens
from shared.regulations import load, names
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


def test_read_that_shows_more_to_readers_with_a_token_refuses_a_bad_one(house):
    client = house.test_client()
    paths = client.get("/v1/openapi.json").get_json()["paths"]
    shown = [path for path, routes in paths.items() if "401" in routes.get("get", {"responses": ()})["responses"]]
    assert {"entries", "officials", "rulings", "appeals", "archive"} <= {path.rpartition("/")[2] for path in shown}
    sent = {"Authorization": "Bearer nonsense"}
    answers = {path: client.get(re.sub(r"{\w+}", "1", path), headers=sent).status_code for path in shown}
    assert {path: status for path, status in answers.items() if status != 401} == {}


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


def test_where_the_rounds_follow_from_the_entries_the_page_of_the_event_counts_them(house, tmp_path):
    # given a round robin, announced without its rounds
    organiser = Caller(house.test_client(), tokens.issue(tmp_path, "organiser", "li.wei"))
    sent = {"id": "ring", "name": "Ring", "game": "xiangqi", "format": "round_robin", "regulations": "xiangqi-1999"}
    assert organiser("POST", "/v1/tournaments", sent).status_code == 201
    players = {"players": [{"name": f"选手{n}"} for n in range(1, 5)]}
    tag = organiser("POST", "/v1/tournaments/ring/entries", players).headers["ETag"]
    # when its first round is paired
    assert organiser("POST", "/v1/tournaments/ring/rounds", {}, headers={"If-Match": tag}).status_code == 201
    # then the page counts the rounds of the table, and the list only those that are paired
    front, page, log = (house.test_client().get(path).text for path in ("/", "/t/ring", "/t/ring/log"))
    assert '<p class="now">round 1' in front
    assert "<li>round 1 of 3</li>" in page
    assert " is created: xiangqi, round robin." in log


def test_the_key_that_checks_checkpoints_lies_in_the_folder(tmp_path):
    made = HouseSigner(tmp_path)
    assert (tmp_path / "arbiter.vkey").read_text() == f"{made.verifier}\n"
    assert (tmp_path / "arbiter.key").stat().st_mode & 0o777 == 0o600
    assert HouseSigner(tmp_path).verifier == made.verifier


ORDERS = [
    *((name, format, {}) for name in names() for format in FORMATS if format not in ("teams", "match")),
    *((name, "teams", {"team": {"kind": "fixed", "boards": 2}}) for name in names()),
    *((name, "swiss", {"team": {"kind": "members", "boards": 2}}) for name in names()),
]


def test_the_tiebreaks_of_a_tournament_are_the_order_in_force(house, tmp_path):
    organiser = Caller(house.test_client(), tokens.issue(tmp_path, "organiser", "li.wei"))
    for n, (name, format, conditions) in enumerate(ORDERS):
        game = next(iter(load(name).game.rules))
        sent = {"id": f"T{n}", "name": "Cup", "game": game, "format": format, "rounds": 3, "regulations": name}
        sent |= {"conditions": conditions} if conditions else {}
        if format == "groups":
            sent["conditions"] = {"groups": 2, "qualifiers": 2}
        answer = organiser("POST", "/v1/tournaments", sent)
        assert answer.status_code == 201, (name, format, answer.text)
        table = "standings/teams" if conditions.get("team", {}).get("kind") == "fixed" else "standings"
        shown = organiser("GET", f"/v1/tournaments/T{n}").json["tiebreaks"]
        assert shown == organiser("GET", f"/v1/tournaments/T{n}/{table}").json["tiebreaks"], (name, format)
    own = {"id": "own", "name": "Cup", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "fide-2026"}
    organiser("POST", "/v1/tournaments", own | {"tiebreaks": ["SB", "WIN"]})
    assert organiser("GET", "/v1/tournaments/own").json["tiebreaks"] == ["SB", "WIN"]


WIN = 123.5
"""Points of a win that nothing else counts: as half-points they are 247."""


def numbers(told: Any) -> Iterator[float]:
    """Every number of an answer, outside the lines of the log that it holds."""
    if isinstance(told, dict):
        for name, value in told.items():
            if name not in ("event", "events"):
                yield from numbers(value)
    elif isinstance(told, list):
        for value in told:
            yield from numbers(value)
    elif isinstance(told, int | float) and not isinstance(told, bool):
        yield told


def test_points_are_points_in_every_answer(house, tmp_path):
    # given a game won, a ruling on points and one that gives the marks of a game, where a win is worth 123.5 points
    chief = Caller(house.test_client(), tokens.issue(tmp_path, "chief_arbiter", "zhou.min"))
    organiser = Caller(house.test_client(), tokens.issue(tmp_path, "organiser", "li.wei"))
    cup = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
    assert (
        chief(
            "POST",
            "/v1/tournaments",
            cup | {"points": {"win": WIN, "draw": 60}, "officials": [{"name": "li.wei", "role": "organiser"}]},
        ).status_code
        == 201
    )
    chief("POST", "/v1/tournaments/T/entries", {"players": [{"name": f"选手{n}"} for n in range(1, 5)]})
    hand = {"boards": [[1, 2], [3, 4]], "reason": "by hand"}
    tag = chief("GET", "/v1/tournaments/T").headers["ETag"]
    told = [chief("POST", "/v1/tournaments/T/rounds", hand, headers={"If-Match": tag})]
    told.append(chief("POST", "/v1/tournaments/T/results", {"round": 1, "results": [{"board": 1, "result": "1-0"}]}))
    grave = {"player": 3, "round": 1, "infraction": "grave_misconduct"}
    marks = {"kind": "set_marks", "white": {"points": 0}, "black": {"points": WIN}}
    told.append(chief("POST", "/v1/tournaments/T/rulings", grave | {"effect": marks}))
    fine = {"kind": "adjust_points", "points": WIN}
    told.append(organiser("POST", "/v1/tournaments/T/rulings", grave | {"player": 2, "effect": fine}))

    # when everything is read that can be
    union = chief("GET", "/v1/openapi.json").json
    filled = {"t": "T", "g": "T.1.1", "p": "2", "n": "1", "r": "r1", "name": "campus", "seq": "5"}
    paths = [p for p, operations in union["paths"].items() if "get" in operations and p != "/v1/openapi.json"]
    for path in paths:
        told.append(chief("GET", re.sub(r"\{(\w+)\}", lambda one: filled.get(one[1], "1"), path)))
    read = [answer for answer in told if answer.status_code < 300 and answer.is_json]

    # then no answer holds the half-points of it, and many hold its points
    assert [answer.request.path for answer in read if 2 * WIN in numbers(answer.json)] == []
    held = {answer.request.path for answer in read if WIN in numbers(answer.json)}
    assert {
        f"/v1/{path}"
        for path in ("games/T.1.1", "tournaments/T/standings", "tournaments/T/standings/2", "tournaments/T/rulings/r1")
    } <= held
    assert {"/v1/tournaments/T/crosstable", "/v1/tournaments/T/rulings", "/v1/tournaments/T/results"} <= held
    assert len(read) > len(paths) / 2
