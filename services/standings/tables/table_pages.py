"""The pages of the tables of players and of teams: who stands where, who met whom, and why each team has its place."""

from flask import Blueprint, Response

from services.standings.closing.shared_places import Parting, partings
from services.standings.page_context import LAYOUT, PageContext, page_context
from services.standings.rules.crosstable import crosstable
from services.standings.rules.encounters import add_encounters
from services.standings.rules.teams.explanation import add_team_encounters
from services.standings.rules.teams.explanation import crosstable as team_crosstable
from services.standings.rules.teams.table import tiebreaks_of
from services.standings.tables.team_routes import explain_team, team_table
from shared.core.state.tournament import Tournament
from shared.desk.desk import Desk
from shared.http.operations import TABLE


def tables(bp: Blueprint, desk: Desk) -> None:
    """Add the pages of the table and the cross table."""

    @LAYOUT.serves(bp, "/t/<t>/standings", shared=True, cost=TABLE)
    def standings_page(t: str) -> Response:
        page = page_context(desk, t)
        table = page.table()
        return page.render(
            "standings.html",
            table=table and add_encounters(table, page.names),
            players=page.state.players,
            publications=list(reversed(page.state.publications)),
            partings=_partings(page),
        )

    @LAYOUT.serves(bp, "/t/<t>/crosstable", shared=True, cost=TABLE)
    def crosstable_page(t: str) -> Response:
        page = page_context(desk, t)
        table = page.table()
        return page.render("crosstable.html", table=table and crosstable(table, page.names))


def _partings(page: PageContext) -> list[Parting]:
    """Where who share a place are parted, for who may."""
    return partings(page.state) if isinstance(page.state, Tournament) and page.may("pair a round") else []


def teams(bp: Blueprint, desk: Desk) -> None:
    """Add the page of the table of teams, and a page for each team."""

    @LAYOUT.serves(bp, "/t/<t>/teams", cost=TABLE)
    def teams_page(t: str) -> Response:
        page = page_context(desk, t)
        table = team_table(page.view)
        return page.render(
            "teams.html",
            table=add_team_encounters(table, page.names),
            crossed=team_crosstable(table, page.names),
            titles=tiebreaks_of(table.tournament).titles,
            partings=_partings(page),
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
