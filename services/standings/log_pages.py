"""The pages of the log: its lines as sentences."""

from flask import Blueprint, Response

from services.standings.log_lines import log_lines
from services.standings.page_context import LAYOUT, page_context
from shared.desk.desk import Desk
from shared.desk.views import stream_of
from shared.http import paging
from shared.http.operations import TABLE, Operation


def log(bp: Blueprint, desk: Desk) -> None:
    """The log page by page, and a page for each line."""

    @bp.get("/t/<t>/log")
    @Operation(cost=TABLE)
    @LAYOUT.with_problem_page
    def log_page(t: str) -> Response:
        page = page_context(desk, t)
        window = paging.window()
        rows = desk.lines(stream_of(t), window.after, min(page.view.seq, window.after + window.limit))
        last = window.after + len(rows)
        more = paging.cursor(last) if last < page.view.seq else None
        before = paging.cursor(max(0, window.after - window.limit)) if window.after else None
        return page.render("log.html", lines=log_lines(page, desk, rows), more=more, before=before)
