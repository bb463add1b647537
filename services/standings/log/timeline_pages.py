"""The page of the time line: round by round what happened, and when."""

import threading
from collections import OrderedDict
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field

import msgspec
from flask import Blueprint, Response

from services.standings.descriptions.registry import TITLES
from services.standings.page_context import LAYOUT, page_context
from shared.core.event_types.registry import NAMES, NEWEST
from shared.core.events import RoundPaired
from shared.desk.desk import Desk
from shared.desk.views import stream_of
from shared.http.operations import WHOLE_LOG
from shared.log.port import Row

_PAIRED = NAMES[RoundPaired]


class _Round(msgspec.Struct, gc=False):
    round: int = 0


class _Header(msgspec.Struct, gc=False):
    """What of a line the time line reads; of a pairing its round too."""

    type: str
    time: str
    data: msgspec.Raw


_HEADER, _ROUND = msgspec.json.Decoder(_Header), msgspec.json.Decoder(_Round)


@dataclass(slots=True)
class Happening:
    """Lines of one type within a span: how many, the ``first`` and the ``last`` with their times (RFC 3339)."""

    first: int
    began: str
    last: int = 0
    ended: str = ""
    count: int = 0


@dataclass(slots=True)
class Span:
    """The log from a pairing of ``round`` (0: from its beginning) to the next one: its lines, and what happened by type."""

    round: int
    first: int
    last: int = 0
    by_type: dict[str, Happening] = field(default_factory=dict)


@dataclass(slots=True)
class Timeline:
    """The spans of a log up to line ``seq``; it goes on where it ended."""

    seq: int = 0
    spans: list[Span] = field(default_factory=list)

    def take(self, rows: Iterable[Row]) -> None:
        """Go on with the next lines; of one that cannot be read only the number is told."""
        for row in rows:
            self.seq = row.seq
            try:
                header = _HEADER.decode(row.line)
                type = NEWEST.get(header.type, header.type)
                paired = _ROUND.decode(header.data).round if type == _PAIRED else 0
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue
            if paired or not self.spans:
                self.spans.append(Span(paired, row.seq))
            self._note(type, row.seq, header.time)

    def _note(self, type: str, seq: int, time: str) -> None:
        span = self.spans[-1]
        span.last = seq
        one = span.by_type.get(type)
        if one is None:
            one = span.by_type[type] = Happening(seq, time)
        one.last, one.ended, one.count = seq, time, one.count + 1


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

    @LAYOUT.serves(bp, "/t/<t>/timeline", cost=WHOLE_LOG)
    def timeline_page(t: str) -> Response:
        page = page_context(desk, t)
        return page.render("timeline.html", spans=timelines.upto(t, page.view.seq).spans, types=TITLES)
