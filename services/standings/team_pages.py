"""The pages of teams: their table, and why each stands where it does."""

from flask import Blueprint, Response

from services.standings.pages import LAYOUT, shown_of
from services.standings.rules.teams.explanation import crosstable
from services.standings.rules.teams.member_places import PLACE_TIEBREAKS
from services.standings.rules.teams.table import as_json
from services.standings.rules.teams.tiebreaks import TEAM_TIEBREAKS
from services.standings.team_routes import explained, team_table
from shared.desk.desk import Desk

_TITLES = {**TEAM_TIEBREAKS.titles, **PLACE_TIEBREAKS.titles}


def teams(bp: Blueprint, desk: Desk) -> None:
    """The table of teams, and a page for each."""

    @bp.get("/t/<t>/teams")
    @LAYOUT.with_problem_page
    def teams_page(t: str) -> Response:
        shown = shown_of(desk, t)
        table = team_table(shown.view)
        return shown.page(
            "teams.html",
            table=as_json(table, shown.names),
            crossed=crosstable(table, shown.names),
            titles=_TITLES,
        )

    @bp.get("/t/<t>/teams/<int:team>")
    @LAYOUT.with_problem_page
    def team_page(t: str, team: int) -> Response:
        shown = shown_of(desk, t)
        table = team_table(shown.view)
        told = explained(table, team, dict(shown.names))
        return shown.page("team.html", told=told, team=shown.state.teams[team], titles=_TITLES)
