"""A game that was not played is + : − on every page that shows its result, and nowhere as if it had been played."""

import re
from html import unescape
from pathlib import Path

import pytest
from flask import Flask

from tests import hostile
from tests.forms.conftest import Comes
from tests.http.forms import entered, hall

RESULTS = ("+/-", "-/+", "-/-")
SIGNS = {"+ : −", "− : +", "− : −"}
PLAYED = re.compile(r"[012½] – [012½]")
TEAMS = [{"name": "North", "members": [1, 2]}, {"name": "South", "members": [3, 4]}]
WITH_RESULTS = {
    "/games/<g>": {"+ : −"},
    "/t/<t>": SIGNS,
    "/t/<t>/log": SIGNS,
    "/t/<t>/papers/<paper>": SIGNS,
    "/t/<t>/players/<int:p>": {"+ : −"},
    "/t/<t>/rounds/<int:n>": SIGNS,
    "/t/<t>/rounds/<int:n>/boards/<int:b>/correction": {"+ : −"},
    "/t/<t>/screen": SIGNS,
}
"""Pages that show the result of a game that stands, with the signs that they are to have."""


@pytest.mark.parametrize("tongue", ["en", "zh-CN"])
def test_a_forfeit_is_told_by_its_signs(app: Flask, data: Path, t: str, comes: Comes, tongue: str):
    call, chief = hall(app, data, t), comes("chief_arbiter")
    chief.client.set_cookie("arbiter_language", tongue)
    results = [{"board": n, "result": result} for n, result in enumerate(RESULTS, 1)]
    assert call("POST", "/v1/tournaments/<t>/results", {"round": 1, "results": results}).status_code == 201
    known, lacking, wrong, shown = hostile.Known(t, "a1", "/"), {}, {}, set()
    for place in hostile.places(app, known):
        answer = chief.sees(place.address)
        if answer.status_code != 200 or answer.mimetype != "text/html":
            continue
        shown.add(place.rule)
        text = unescape(re.sub(r"<(?:button|label|option)\b.*?</(?:button|label|option)>|<[^>]+>", " ", answer.text))
        if missing := WITH_RESULTS.get(place.rule, set()) - {sign for sign in SIGNS if sign in text}:
            lacking[place.rule] = missing
        if place.rule in WITH_RESULTS and (told := PLAYED.findall(text)):
            wrong[place.rule] = told
    assert (lacking, wrong) == ({}, {}) and shown >= WITH_RESULTS.keys()


def test_a_match_of_teams_that_was_not_played_is_told_by_its_signs(app: Flask, data: Path, t: str, comes: Comes):
    call = entered(app, data, t, 4, conditions={"team": {"kind": "fixed", "boards": 2}}, regulations="xiangqi-1999")
    assert call("POST", "/v1/tournaments/<t>/teams", {"teams": TEAMS}).status_code == 201
    seen = call("GET", "/v1/tournaments/<t>").headers["ETag"]
    assert call("POST", "/v1/tournaments/<t>/rounds", {}, If_Match=seen).status_code == 201
    games = call("GET", "/v1/tournaments/<t>/rounds/1").json["boards"]
    first = next(team for team in (1, 2) if games[0]["white"] in TEAMS[team - 1]["members"])
    results = [
        {"board": b["board"], "result": "+/-" if b["white"] in TEAMS[first - 1]["members"] else "-/+"} for b in games
    ]
    assert call("POST", "/v1/tournaments/<t>/results", {"round": 1, "results": results}).status_code == 201
    for team, sign in ((first, "+"), (3 - first, "−")):
        page = unescape(comes(None).sees(f"/t/<t>/teams/{team}").text)
        assert f"<td>{sign}</td>" in page and "+ : −" in page and "forfeit" not in page
