"""The page of a line of the log: what it says, what it changed, and what its decider had seen."""

import json
from base64 import b64encode
from typing import Any

from flask import Blueprint, Response

from services.standings.log.line_changes import LineChanges
from services.standings.log.log_lines import log_lines
from services.standings.page_context import LAYOUT, PageContext, page_context
from services.standings.previews.changed_rows import changed_rows, changed_teams
from services.standings.rules.preview import Preview
from shared.core.events import RulingAnnulled, RulingMade
from shared.core.trust.merkle import leaf_hash
from shared.desk.desk import Desk
from shared.desk.views import stream_of
from shared.http.commands.previews import Previews
from shared.http.common_problems import beyond_the_end
from shared.http.operations import PREVIEW
from shared.http.problems import Problem
from shared.log.port import Row

MOST_BETWEEN = 20
"""Lines that came between what was seen and what was decided, as many as are told at once."""


def lines(bp: Blueprint, desk: Desk, previews: Previews[Preview]) -> None:
    """A page for each line."""
    changes = LineChanges(desk, previews)

    @LAYOUT.serves(bp, "/t/<t>/log/<int:seq>", cost=PREVIEW)
    def line_page(t: str, seq: int) -> Response:
        page = page_context(desk, t)
        rows = desk.lines(stream_of(t), seq - 1, seq) if 1 <= seq <= page.view.seq else []
        if not rows:
            raise beyond_the_end(t, page.view.seq)
        (row,), (one,) = rows, log_lines(page, desk, rows)
        data = None if one.event is None else one.event.data
        return page.render(
            "line.html",
            one=one,
            ruling=data.ruling if isinstance(data, RulingMade | RulingAnnulled) else None,
            pretty=_pretty(row.line, readable=one.event is not None),
            size=len(row.line),
            leaf=leaf_hash(row.line).hex(),
            command=[r.seq for r in desk.command_lines(row.command) if r.stream == row.stream],
            **_changed(page, changes, seq),
            **({} if one.event is None else _seen(page, desk, row, one.event)),
        )


def _pretty(line: bytes, *, readable: bool) -> str:
    if not readable:
        return line.decode("utf-8", "replace")
    return json.dumps(json.loads(line), ensure_ascii=False, indent=2)


def _changed(page: PageContext, changes: LineChanges, seq: int) -> dict[str, Any]:
    """The rows that the line changed (None: there was no table, or why it is not known)."""
    try:
        change = changes.change(page.state.id, seq)
    except Problem as problem:
        return {"rows": None, "teams": [], "not_known": problem.detail}
    rows = None if change.table is None else changed_rows(page, change.table)
    return {"rows": rows, "teams": changed_teams(page, change.teams), "not_known": None}


def _seen(page: PageContext, desk: Desk, row: Row, event: Any) -> dict[str, Any]:
    """The line up to which its decider had read the log, its root, and what others wrote between the two."""
    t, last = page.state.id, row.seq - 1
    first = max(event.basis, last - MOST_BETWEEN)
    between = [one for one in desk.lines(stream_of(t), first, last) if one.command != row.command]
    return {
        "basis": event.basis,
        "root": (root := desk.root(t, event.basis)).hex(),
        "named": b64encode(root).decode() == event.basisroot,
        "between": log_lines(page, desk, between),
        "earlier": first - event.basis,
    }
