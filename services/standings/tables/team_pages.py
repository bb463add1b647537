"""The pages of teams: their table, and why each stands where it does."""

from flask import Blueprint, Response

from services.standings.closing.shared_places import partings
from services.standings.page_context import LAYOUT, page_context
from services.standings.rules.teams.explanation import add_team_encounters, crosstable
from services.standings.rules.teams.table import tiebreaks_of
from services.standings.tables.team_routes import explain_team, team_table
from shared.desk.desk import Desk
from shared.http.operations import TABLE


def teams(bp: Blueprint, desk: Desk) -> None:
    """The table of teams, and a page for each."""

    @LAYOUT.serves(bp, "/t/<t>/teams", cost=TABLE)
    def teams_page(t: str) -> Response:
        page = page_context(desk, t)
        table = team_table(page.view)
        return page.render(
            "teams.html",
            table=add_team_encounters(table, page.names),
            crossed=crosstable(table, page.names),
            titles=tiebreaks_of(table.tournament).titles,
            partings=partings(page.tournament) if page.may("pair a round") else [],
        )

    @LAYOUT.serves(bp, "/t/<t>/teams/<int:team>", cost=TABLE)
    def team_page(t: str, team: int) -> Response:
        page = page_context(desk, t)
        table = team_table(page.view)
        row = explain_team(table, team, dict(page.names))
        known = tiebreaks_of(table.tournament)
        return page.render(
            "team.html", row=row, team=page.state.teams[team], titles=known.titles, meanings=known.meanings
        )
