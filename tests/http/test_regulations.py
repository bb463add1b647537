"""The shipped sets of regulations as resources: what an announcement may name, and what it takes with the name."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from deploy.server.known_tiebreaks import TIEBREAK_CODES
from services.pairing.app import blueprint
from services.pairing.rules import RULES
from shared import regulations
from shared.core.terms import PAIRING
from shared.http.app import Settings, create_app
from shared.http.identity import tokens
from shared.regulations.set_descriptions import SET_DESCRIPTIONS
from shared.wire.regulations import regulations_to_wire
from tests.http.calls import Call, audited_desk, calls_on

CUP = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "round_robin"}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    tokens.ensure_keys(tmp_path)
    with audited_desk(tmp_path, {PAIRING: RULES}, "T") as desk:
        yield create_app(
            [blueprint(desk, TIEBREAK_CODES, partial(tokens.issue, tmp_path))],
            desk,
            Settings(tmp_path / "token-keys"),
            "pairing",
        )


@pytest.fixture
def call(app: Flask, tmp_path: Path) -> Call:
    return calls_on(app, tmp_path, "chief_arbiter")


def get(app: Flask, path: str, **headers: str) -> TestResponse:
    """As somebody without a token asks."""
    return app.test_client().get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})


def values(app: Flask, name: str) -> dict[str, dict[str, Any]]:
    return {row["path"]: row for row in get(app, f"/v1/regulations/{name}").json["values"]}


def leaves(table: dict[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value of the adopted form by its dotted path: what is no table and no array of tables."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}{key}.")
        elif not (isinstance(value, list) and value and isinstance(value[0], dict)):
            yield f"{path}{key}", value


def test_the_list_leads_to_every_set(app):
    rows = get(app, "/v1/regulations").json["regulations"]
    assert [row["name"] for row in rows] == list(regulations.names())
    for row in rows:
        shown = get(app, row["see"]).json
        assert {name: shown[name] for name in ("name", "edition", "digest", "games")} == {
            name: value for name, value in row.items() if name not in ("see", "title", "description")
        }


def test_list_of_rulesets_has_titles_and_descriptions_in_each_language(app):
    assert SET_DESCRIPTIONS.keys() == set(regulations.names())
    english = get(app, "/v1/regulations")
    chinese = get(app, "/v1/regulations", Accept_Language="zh-CN")
    assert english.headers["ETag"] != chinese.headers["ETag"]
    rows = {row["name"]: row for row in english.json["regulations"]}
    assert rows["xiangqi-1999"]["title"] == "Xiangqi Competition Rules 1999"
    assert "third foul" in rows["xiangqi-1999"]["description"]
    for row in chinese.json["regulations"]:
        for member in ("title", "description"):
            assert re.search("[\u4e00-\u9fff]", row[member]), row
            assert row[member] != rows[row["name"]][member]


@pytest.mark.parametrize("name", regulations.names())
def test_what_is_announced_adopts_the_set_that_was_shown(app, call, name):
    shown = get(app, f"/v1/regulations/{name}").json
    cup = CUP | {"game": shown["games"][0], "regulations": name}
    written = call("POST", "/v1/tournaments", cup).json["events"][1]["data"]["regulations"]
    assert shown["digest"] == written["digest"]
    assert [row["name"] for row in shown["infractions"]] == [row["name"] for row in written["rulebook"]["infractions"]]
    assert [row["rule"] for row in shown["ladder"]] == [row["rule"] for row in written["rulebook"]["ladder"]]


@pytest.mark.parametrize("name", regulations.names())
def test_every_value_of_a_set_is_shown_with_its_article(app, name):
    """Compared with what is adopted, member by member, so that a field that is added is shown too."""
    form = msgspec.json.decode(msgspec.json.encode(regulations_to_wire(regulations.load(name))))
    form["game"] |= form["game"].pop("rules")
    about = {"name", "edition", "decisions", "digest", "rulebook.name", "game.flag_article"}
    outside = ("articles.", "changes.", "game.flag_articles.", "game.time_articles.")
    held = {
        path: value
        for path, value in leaves(form)
        if value not in (None, []) or path == "ranking.tiebreaks"
        if path not in about and not path.startswith(outside) and not path.endswith(".article")
    }
    shown = values(app, name)
    assert {path for path in shown if path in held} == set(held)
    assert {path: row["value"] for path, row in shown.items() if path in held and row["unit"] != "points"} == {
        path: value for path, value in held.items() if shown[path]["unit"] != "points"
    }
    assert [path for path, row in shown.items() if not row["article"]] == []


@pytest.mark.parametrize(
    ("name", "path", "value", "unit", "article"),
    [
        ("campus", "rulebook.lateness.limit", 900, "seconds", "000-A 8"),
        ("campus", "game.xiangqi.natural_limit_rounds", 40, "rounds", "000-A 2, 和 4"),
        ("xiangqi-1999", "game.xiangqi.natural_limit_rounds", 60, "rounds", "002-X 4.2.4"),
        ("xiangqi-1999", "points.draw", 0.5, "points", "002-X 14.1"),
        ("campus", "game.chess.quiet_moves", 50, "moves", "000-A 国际象棋, 对局结束 12"),
        ("go-campus", "game.go.colours_until", 10, "plies", "000-A 围棋, 行棋 1"),
        ("gomoku-campus", "rulebook.breaks.limit", 300, "seconds", "000-B 注意 12"),
        ("go-campus", "game.go.positional_superko", False, None, "house: no text has one"),
    ],
)
def test_a_value_has_its_unit_and_article(app, name, path, value, unit, article):
    row = values(app, name)[path]
    assert (row["value"], row["unit"]) == (value, unit)
    assert row["article"].startswith(article)


def test_a_value_that_an_organiser_may_set_has_its_bounds_and_both_readings_with_their_sources(app):
    campus, old = values(app, "campus"), values(app, "xiangqi-1999")
    limit = "game.xiangqi.natural_limit_rounds"
    bounds = {"least": 1, "most": 60, "article": "002-X 4.2.4: 60回合, 也可根据比赛等级酌减"}
    assert campus[limit]["bounds"] == old[limit]["bounds"] == bounds
    assert campus[limit]["readings"] == [
        {"value": 60, "source": "002-X 4.2.4", "taken": False},
        {"value": 40, "source": "000-A 2, 和 4", "taken": True},
    ]
    assert [one["taken"] for one in old[limit]["readings"]] == [True, False]
    assert campus["game.go.size"]["bounds"]["choices"] == [9, 13, 19]
    assert campus["game.chess.touch_ends_claim"]["bounds"]["choices"] == [False, True]


def test_a_value_that_no_organiser_sets_has_no_bounds(app):
    row = values(app, "campus")["pairing.engine"]
    assert (row["bounds"], row["readings"]) == (None, [])


def test_points_are_points_and_never_half_points(app):
    for name in regulations.names():
        points = regulations.load(name).points
        assert values(app, name)["points.win"]["value"] == points.win / 2


def test_the_rows_beside_the_values_are_shown_by_their_path(app):
    rows = get(app, "/v1/regulations/campus").json["rows"]
    assert {"rulebook.authority", "rulebook.findings", "game.schemes", "leaving.formats", "ranking.orders"} <= set(rows)
    assert {"act": "annul", "roles": ["appeals"], "article": "002-X 8.5"} in rows["rulebook.authority"]


def test_a_set_that_there_is_not_is_answered_with_those_that_there_are(app):
    answer = get(app, "/v1/regulations/fide-1924")
    assert (answer.status_code, answer.json["type"]) == (404, "urn:arbiter:problem:unknown-regulations")
    assert all(name in answer.json["detail"] for name in regulations.names())
    assert answer.json["see"] == "/v1/regulations"


@pytest.mark.parametrize("path", ["/v1/regulations", "/v1/regulations/campus"])
def test_what_has_not_changed_is_not_sent_again(app, path):
    first = get(app, path)
    again = get(app, path, If_None_Match=first.headers["ETag"])
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert get(app, path, If_None_Match='"other"').status_code == 200
    assert get(app, "/v1/regulations/renju").headers["ETag"] != first.headers["ETag"]
