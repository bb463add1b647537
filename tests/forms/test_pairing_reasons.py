"""Why a proposed pairing puts two together, told with its article for each format before it is published."""

from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.forms.conftest import Comes
from tests.http.calls import Call
from tests.http.forms import entered

TEAMS = {"conditions": {"team": {"kind": "lineup", "boards": 2}}}


def proposed(comes: Comes, n: int = 1) -> str:
    page: str = comes("chief_arbiter").sees(f"/t/<t>/rounds/{n}/pairing").text
    return page.partition('id="proposed"')[2].partition("</table>")[0]


def publish(call: Call) -> None:
    seen = call("GET", "/v1/tournaments/<t>").headers["ETag"]
    paired = call("POST", "/v1/tournaments/<t>/rounds", {}, If_Match=seen)
    assert paired.status_code == 201, paired.json
    boards = [{"board": b["board"], "result": "1-0"} for b in paired.json["boards"]]
    told = call("POST", "/v1/tournaments/<t>/results", {"round": paired.json["round"], "results": boards})
    assert told.status_code == 201, told.json


@pytest.mark.parametrize(
    ("more", "first", "then"),
    [
        ({"regulations": "fide-2026", "game": "chess"}, "the upper half meets the lower half", "same points"),
        ({}, "first round by lot", "same points"),
        (
            {"format": "round_robin", "rounds": None},
            "numbers 1 and 4 meet in round 1 of the table",
            "in round 2 of the table",
        ),
        ({"format": "knockout", "rounds": None}, "of the bracket: seeds", "of the bracket: seeds"),
        (
            {"format": "groups", "rounds": None, "conditions": {"groups": 2, "qualifiers": 1}},
            "group 2: numbers 1 and 2 meet in round 1 of its table",
            "",
        ),
    ],
    ids=["dutch", "campus", "round robin", "knock-out", "groups"],
)
def test_each_board_says_why_with_its_article(
    app: Flask, data: Path, comes: Comes, t: str, more: dict[str, Any], first: str, then: str
):
    call = entered(app, data, t, 4, **more)
    assert first in proposed(comes) and "<small>" in proposed(comes)
    if then:
        publish(call)
        assert then in proposed(comes, 2)


def test_teams_are_told_why_too_and_who_met_whom_is_printed(app: Flask, data: Path, comes: Comes, t: str):
    call = entered(app, data, t, 8, **TEAMS)
    teams = [{"id": n, "name": f"Team {n}", "members": [2 * n - 1, 2 * n]} for n in (1, 2, 3, 4)]
    assert call("POST", "/v1/tournaments/<t>/teams", {"teams": teams}).status_code == 201
    assert proposed(comes).count("first round by lot") == 1, "said once for all boards"
    publish(call)
    assert "points" in proposed(comes, 2)
    paper = comes(None).sees("/t/<t>/papers/crosstable").text
    assert "Cross table of teams" in paper and "Team 4" in paper and "Player 8" in paper
