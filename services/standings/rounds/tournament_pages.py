"""The pages of a tournament, of its rounds and of the screen in its venue."""

from dataclasses import dataclass
from math import ceil
from typing import Any, Literal, get_args

from flask import Blueprint, Response, request

from services.standings.descriptions.words import control, stage
from services.standings.page_context import LAYOUT, PageContext, page_context
from services.standings.rounds.boards import RoundRows, round_rows
from services.standings.rounds.open_crossings import OpenCrossings
from services.standings.rounds.round_desk import cases_of, desk_of, pairable_round
from services.standings.rules.encounters import add_encounters
from shared.desk.desk import Desk
from shared.http.common_problems import unknown_round
from shared.http.operations import TABLE, Operation
from shared.http.reads import tournament_query
from shared.http.reads.stream import changes

_LONGEST = 80
"""Maximum number of characters of a search. The rest is ignored."""


@dataclass(frozen=True, slots=True)
class RoundQuery:
    """The view of a round: the ``text`` to search for, and whether players are listed ``by_name``."""

    text: str
    by_name: bool


def round_query() -> RoundQuery:
    """Return the view of a round in this request: ``?q`` and ``?by=name``."""
    return RoundQuery(request.args.get("q", "").strip()[:_LONGEST], request.args.get("by") == "name")


def rounds(bp: Blueprint, desk: Desk, crossings: OpenCrossings) -> None:
    """Add the page of each round."""

    @LAYOUT.serves(bp, "/t/<t>/rounds/<int:n>", shared=True, cost=TABLE)
    def round_page(t: str, n: int) -> Response:
        page = page_context(desk, t)
        known_round(page, n)
        search = round_query()
        rows = round_rows(page, n, search.text)
        entry = desk_of(page, rows, crossings)
        return page.render("round.html", rows=rows, search=search, desk=entry)


def known_round(page: PageContext, number: int) -> None:
    """Raise `Problem` 404 for a round that was never paired."""
    if not any(pairing.event.round == number for pairing in page.state.pairings):
        raise unknown_round(number)


_LEADERS = 3


def tournament(bp: Blueprint, desk: Desk, crossings: OpenCrossings) -> None:
    """Add the page of a tournament."""

    @LAYOUT.serves(bp, "/t/<t>", shared=True, cost=TABLE)
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
            waits=desk_of(page, rows, crossings),
            cases=cases_of(page),
        )


Shown = Literal["boards", "names", "standings"]
ROWS = 14
"""Rows of a page of the screen, as many as people can read from the back of a room."""
SECONDS = 12
"""Seconds for which a page of the screen is shown."""


@dataclass(frozen=True, slots=True)
class ScreenPage:
    """A page of the screen: its number, the number of pages, and its rows. The first page follows the last."""

    number: int
    pages: int
    rows: list[Any]

    @property
    def next(self) -> int:
        return self.number % self.pages + 1

    @property
    def previous(self) -> int:
        return (self.number - 2) % self.pages + 1


def live(bp: Blueprint, desk: Desk) -> None:
    """Add the stream of a tournament's changes, and the screen of its venue."""

    @bp.get("/t/<t>/changes")
    @Operation()
    def changes_of(t: str) -> Response:
        return changes(desk, t)

    @LAYOUT.serves(bp, "/t/<t>/screen", shared=True, cost=TABLE)
    def screen_page(t: str) -> Response:
        page = page_context(desk, t)
        shown: Shown = next((one for one in get_args(Shown) if one == request.args.get("show")), "boards")
        number = page.state.rounds_paired()
        round = round_rows(page, number) if number else RoundRows(0, None, "")
        table = page.table()
        return page.render(
            "screen.html",
            shown=shown,
            shows=get_args(Shown),
            round=round,
            columns=table.tiebreaks[:2] if table is not None else (),
            screen=_turned(_rows(page, shown, round), tournament_query.number("page", 1) or 1),
            paused=request.args.get("pause") == "1",
            seconds=SECONDS,
        )


def _rows(page: PageContext, shown: Shown, round: RoundRows) -> list[Any]:
    """Return the rows of all pages of the screen."""
    if shown == "boards":
        return list(round.boards)
    if shown == "names":
        return round.by_name()
    table = page.table()
    return [] if table is None else list(add_encounters(table, page.names).players)


def _turned(rows: list[Any], wanted: int) -> ScreenPage:
    """Return the requested page, or the last one if there are fewer pages now."""
    pages = max(1, ceil(len(rows) / ROWS))
    number = min(wanted, pages)
    return ScreenPage(number, pages, rows[(number - 1) * ROWS : number * ROWS])
