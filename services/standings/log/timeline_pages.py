"""The page of the time line: round by round what happened, and when."""

import threading
from collections import OrderedDict
from copy import deepcopy

from flask import Blueprint, Response

from services.standings.descriptions.registry import TITLES
from services.standings.log.timeline import Timeline
from services.standings.page_context import LAYOUT, page_context
from shared.desk.desk import Desk
from shared.desk.views import stream_of
from shared.http.operations import WHOLE_LOG, Operation

_AT_ONCE = 5_000
_MOST = 64


class Timelines:
    """The time lines that were asked for last, by the root that they were read to; each goes on from there."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, tuple[Timeline, bytes]] = OrderedDict()

    def upto(self, t: str, seq: int) -> Timeline:
        """The time line of a tournament up to a line that its log has."""
        with self._lock:
            line, root = self._kept.get(t, (Timeline(), b""))
        if line.seq and (line.seq > seq or self._desk.root(t, line.seq) != root):
            line = Timeline()
        line = deepcopy(line)
        while line.seq < seq:
            line.take(self._desk.lines(stream_of(t), line.seq, min(seq, line.seq + _AT_ONCE)))
        self._keep(t, line)
        return line

    def _keep(self, t: str, line: Timeline) -> None:
        with self._lock:
            known = self._kept.get(t)
            if known is None or known[0].seq <= line.seq:
                self._kept[t] = line, self._desk.root(t, line.seq)
                self._kept.move_to_end(t)
                if len(self._kept) > _MOST:
                    self._kept.popitem(last=False)


def timeline(bp: Blueprint, desk: Desk) -> None:
    """The page of the time line."""
    timelines = Timelines(desk)

    @bp.get("/t/<t>/timeline")
    @Operation(cost=WHOLE_LOG)
    @LAYOUT.with_problem_page
    def timeline_page(t: str) -> Response:
        page = page_context(desk, t)
        return page.render("timeline.html", spans=timelines.upto(t, page.view.seq).spans, types=TITLES)
