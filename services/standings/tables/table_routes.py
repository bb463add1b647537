"""The tables of players and of teams over HTTP, and the reasons for each place."""

from typing import Any

from flask import Blueprint, Response, request
from marshmallow import ValidationError, fields, validate

from services.standings import queries
from services.standings.files.csv_tables import CSV, as_csv, team_csv
from services.standings.queries import refuse_unknown
from services.standings.rules.answers import (
    CrosstableAnswer,
    DifferenceAnswer,
    ExplanationAnswer,
    TableAnswer,
    TableHeadAnswer,
    TeamCrosstableAnswer,
    TeamExplanationAnswer,
    TeamTableAnswer,
)
from services.standings.rules.crosstable import crosstable
from services.standings.rules.diff import diff
from services.standings.rules.encounters import add_encounters
from services.standings.rules.explanation import explanation
from services.standings.rules.table.table import EDITIONS, Table
from services.standings.rules.teams import explanation as of_teams
from services.standings.rules.teams.table import (
    TeamTable,
    is_team_event,
    team_standings,
    tiebreaks_of,
)
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.values.bounds import TIEBREAKS
from shared.desk.desk import Desk, View
from shared.http.addresses import T
from shared.http.common_problems import unknown_team
from shared.http.operations import TABLE, Operation
from shared.http.problems import Problem
from shared.http.reads import tournament_query
from shared.http.reads.tournament_query import ReadQuery


class Codes(fields.Field[tuple[str, ...]]):
    """Codes of tie-breaks, separated by commas in one value or given as several; the table says which are invalid."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> tuple[str, ...]:
        values = value if isinstance(value, list) else [value]
        codes = tuple(code for v in values if isinstance(v, str) for code in v.split(",") if code)
        if len(codes) > TIEBREAKS.most:
            raise ValidationError([say("at most {most}", most=TIEBREAKS.most)])
        return codes


class TableQuery(ReadQuery):
    tiebreaks = Codes(
        load_default=None,
        metadata={
            "description": "Comma-separated tie-break codes, for example `BH/C1,SB`. Default: the tie-breaks of the tournament."
        },
    )
    rules = fields.String(
        load_default=None,
        validate=validate.OneOf(EDITIONS),
        metadata={"description": "Edition of the FIDE tie-break rules (C.07). Default: the edition of the ruleset."},
    )
    round = fields.Integer(
        load_default=None,
        validate=validate.Range(0, 100),
        metadata={"description": "Return the standings after this round. Default: the last paired round."},
    )


def tables(bp: Blueprint, desk: Desk) -> None:
    """Add the routes of tables."""

    def table_of(t: str) -> tuple[View, Table, dict[str, str]]:
        sent = tournament_query.query()
        view = tournament_query.view(desk, t)
        table = queries.kept_tables().table(view, sent["tiebreaks"], sent["rules"], sent["round"])
        return view, table, queries.names(desk, view.state)

    @bp.get(f"{T}/standings")
    @Operation(
        "Get the standings",
        name="getStandings",
        description=("Returns the standings of the players as JSON, or as CSV (`text/csv`)."),
        query=TableQuery,
        answer=TableAnswer,
        errors=(409,),
        media=("application/json", CSV),
        cost=TABLE,
    )
    def standings(t: str) -> Response:
        view, table, names = table_of(t)
        if request.accept_mimetypes.best_match(["application/json", CSV]) == CSV:
            return tournament_query.tagged(
                view.seq, as_csv(table, view.tournament.regulations.title, names).encode(), CSV
            )
        return counted(view, add_encounters(table, names))

    @bp.get(f"{T}/standings/<int:p>")
    @Operation(
        "Explain a player's standing",
        name="explainPlayer",
        description=("Returns the player's points and tie-breaks, and the events that each value is computed from."),
        query=TableQuery,
        answer=ExplanationAnswer,
        errors=(409,),
        cost=TABLE,
    )
    def explained(t: str, p: int) -> Response:
        view, table, names = table_of(t)
        return tournament_query.answer(view, explanation(table, queries.player(view, p), names))

    @bp.get(f"{T}/crosstable")
    @Operation(
        "Get the cross table",
        name="getCrosstable",
        description=("Returns every player's results by round."),
        answer=CrosstableAnswer,
        query=TableQuery,
        errors=(409,),
        cost=TABLE,
    )
    def crossed(t: str) -> Response:
        view, table, names = table_of(t)
        return counted(view, crosstable(table, names))

    @bp.get(f"{T}/diff")
    @Operation(
        "Compare the standings at two positions",
        name="getDifference",
        description=(
            "Returns the rows that changed between two positions of the log, and the events that caused each change."
        ),
        answer=DifferenceAnswer,
        query=queries.RangeQuery,
        errors=(409,),
        cost=TABLE,
    )
    def changes(t: str) -> Response:
        start, end = queries.span(desk, t)
        return tournament_query.answer(end, diff(queries.table(start), queries.table(end)))


def teams(bp: Blueprint, desk: Desk) -> None:
    """Add the routes of the table of teams."""

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
        return counted(view, of_teams.add_team_encounters(table, names))

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
        return counted(view, of_teams.crosstable(table, names))


def counted(view: View, table: TableHeadAnswer) -> Response:
    """Answer with a table and its number of rounds. Exported tables, from which digests are computed, lack that member."""
    table.rounds_counted = table.rounds
    return tournament_query.answer(view, table)


def team_table(
    view: View, tiebreaks: tuple[str, ...] | None = None, rules: str | None = None, after_round: int | None = None
) -> TeamTable:
    """Return the requested table. Raises `Problem` 409 where no teams play, 422 for tie-breaks that these teams have not."""
    t = view.state
    if not isinstance(t, Tournament) or not is_team_event(t):
        raise Problem(
            409,
            "no-team-event",
            say("This is not a team event"),
            say("{id} is an individual tournament without teams", id=t.id),
        )
    refuse_unknown(tiebreaks_of(t), tiebreaks or ())
    return team_standings(t, tiebreaks, rules=rules, after_round=after_round)


def explain_team(table: TeamTable, team: int, names: dict[str, str]) -> TeamExplanationAnswer:
    """Return a team's explanation. Raises `Problem` 404 if the team does not exist."""
    row = of_teams.explanation(table, team, names)
    if row is None:
        raise unknown_team(table.tournament.id, team)
    return row
