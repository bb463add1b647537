"""A tournament that is unlisted while it is prepared: nothing of it exists for readers without a token."""

import json
import re
from typing import Any

import pytest
from flask import Flask

from shared.desk.replay import replay
from tests.http.calls import Call, calls_on
from tests.http.forms import Person

_OWN = {"t", "g"}


@pytest.fixture
def prepared(app: Flask, data: Any, t: str) -> Call:
    """Return a caller of an unlisted tournament of four players with a FIDE ID, its first round paired."""
    call = calls_on(app, data, "chief_arbiter")
    cup = {"id": t, "name": "Secret Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
    assert call("POST", "/v1/tournaments", cup | {"unlisted": True}).status_code == 201
    players = [{"name": f"Player {n}", "fide_id": f"86036{n}", "public_history": True} for n in range(4)]
    assert call("POST", f"/v1/tournaments/{t}/entries", {"players": players}).status_code == 201
    return call


def addresses(app: Flask, t: str) -> dict[str, str]:
    """Return every address that can be read of the tournament, by route."""
    found = {}
    for rule in app.url_map.iter_rules():
        if rule.arguments & _OWN and "GET" in (rule.methods or ()):
            path = rule.rule
            for name, value in (dict.fromkeys(rule.arguments, "1") | {"t": t, "g": f"{t}.1.1"}).items():
                path = re.sub(rf"<(?:[^:>]*:)?{name}>", value, path)
            found[rule.rule] = path
    return found


def test_every_address_of_an_unlisted_tournament_is_404_without_a_token(app: Flask, prepared: Call, t: str):
    reader, seen = app.test_client(), addresses(app, t)
    assert len(seen) > 60 and any("/archive" in rule for rule in seen) and any("/games/" in rule for rule in seen)
    answers = {rule: reader.get(path, headers={"Accept": "*/*"}) for rule, path in seen.items()}
    assert {rule: one.status_code for rule, one in answers.items() if one.status_code != 404} == {}
    assert not [rule for rule, one in answers.items() if b"Secret" in one.data or b"Player" in one.data]
    unknown = reader.get(seen["/v1/tournaments/<t>"].replace(t, "nowhere")).json
    assert reader.get(f"/v1/tournaments/{t}").json == {
        name: value.replace("nowhere", t) if isinstance(value, str) else value for name, value in unknown.items()
    }


def test_lists_and_people_do_not_contain_an_unlisted_tournament_until_it_is_listed(app: Flask, prepared: Call, t: str):
    reader = app.test_client()
    lists = (
        "/",
        f"/tournaments/new?copy={t}",
        "/v1/tournaments?limit=200",
        f"/v1/tournaments?q={t}",
        "/v1/calendar.ics",
    )
    assert [path for path in lists if "Secret" in reader.get(path).text] == []
    assert prepared("GET", f"/v1/tournaments/{t}").status_code == 200, "with a token"
    refused = prepared("POST", f"/v1/tournaments/{t}/listing", {"listed": False})
    assert (refused.status_code, refused.json["type"].rpartition(":")[2]) == (409, "never-unlisted")
    assert prepared("POST", f"/v1/tournaments/{t}/listing", {"listed": True}).status_code == 201
    assert reader.get(f"/v1/tournaments/{t}").json["name"] == "Secret Cup"
    assert "Secret Cup" in reader.get(f"/v1/tournaments?q={t}").text
    again = prepared("POST", f"/v1/tournaments/{t}/listing", {"listed": True})
    assert (again.status_code, again.json["type"].rpartition(":")[2]) == (409, "already-listed")
    assert prepared("GET", f"/v1/tournaments/{t}/audit").json["verdict"] == "agrees"


def test_officials_see_that_it_is_unlisted_and_list_it_by_a_button(app: Flask, data: Any, prepared: Call, t: str):
    person = Person(app, data, "chief_arbiter", "chief_arbiter", t)
    assert "Unlisted: only logged-in readers" in person.sees("/t/<t>").text
    assert "Unlisted, in preparation" in (front := person.sees("/").text) and f'href="/t/{t}"' in front
    assert person.fills("/t/<t>/listing", listed="yes").status_code == 303
    assert (
        "Unlisted" not in app.test_client().get(f"/t/{t}").text
        and "Secret Cup" in app.test_client().get(f"/t/{t}").text
    )


def test_a_reader_of_only_the_first_lines_of_its_creation_keeps_it_unlisted(prepared: Call, t: str):
    lines = prepared("GET", f"/v1/tournaments/{t}/events", Accept="application/x-ndjson").data.splitlines()
    causes = [json.loads(line)["causationid"] for line in lines]
    created = causes.count(causes[0])
    assert created > 2
    assert [n for n in range(1, created + 1) if not replay(lines[:n], t).unlisted] == []
