"""Tables over HTTP, and why they are so."""

from collections.abc import Sequence

import msgspec
from flask import Blueprint, Response, request

from services.standings import queries, schemas
from services.standings.files.csv_tables import as_csv
from services.standings.queries import known
from services.standings.rules.answers import CrosstableAnswer, DifferenceAnswer, ExplanationAnswer, TableAnswer
from services.standings.rules.crosstable import crosstable
from services.standings.rules.diff import diff
from services.standings.rules.encounters import add_encounters
from services.standings.rules.explanation import explanation
from services.standings.rules.table.table import Table
from services.standings.tables import table_queries
from shared.desk.desk import Desk, View
from shared.http import common_routes
from shared.http.addresses import T
from shared.http.answers import ListAnswer
from shared.http.common_routes import TournamentAnswer
from shared.http.operations import TABLE, Operation
from shared.http.reads import paging, tournament_query

CSV = "text/csv"


class TournamentsAnswer(ListAnswer):
    """A page of the list of tournaments."""

    tournaments: Sequence[TournamentAnswer]


def tables(bp: Blueprint, desk: Desk) -> None:
    """Reading tables."""
    kept_tables = queries.Tables()

    def table_of(t: str) -> tuple[View, Table, dict[str, str]]:
        sent = tournament_query.query()
        view = tournament_query.view(desk, t)
        table = kept_tables.table(view, sent["tiebreaks"], sent["rules"], sent["round"])
        return view, table, queries.names(desk, view.state)

    @bp.get("/v1/tournaments")
    @Operation(
        "List tournaments",
        name="listTournaments",
        description=("Tournaments are sorted by ID."),
        answer=TournamentsAnswer,
        tagged=False,
        query=table_queries.ListQuery,
    )
    def all_tournaments() -> Response:
        sent = tournament_query.query()
        ids = [t for t in known(desk) if t > sent["from"]]
        views = [desk.view(t) for t in ids[: sent["limit"]]]
        facts = [common_routes.facts(v) for v in views if v is not None and v.state.announced is not None]
        more = ids[sent["limit"] - 1] if len(ids) > sent["limit"] else None
        next = None if more is None else f"{request.path}?from={more}&limit={sent['limit']}"
        content = msgspec.json.encode(TournamentsAnswer(facts, next=next))
        response = Response(content, mimetype="application/json")
        return paging.linked(response, next)

    @bp.get(f"{T}/standings")
    @Operation(
        "Get the standings",
        name="getStandings",
        description=("Returns the standings of the players as JSON, or as CSV (`text/csv`)."),
        query=table_queries.TableQuery,
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
        return tournament_query.answer(view, add_encounters(table, names))

    @bp.get(f"{T}/standings/<int:p>")
    @Operation(
        "Explain a player's standing",
        name="explainPlayer",
        description=("Returns the player's points and tie-breaks, and the events that each value is computed from."),
        query=table_queries.TableQuery,
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
        query=table_queries.TableQuery,
        errors=(409,),
        cost=TABLE,
    )
    def crossed(t: str) -> Response:
        view, table, names = table_of(t)
        return tournament_query.answer(view, crosstable(table, names))

    @bp.get(f"{T}/diff")
    @Operation(
        "Compare the standings at two positions",
        name="getDifference",
        description=(
            "Returns the rows that changed between two positions of the log, and the events that caused each change."
        ),
        answer=DifferenceAnswer,
        query=schemas.RangeQuery,
        errors=(409,),
        cost=TABLE,
    )
    def changes(t: str) -> Response:
        start, end = queries.span(desk, t)
        return tournament_query.answer(end, diff(queries.table(start), queries.table(end)))
