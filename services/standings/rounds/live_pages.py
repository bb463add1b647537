"""What keeps a page as the tournament is now: a stream that says that it changed, and the screen of the hall."""

from dataclasses import dataclass
from math import ceil
from typing import Any, Literal, get_args

from flask import Blueprint, Response, request

from services.standings.page_context import LAYOUT, PageContext, page_context
from services.standings.rounds.boards import RoundRows, round_rows
from services.standings.rules.encounters import add_encounters
from shared.desk.desk import Desk
from shared.http.operations import TABLE, Operation
from shared.http.reads import tournament_query
from shared.http.reads.stream import changes

Shown = Literal["boards", "names", "standings"]
ROWS = 14
"""Rows of a page of the screen: what is read from the back of a hall."""
SECONDS = 12
"""That a page of the screen stands."""


@dataclass(frozen=True, slots=True)
class ScreenPage:
    """A page of the screen: which of how many, its rows, and the next one's number (the first again after the last)."""

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
    """The stream of a tournament's changes, and the screen of its hall."""

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
    """Everything that the screen shows, page after page."""
    if shown == "boards":
        return list(round.boards)
    if shown == "names":
        return round.by_name()
    table = page.table()
    return [] if table is None else list(add_encounters(table, page.names).players)


def _turned(rows: list[Any], wanted: int) -> ScreenPage:
    """The page that is wanted; the last where there are not so many any more."""
    pages = max(1, ceil(len(rows) / ROWS))
    number = min(wanted, pages)
    return ScreenPage(number, pages, rows[(number - 1) * ROWS : number * ROWS])
