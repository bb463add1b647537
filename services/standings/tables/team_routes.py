"""The table of teams over HTTP, as JSON and CSV: why it is so, and who met whom."""

from flask import Blueprint, Response, request

from services.standings import queries
from services.standings.files.csv_tables import team_csv
from services.standings.queries import refuse_unknown
from services.standings.rules.answers import TeamCrosstableAnswer, TeamExplanationAnswer, TeamTableAnswer
from services.standings.rules.teams.explanation import add_team_encounters, crosstable, explanation
from services.standings.rules.teams.table import (
    TeamTable,
    is_team_event,
    team_standings,
    tiebreaks_of,
)
from services.standings.tables.table_queries import TableQuery
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.desk.desk import Desk, View
from shared.http.addresses import T
from shared.http.common_problems import unknown_team
from shared.http.operations import TABLE, Operation
from shared.http.problems import Problem
from shared.http.reads import tournament_query

CSV = "text/csv"


def teams(bp: Blueprint, desk: Desk) -> None:
    """Reading the table of teams."""

    def table_of(t: str) -> tuple[View, TeamTable, dict[str, str]]:
        sent = tournament_query.query()
        view = tournament_query.view(desk, t)
        table = team_table(view, sent["tiebreaks"], sent["rules"], sent["round"])
        return view, table, queries.names(desk, view.state)

    @bp.get(f"{T}/standings/teams")
    @Operation(
        "Get the team standings",
        name="getTeamStandings",
        description=("Returns the standings of the teams as JSON, or as CSV (`text/csv`)."),
        query=TableQuery,
        answer=TeamTableAnswer,
        media=("application/json", CSV),
        cost=TABLE,
        errors=(409,),
    )
    def team_table_of(t: str) -> Response:
        view, table, names = table_of(t)
        if request.accept_mimetypes.best_match(["application/json", CSV]) == CSV:
            return tournament_query.tagged(view.seq, team_csv(table, names).encode(), CSV)
        return tournament_query.answer(view, add_team_encounters(table, names))

    @bp.get(f"{T}/standings/teams/<int:team>")
    @Operation(
        "Explain a team's standing",
        name="explainTeam",
        description=("Returns the team's points and tie-breaks, and the events that each value is computed from."),
        query=TableQuery,
        answer=TeamExplanationAnswer,
        errors=(409,),
        cost=TABLE,
    )
    def team_explained(t: str, team: int) -> Response:
        view, table, names = table_of(t)
        return tournament_query.answer(view, explain_team(table, team, names))

    @bp.get(f"{T}/crosstable/teams")
    @Operation(
        "Get the cross table of the teams",
        name="getTeamCrosstable",
        description=("Returns every team's matches by round."),
        answer=TeamCrosstableAnswer,
        query=TableQuery,
        errors=(409,),
        cost=TABLE,
    )
    def teams_crossed(t: str) -> Response:
        view, table, names = table_of(t)
        return tournament_query.answer(view, crosstable(table, names))


def team_table(
    view: View, tiebreaks: tuple[str, ...] | None = None, rules: str | None = None, after_round: int | None = None
) -> TeamTable:
    """The table as asked for. Raises `Problem` 409 where no teams play, 422 for tie-breaks that these teams have not."""
    t = view.state
    if not isinstance(t, Tournament) or not is_team_event(t):
        raise Problem(
            409,
            "no-team-event",
            say("No teams play here"),
            say("{id} is an individual tournament without teams", id=t.id),
        )
    refuse_unknown(tiebreaks_of(t), tiebreaks or ())
    return team_standings(t, tiebreaks, rules=rules, after_round=after_round)


def explain_team(table: TeamTable, team: int, names: dict[str, str]) -> TeamExplanationAnswer:
    """A team's explanation. Raises `Problem` 404 where there is no such team."""
    row = explanation(table, team, names)
    if row is None:
        raise unknown_team(table.tournament.id, team)
    return row
