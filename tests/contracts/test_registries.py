"""The conformance of every row of the closed sets: whatever is declared once does all that the house does with its kind."""

from collections.abc import Callable, Iterator
from html import escape
from random import Random
from typing import Any

import pytest

from deploy.server import embedded
from services.standings.descriptions.registry import DESCRIPTIONS
from services.standings.rules.explanation import explanation
from services.standings.rules.table.table import Table, standings, updated
from services.standings.rules.teams.member_places import PLACE_TIEBREAKS
from services.standings.rules.teams.tiebreaks import TEAM_TIEBREAKS
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from shared.core.event_types.registry import OFFICIAL
from shared.http.app import close
from tests.http.calls import calls_on
from tests.rules.standings_field import Hall, step
from tests.teams import played

T = "/v1/tournaments/cup"

# ---------------------------------------------------------------- tie-breaks

Get = Callable[[str], Any]


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Get]:
    """A round of four rated players, announced to be ranked by every tie-break that there is."""
    data = tmp_path_factory.mktemp("players")
    app = embedded.make_app(data)
    chief = calls_on(app, data, "chief_arbiter")
    cup = {"id": "cup", "name": "Cup", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "fide-2026"}
    assert chief("POST", "/v1/tournaments", cup | {"tiebreaks": list(TIEBREAKS.codes)}).status_code == 201
    entries = {"players": [{"id": n, "name": f"Player {n}", "rating": 2000 - n} for n in range(1, 5)]}
    tag = chief("POST", f"{T}/entries", entries).headers["ETag"]
    assert chief("POST", f"{T}/rounds", {"initial_colour": "white"}, If_Match=tag).status_code == 201
    results = {"round": 1, "results": [{"board": 1, "result": "1-0"}, {"board": 2, "result": "1/2-1/2"}]}
    reported = chief("POST", f"{T}/results", results)
    assert reported.status_code == 201, reported.text
    yield lambda path: app.test_client().get(path)
    close(app)


@pytest.fixture(scope="module", params=["fixed", "members"])
def teams(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Get, Any]]:
    """Teams that meet, announced to be ranked by every tie-break of theirs; and teams of the sum of places."""
    codes = TEAM_TIEBREAKS if request.param == "fixed" else PLACE_TIEBREAKS
    announced = TEAM_TIEBREAKS.codes if request.param == "fixed" else ()
    app = played(tmp_path_factory.mktemp("teams"), kind=request.param, tiebreaks=announced)
    yield (lambda path: app.test_client().get(path)), codes
    close(app)


@pytest.mark.parametrize("code", TIEBREAKS.codes)
def test_a_tie_break_of_players_is_announced_shown_titled_and_explained(players: Get, code: str):
    table = players(f"{T}/standings").get_json()
    assert code in table["tiebreaks"]
    assert all(code in row["tb"] for row in table["players"])
    title = escape(TIEBREAKS.titles[code])
    assert f'<abbr title="{title}">{code}</abbr>' in players("/t/cup").text
    assert f"<h2>{title} <small>{code}</small>" in players("/t/cup/players/1").text
    told = {tb["name"]: tb for tb in players(f"{T}/standings/1").get_json()["tiebreaks"]}
    row = next(row for row in table["players"] if row["id"] == 1)
    assert told[code]["value"] == row["tb"][code]


def test_every_tie_break_of_teams_is_announced_shown_titled_and_explained(teams: tuple[Get, Any]):
    get, known = teams
    table = get(f"{T}/standings/teams?tiebreaks={','.join(known.codes)}").get_json()
    told = get(f"{T}/standings/teams/1?tiebreaks={','.join(known.codes)}").get_json()
    assert tuple(table["tiebreaks"]) == known.codes
    values = {tb["name"]: tb["value"] for tb in told["tiebreaks"]}
    assert values == next(row for row in table["teams"] if row["id"] == 1)["tb"]
    assert set(values) == set(known.codes)
    ranking = get(f"{T}/standings/teams").get_json()["tiebreaks"]
    assert known is PLACE_TIEBREAKS or tuple(ranking) == known.codes
    page, team = get("/t/cup/teams").text, get("/t/cup/teams/1").text
    for code in ranking:
        title = escape(known.titles[code])
        assert code == "GPTS" or f'<abbr title="{title}">{code}</abbr>' in page, "game points have a column anyway"
        assert f"<h2>{title} <small>{code}</small>" in team


@pytest.mark.parametrize("code", TIEBREAKS.codes)
def test_a_table_by_increments_is_that_of_a_replay(code: str):
    for seed in range(6):
        rng = Random(seed)
        hall = Hall(6, ratings={n: 2000 - 7 * n for n in range(1, 7)})
        hall.round("1-2 1", "3-4 =", "5-6").round("3-1", "2-5 1", "6-4 0").round("1-4", "5-3 =", "2-6")
        table = standings(hall.t.fork(), (code,))
        for _ in range(20):
            step(hall, rng)
            table = updated(table, hall.t.fork())
            assert explained(table) == explained(standings(hall.t.fork(), (code,))), "what does it depend on?"


def explained(table: Table) -> list[object]:
    return [explanation(table, row.player) for row in table.rows]


# ---------------------------------------------------------------- event types


def test_every_event_type_has_a_sentence_and_says_whom_it_mentions():
    assert set(DESCRIPTIONS) == {row.data for row in OFFICIAL}
