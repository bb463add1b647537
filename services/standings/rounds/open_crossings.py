"""Crossings as the desk of a round tells them: found by an audit, and none is asked for where nobody decided beside another."""

import sys
import threading
from collections import OrderedDict
from collections.abc import Iterable

import msgspec

from services.standings.audit.audits import Audits
from services.standings.page_context import PageContext
from shared.core.terms import Seq
from shared.desk.desk import Desk
from shared.desk.views import stream_of
from shared.web.attention import OpenCrossing

_KEPT = 32
"""Tournaments whose lines are not read again."""


class _Header(msgspec.Struct, gc=False):
    """Who wrote a line, by which command, and what it had seen."""

    source: str
    basis: Seq
    command: str = msgspec.field(name="causationid")


_HEADER = msgspec.json.Decoder(_Header)


class _Read:
    """How far a log was read, and the commands that did not see a line of another service before them."""

    def __init__(self) -> None:
        self.sources: list[str] = []
        self.beside: list[Seq] = []
        self.command = ""

    def go_on(self, lines: Iterable[bytes]) -> None:
        """Read on; a command is kept by its first line."""
        for line in lines:
            header = _HEADER.decode(line)
            unseen = self.sources[header.basis :]
            if header.command != self.command and any(source != header.source for source in unseen):
                self.beside.append(Seq(len(self.sources) + 1))
            self.sources.append(sys.intern(header.source))
            self.command = header.command


class OpenCrossings:
    """The crossings of a server's tournaments that nobody has noted."""

    def __init__(self, desk: Desk, audits: Audits) -> None:
        self._desk, self._audits = desk, audits
        self._lock = threading.Lock()
        self._read: OrderedDict[str, _Read] = OrderedDict()

    def of(self, page: PageContext) -> tuple[OpenCrossing, ...] | None:
        """Those up to the page's line; None while an audit looks for them, which is not waited for."""
        noted = page.state.crossings
        beside = [seq for seq in self._beside(page.state.id, page.view.seq) if seq not in noted]
        if not beside:
            return ()
        audit = self._audits.made(page.state.id, beside[-1])
        if audit is None:
            return None
        return tuple(OpenCrossing(Seq(one.seq), one.why) for one in audit.crossings if one.seq not in noted)

    def _beside(self, t: str, upto: int) -> list[Seq]:
        """Commands that were decided beside another's line: what may be a crossing."""
        with self._lock:
            read = self._read.setdefault(t, _Read())
            self._read.move_to_end(t)
            if len(read.sources) < upto:
                read.go_on(row.line for row in self._desk.lines(stream_of(t), len(read.sources), upto))
            while len(self._read) > _KEPT:
                self._read.popitem(last=False)
            return [seq for seq in read.beside if seq <= upto]
