"""The screen of a venue: pages of boards, names, results or standings, which follow each other by themselves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Literal, get_args

from flask import Blueprint, Response, request

from services.standings.page_context import LAYOUT, PageContext, page_context
from services.standings.rounds.boards import RoundRows, round_rows
from services.standings.rules.encounters import add_encounters, shown_tiebreaks
from shared.desk.desk import Desk
from shared.http.operations import TABLE
from shared.http.reads import tournament_query
from shared.web.texts import text_of
from shared.web.times import local_time, next_round_begins

Shown = Literal["boards", "names", "results", "standings"]
SHOWN: tuple[Shown, ...] = get_args(Shown)
ROWS = 14
"""Rows of a column, as many as people can read from the back of a room."""
COLUMNS: dict[Shown, int] = {"boards": 2, "names": 3, "results": 2, "standings": 2}
"""Columns of a page at most. A row of two names is wider than one of a name."""
FEWEST_SECONDS, MOST_SECONDS, TURN_SECONDS = 5, 12, 30
"""Seconds for which a page is shown, at least and at most, and in which all pages are shown if their number permits it."""


@dataclass(frozen=True, slots=True)
class Part:
    """One of the contents of a screen: which, the round that it shows (None: no round), and its rows."""

    shown: Shown
    round: RoundRows | None
    rows: Sequence[Any]

    @property
    def columns(self) -> int:
        """Return the number of columns that its rows fill."""
        return min(COLUMNS[self.shown], max(1, ceil(len(self.rows) / ROWS)))

    def pages(self) -> Iterator[Sequence[Sequence[Any]]]:
        """Return its pages, each a list of columns of rows. Without rows, it has one empty page."""
        columns = [self.rows[n : n + ROWS] for n in range(0, len(self.rows), ROWS)] or [()]
        yield from (columns[n : n + self.columns] for n in range(0, len(columns), self.columns))


@dataclass(frozen=True, slots=True)
class ScreenPage:
    """A page of the screen: its number, the number of pages, its part, its columns, and the seconds for which it is shown."""

    number: int
    pages: int
    part: Part
    columns: Sequence[Sequence[Any]]

    @property
    def next(self) -> int:
        """Return the page that follows: the first one after the last."""
        return self.number % self.pages + 1

    @property
    def previous(self) -> int:
        """Return the page before: the last one before the first."""
        return (self.number - 2) % self.pages + 1

    @property
    def seconds(self) -> int:
        """Return the seconds for which the page is shown."""
        return max(FEWEST_SECONDS, min(MOST_SECONDS, TURN_SECONDS // self.pages))


def screen(bp: Blueprint, desk: Desk) -> None:
    """Add the screen of the venue."""

    @LAYOUT.serves(bp, "/t/<t>/screen", shared=True, cost=TABLE)
    def screen_page(t: str) -> Response:
        page = page_context(desk, t)
        asked = [one for one in SHOWN if one in request.args.getlist("show")] or ["boards"]
        turned = _turned([_part(page, one) for one in asked], tournament_query.number("page", 1) or 1)
        now = desk.now()
        begins = next_round_begins(page.state, now)
        return page.render(
            "screen.html",
            shows=SHOWN,
            asked=asked,
            screen=turned,
            shown=turned.part.shown,
            round=turned.part.round,
            tiebreaks=_columns(page, turned.part),
            paused=request.args.get("pause") == "1",
            now=now,
            clock=local_time(now, page.state),
            begins=begins,
            notice=text_of(desk, page.state.venue_notice.text),
        )


def _part(page: PageContext, shown: Shown) -> Part:
    """Return the rows of all pages of one content."""
    if shown == "standings":
        table = page.table()
        return Part(shown, None, () if table is None else list(add_encounters(table, page.names).players))
    number = page.state.rounds_paired()
    round = round_rows(page, number) if number else RoundRows(0, None, "")
    if shown == "names":
        return Part(shown, round, round.by_name())
    if shown == "results":
        while round.round > 1 and not any(board.result for board in round.boards):
            round = round_rows(page, round.round - 1)
        return Part(shown, round, [board for board in round.boards if board.result])
    return Part(shown, round, round.boards)


def _turned(parts: Sequence[Part], wanted: int) -> ScreenPage:
    """Return the requested page, or the last one if there are fewer pages now."""
    pages = [(part, columns) for part in parts for columns in part.pages()]
    number = min(wanted, len(pages))
    return ScreenPage(number, len(pages), *pages[number - 1])


def _columns(page: PageContext, part: Part) -> list[str]:
    """Return the first tie-breaks of a part that shows standings, as many as a column has room for."""
    table = page.table() if part.shown == "standings" else None
    return [] if table is None else shown_tiebreaks(table.tiebreaks, part.rows)[:2]
