"""Members with a new name: both names are understood and answered, and bodies in which they differ are refused."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deploy.build.openapi_build import FOLDER, UNION
from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens
from tests.http.conftest import Caller

BODY = {"name": "Cup", "format": "swiss", "regulations": "campus"}
NEW, FORMER = {"discipline": "xiangqi", "rounds_planned": 3}, {"game": "xiangqi", "rounds": 3}
SCHEMAS = json.loads((FOLDER / f"{UNION}.json").read_text(encoding="utf-8"))["components"]["schemas"]
DEPRECATED = [
    (name, member, told)
    for name, schema in SCHEMAS.items()
    for member, told in schema.get("properties", {}).items()
    if told.get("deprecated")
]
COUNTED = {("Stage", "rounds"), ("NaturalLimitAnswer", "rounds")}
"""Rounds that are not a list, and that mean one thing in their object: those of a stage, and pairs of moves 回合."""


@pytest.fixture
def organiser(tmp_path: Path) -> Iterator[Caller]:
    app = embedded.make_app(tmp_path)
    yield Caller(app.test_client(), tokens.issue(tmp_path, "organiser", "li.wei"))
    close(app)


def announced(caller: Caller, t: str, names: dict[str, Any]) -> dict[str, Any]:
    answer = caller("POST", "/v1/tournaments", BODY | names | {"id": t})
    assert answer.status_code == 201, answer.text
    told: dict[str, Any] = caller("GET", f"/v1/tournaments/{t}").get_json()
    return told


@pytest.mark.parametrize("names", [NEW, FORMER, NEW | FORMER], ids=["new", "former", "both"])
def test_tournament_is_created_by_either_name(organiser, names):
    told = announced(organiser, "T", names)
    assert (told["discipline"], told["game"]) == ("xiangqi", "xiangqi")
    assert (told["rounds_planned"], told["rounds"]) == (3, 3)


def test_events_are_the_same_by_either_name(organiser):
    events = []
    for t, names in (("N", NEW), ("F", FORMER)):
        announced(organiser, t, names)
        events.append(
            [one["event"]["data"] for one in organiser("GET", f"/v1/tournaments/{t}/events").get_json()["events"]]
        )
    new, former = (json.dumps(one).replace("tournaments/N", "tournaments/F").replace("/N", "/F") for one in events)
    assert new == former


@pytest.mark.parametrize(
    ("names", "wrong"),
    [
        (NEW | FORMER | {"game": "go"}, "discipline"),
        (NEW | {"rounds": 4}, "rounds_planned"),
        ({"rounds_planned": 3}, "discipline game"),
        (NEW | {"rounds_planned": 0}, "rounds_planned"),
        (NEW | {"discipline": "Xiang Qi"}, "discipline"),
    ],
    ids=["games-differ", "rounds-differ", "no-game", "bad-rounds", "bad-game"],
)
def test_wrong_names_are_refused_by_name(organiser, names, wrong):
    answer = organiser("POST", "/v1/tournaments", BODY | names | {"id": "T"})
    assert answer.status_code == 422 and [*answer.get_json()["errors"]] == wrong.split()
    assert organiser("GET", "/v1/tournaments/T").status_code == 404


def test_roles_of_a_person_are_a_list(organiser):
    told = announced(organiser, "T", NEW | {"officials": [{"name": "li.wei", "role": "chief_arbiter"}]})
    assert told["roles"] == {"li.wei": ["organiser", "chief_arbiter"]}
    assert told["officials"] == {"li.wei": "organiser"}


def test_tables_count_their_rounds(organiser):
    announced(organiser, "T", NEW)
    for table in ("standings", "crosstable"):
        told = organiser("GET", f"/v1/tournaments/T/{table}").get_json()
        assert told["rounds_counted"] == told["rounds"] == 0


@pytest.mark.parametrize(
    ("name", "member", "told"), DEPRECATED, ids=[f"{name}.{member}" for name, member, _ in DEPRECATED]
)
def test_deprecated_member_names_its_successor(name, member, told):
    assert told["description"].startswith("Deprecated: use `")
    new = told["description"].split("`")[1]
    assert "deprecated" not in SCHEMAS[name]["properties"][new]
    assert member not in SCHEMAS[name].get("required", ()) or name.endswith("Answer")


def own(member: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the objects of the API that have a member which is not deprecated, without the data of events."""
    return [
        (name, schema["properties"][member])
        for name, schema in SCHEMAS.items()
        if not name.startswith("Log") and member in schema.get("properties", {})
        if not schema["properties"][member].get("deprecated") and "unevaluatedProperties" not in schema
    ]


def test_one_word_means_one_thing():
    assert len(DEPRECATED) >= 10 and len(own("game")) > 15
    assert [name for name, told in own("game") if not told["description"].startswith("ID of the game")] == []
    assert {(name, "rounds") for name, told in own("rounds") if told["type"] != "array"} == COUNTED
