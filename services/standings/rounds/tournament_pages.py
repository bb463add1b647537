"""The first pages: all tournaments, the round that is being played, the table, who met whom."""

from flask import Blueprint, Response, request

from services.standings.closing.shared_places import Parting, partings
from services.standings.descriptions.words import control, stage
from services.standings.page_context import LAYOUT, PageContext, page_context
from services.standings.queries import known
from services.standings.rounds.boards import RoundRows, round_rows
from services.standings.rounds.cards import card
from services.standings.rounds.open_crossings import OpenCrossings
from services.standings.rounds.round_desk import cases_of, desk_of, pairable_round
from services.standings.rounds.round_pages import round_query
from services.standings.rules.crosstable import crosstable
from services.standings.rules.encounters import with_encounters
from shared.core.state.entities import Publication
from shared.core.state.tournament import Tournament
from shared.desk.desk import Desk
from shared.http.operations import TABLE, Operation
from shared.http.requests import auth
from shared.web.page import language_switch
from shared.web.static_files import static_files

_LISTED = 60
_LEADERS = 3


def front(bp: Blueprint, desk: Desk) -> None:
    """The list of tournaments, logging in and out, the language."""
    static_files(bp)
    LAYOUT.serve_problems(bp)
    language_switch(bp)

    @bp.get("/")
    @LAYOUT.with_problem_page
    def front() -> Response:
        after = request.args.get("from", "")
        ids = [t for t in known(desk) if t > after]
        views = [v for t in ids[:_LISTED] if (v := desk.view(t)) is not None and v.tournament.announced is not None]
        more = ids[_LISTED - 1] if len(ids) > _LISTED else None
        shown = sorted((card(desk, view) for view in views), key=lambda one: one.last_day, reverse=True)
        return LAYOUT.page("front.html", cards=shown, more=more, may_announce=auth.may_announce())


def tournament(bp: Blueprint, desk: Desk, crossings: OpenCrossings) -> None:
    """One tournament as it is now, and its tables."""

    @bp.get("/t/<t>")
    @Operation(shared=True, cost=TABLE)
    @LAYOUT.with_problem_page
    def tournament_page(t: str) -> Response:
        page = page_context(desk, t)
        number = page.state.rounds_paired()
        search = round_query()
        rows = round_rows(page, number, search.text) if number else RoundRows(0, None, "")
        table = page.table()
        leaders = table.rows[:_LEADERS] if table is not None and page.state.closed() else ()
        return page.render(
            "tournament.html",
            rows=rows,
            search=search,
            leaders=leaders,
            control=control,
            stage=stage,
            pairable=pairable_round(page),
            waits=desk_of(page, rows, desk.now(), crossings),
            cases=cases_of(page, desk.now()),
        )

    @bp.get("/t/<t>/standings")
    @Operation(shared=True, cost=TABLE)
    @LAYOUT.with_problem_page
    def standings_page(t: str) -> Response:
        page = page_context(desk, t)
        table = page.table()
        return page.render(
            "standings.html",
            table=table and with_encounters(table, page.names),
            players=page.state.players,
            publications=_newest_first(page),
            partings=_partings(page),
        )

    @bp.get("/t/<t>/crosstable")
    @Operation(shared=True, cost=TABLE)
    @LAYOUT.with_problem_page
    def crosstable_page(t: str) -> Response:
        page = page_context(desk, t)
        table = page.table()
        return page.render("crosstable.html", table=table and crosstable(table, page.names))


def _partings(page: PageContext) -> list[Parting]:
    """Where who share a place are parted, for who may."""
    return partings(page.state) if isinstance(page.state, Tournament) and page.may("pair a round") else []


def _newest_first(page: PageContext) -> list[Publication]:
    return list(reversed(page.state.publications))
