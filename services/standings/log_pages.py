"""The pages of the log: its lines as sentences, and each as it was written."""

import json

from flask import Blueprint, Response

from services.standings import queries
from services.standings.descriptions.registry import sentence
from services.standings.descriptions.words import texts
from services.standings.page_context import LAYOUT, page_context
from shared.core.merkle import leaf_hash
from shared.core.messages import say
from shared.desk.desk import Desk
from shared.desk.views import stream_of
from shared.http import paging
from shared.http.operations import TABLE, Operation
from shared.http.problems import Problem


def log(bp: Blueprint, desk: Desk) -> None:
    """The log page by page, and a page for each line."""

    @bp.get("/t/<t>/log")
    @Operation(cost=TABLE)
    @LAYOUT.with_problem_page
    def log_page(t: str) -> Response:
        page = page_context(desk, t)
        window = paging.window()
        rows = desk.lines(stream_of(t), window.after, min(page.view.seq, window.after + window.limit))
        events = [(row.seq, queries.event_of(row)) for row in rows]
        lines = [
            {
                "seq": seq,
                "event": event,
                "sentence": None if event is None else sentence(page.state, event.data, page.call),
                "texts": [] if event is None else page.texts_of(desk, texts(event.data)),
            }
            for seq, event in events
        ]
        last = window.after + len(rows)
        more = paging.cursor(last) if last < page.view.seq else None
        before = paging.cursor(max(0, window.after - window.limit)) if window.after else None
        return page.render("log.html", lines=lines, more=more, before=before)

    @bp.get("/t/<t>/log/<int:seq>")
    @Operation(cost=TABLE)
    @LAYOUT.with_problem_page
    def line_page(t: str, seq: int) -> Response:
        page = page_context(desk, t)
        rows = desk.lines(stream_of(t), seq - 1, seq) if 1 <= seq <= page.view.seq else []
        if not rows:
            raise Problem(
                404, "beyond-the-end", say("The log has no such line"), say("it has {seq} lines", seq=page.view.seq)
            )
        line, event = rows[0].line, queries.event_of(rows[0])
        words = None if event is None else sentence(page.state, event.data, page.call)
        pretty = (
            json.dumps(json.loads(line), ensure_ascii=False, indent=2) if event else line.decode("utf-8", "replace")
        )
        return page.render(
            "line.html", seq=seq, sentence=words, pretty=pretty, size=len(line), leaf=leaf_hash(line).hex()
        )
