"""The table of teams over HTTP: JSON, CSV and pages."""

import csv
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from flask import Flask

from shared.http.app import close
from tests.teams import T, played


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[Flask]:
    app = played(tmp_path)
    yield app
    close(app)


def test_the_table_is_ranked_as_asked(cup: Flask):
    told = cup.test_client().get(f"{T}/standings/teams?tiebreaks=BH:GP,EMGSB,MPvGP,BC").get_json()
    assert told["tiebreaks"] == ["BARRED", "WARNED", "BH:GP", "EMGSB", "MPvGP", "BC", "PO"]  # 002-X 18.4, 15.6
    assert [(r["id"], r["rank"], r["points"], r["game_points"]) for r in told["teams"]] == [
        (1, 1, 2, 1.5),
        (2, 2, 0, 0.5),
    ]
    assert [r["tb"]["MPvGP"] for r in told["teams"]] == [1.5, 0.5]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("?tiebreaks=XX", 422, "unknown-tiebreak"),
        ("?tiebreaks=PLACE1", 422, "unknown-tiebreak"),
        ("?tiebreaks=BH,BH", 422, "unknown-tiebreak"),
        ("?rules=1999", 422, "bad-fields"),
        ("/9", 404, "unknown-team"),
    ],
)
def test_what_cannot_be_shown_is_refused(cup: Flask, query: str, status: int, code: str):
    answer = cup.test_client().get(f"{T}/standings/teams{query}")
    assert (answer.status_code, answer.get_json()["type"].rpartition(":")[2]) == (status, code)


def test_the_table_as_csv_is_no_formula(cup: Flask):
    answer = cup.test_client().get(f"{T}/standings/teams", headers={"Accept": "text/csv"})
    assert answer.mimetype == "text/csv"
    head, first, second = csv.reader(StringIO(answer.text))
    assert head[:7] == ["rank", "id", "name", "points", "game_points", "BARRED", "WARNED"]
    assert head[7:] == ["BH", "GPTS", "WIN", "FOULS", "PO", "regulations"]
    assert first == ["1", "1", "'=红队", "2", "1.5", "0", "0", "0", "1.5", "1", "0", "", "xiangqi-1999"]
    assert second[2] == "黑队"


def test_the_pages_show_the_teams_and_why_they_stand_where_they_do(cup: Flask):
    client = cup.test_client()
    assert 'href="/t/cup/teams"' in client.get("/t/cup").text
    page = client.get("/t/cup/teams")
    assert page.status_code == 200
    assert "=红队" in page.text and "Team standings" in page.text
    assert "团体名次" in client.get("/t/cup/teams", headers={"Accept-Language": "zh"}).text
    assert "2: 1.5" in page.text and "1: 0.5" in page.text, "the cross table"
    team = client.get("/t/cup/teams/1").text
    assert 'href="/games/cup.1.1">board 1</a>' in team
    for said in ("选手 11", "选手 21", "against", "Matches won 全队胜场", "2 match points", "1.5 game points"):
        assert said in team
    assert client.get("/t/cup/teams/9").status_code == 404


def test_direct_encounter_of_teams_is_shown_as_points_with_opponents_wherever_a_table_is(tmp_path: Path):
    app = played(tmp_path, tiebreaks=("DE", "EDE"), drawn=True)
    try:
        client = app.test_client()
        teams = client.get(f"{T}/standings/teams").get_json()["teams"]
        met = {"points": 1, "opponents": [2], "place": 1}
        assert teams[0]["encounters"] == {"DE": met, "EDE": {**met, "game_points": 1}}
        told = client.get(f"{T}/standings/teams/1").get_json()["tiebreaks"]
        assert [t["encounter"] for t in told if "encounter" in t] == list(teams[0]["encounters"].values())

        change = f"log/{client.get(T).get_json()['seq']}"
        for page in ("teams", "teams/1", "papers/standings", "papers/report", change):
            against = _encounters(client.get(f"/t/cup/{page}").text)
            assert against[:2] == ["1 against 黑队", "1 1 game points against 黑队"], page
        head, first, _ = csv.reader(StringIO(client.get("/t/cup/teams.csv").text.removeprefix("\ufeff")))
        assert [first[head.index(c)] for c in ("DE", "DE against", "EDE game points")] == ["1", "2", "1"]
    finally:
        close(app)


def _encounters(html: str) -> list[str]:
    """What a page shows of direct encounter, in its order."""
    cells = re.findall(r'([\d.]+)(?: <small>([^<]*)</small>)? <small class="against">(.*?)</small>', html)
    return [" ".join(re.sub(r"<[^>]+>", "", " ".join(cell)).split()) for cell in cells]


def test_a_members_place_is_shown_with_the_member(tmp_path: Path):
    app = played(tmp_path, kind="members", tiebreaks=("WIN",))
    try:
        client = app.test_client()
        assert client.get(f"{T}/standings/teams?tiebreaks=BH").status_code == 422
        assert "名次总和" in client.get("/t/cup/teams/1").text
        assert "Places" in client.get("/t/cup/teams").text
    finally:
        close(app)


def test_a_line_of_a_team_is_found_by_its_members(cup: Flask):
    told = cup.test_client().get(f"{T}/events?type=arbiter.team.entered.v1&player=21").get_json()
    assert [e["event"]["data"]["team"] for e in told["events"]] == [2]


@pytest.mark.parametrize(
    ("kind", "tiebreaks", "status"),
    [("fixed", ["BH:GP", "EDE"], 201), ("members", ["BH:GP"], 422), ("fixed", ["ARO"], 201), ("members", ["ARO"], 201)],
)
def test_an_announcement_names_tiebreaks_of_its_kind(
    cup: Flask, tmp_path: Path, kind: str, tiebreaks: list[str], status: int
):
    from shared.http.identity import tokens

    head = {"Authorization": f"Bearer {tokens.issue(tmp_path, 'chief_arbiter', 'chief')}"}
    body = {"name": "C", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "fide-2026"}
    body |= {"conditions": {"team": {"kind": kind, "boards": 2}}, "tiebreaks": tiebreaks}
    assert cup.test_client().post("/v1/tournaments", json=body, headers=head).status_code == status


def test_the_file_of_a_round_names_the_teams_of_each_board(cup: Flask):
    text = cup.test_client().get(f"{T}/rounds/1.pgn").text
    told = re.findall(
        r'\[Red "选手 (.).+\n\[Black "选手 (.).+\n\[Result .+\n\[RedTeam "(.+)"\]\n\[BlackTeam "(.+)"\]', text
    )
    names = {"1": "=红队", "2": "黑队"}
    assert len(told) == 2
    assert all((names[red], names[black]) == (first, second) for red, black, first, second in told)
