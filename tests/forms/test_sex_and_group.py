"""The columns Sex and Group: in tables, papers and files of an event that uses them, for readers who may see them."""

import re
from pathlib import Path

import pytest
from flask import Flask

from tests.forms.conftest import Comes
from tests.forms.test_round_counts import play, words
from tests.http.calls import Call
from tests.http.forms import entered

TABLES = ("/t/<t>/papers/standings", "/t/<t>/papers/check-in", "/t/<t>/standings.csv", "/t/<t>/papers/book")


@pytest.fixture
def groups(app: Flask, data: Path, t: str) -> Call:
    call = entered(app, data, t, 6, format="groups", rounds=None, conditions={"groups": 2, "qualifiers": 1})
    play(call, t, "1-0")
    return call


def heads(comes: Comes, role: str | None = "chief_arbiter") -> dict[str, set[str]]:
    """Return which of the heads Sex and Group each table has."""
    return {path: set(re.findall(r"\b(Sex|Group)\b(?! \d)", words(comes, path, role=role))) for path in TABLES}


def test_group_is_shown_in_an_event_of_groups_and_sex_where_both_play(groups: Call, comes: Comes):
    assert heads(comes) == {path: {"Group"} for path in TABLES}
    for n, sex in ((1, "m"), (2, "f")):
        sent = {"sex": sex, "reason": "x"}
        assert groups("POST", f"/v1/tournaments/<t>/entries/{n}/correction", sent).status_code == 201
    assert heads(comes) == {path: {"Group", "Sex"} for path in TABLES}
    assert "woman" in words(comes, "/t/<t>/standings") and "Group 2" in words(comes, "/t/<t>/standings")
    assert groups("POST", "/v1/tournaments/<t>/visibility", {"public": ["name"]}).status_code == 201
    assert heads(comes, role=None) == {path: {"Group"} for path in TABLES}


def test_bye_shows_its_points_beside_the_name(app: Flask, data: Path, t: str, comes: Comes):
    call = entered(app, data, t, 3, rounds=2)
    play(call, t, "1-0")
    for path in ("/t/<t>/rounds/1", "/t/<t>/rounds/1/papers/boards"):
        assert re.search(r"Player \d (\(0\)|0) 1 the pairing-allocated bye", words(comes, path, role=None)), path


def test_qualified_side_without_a_match_has_no_bye(app: Flask, data: Path, t: str, comes: Comes):
    call = entered(app, data, t, 3, format="knockout", rounds=None, conditions={"games": 2})
    play(call, t, "1-0")
    play(call, t, "1/2-1/2")
    page = words(comes, "/t/<t>/rounds/2", role=None)
    assert "zero-point" not in page
