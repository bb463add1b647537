"""The page of a line of the log: its content, its changes, and the state that its decider had seen."""

import json
import threading
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from sys import getsizeof
from typing import Any, NamedTuple

from flask import Blueprint, Response

from services.standings.log.log_pages import log_lines
from services.standings.page_context import LAYOUT, PageContext, page_context
from services.standings.previews.changed_rows import changed_rows, changed_teams
from services.standings.rules.answers import DifferenceAnswer
from services.standings.rules.diff import Preview, TeamChange, table_change, team_diff
from shared.core.event_types.gc_pause import pause_collector
from shared.core.events import RulingAnnulled, RulingMade
from shared.core.state.tournament import TournamentState
from shared.core.trust.merkle import leaf_hash
from shared.desk.desk import Desk
from shared.desk.replay import evolve_line
from shared.desk.views import stream_of
from shared.http.commands.previews import Previews
from shared.http.common_problems import beyond_the_end
from shared.http.operations import PREVIEW
from shared.http.problems import Problem
from shared.log.port import Row

EVERY = 4096
"""Lines from one kept fold to the next: about 30 ms of folding."""
MOST, MOST_BYTES = 64, 256 << 20


class Mark(NamedTuple):
    """A line of a tournament's log, with the root that it left: no other log has the same."""

    t: str
    seq: int
    root: bytes


class Stretch(NamedTuple):
    """The ``lines`` (without LF) of a log after a kept fold, or from its first line, and the roots at ``marks`` by number."""

    t: str
    after: Mark | None
    lines: Sequence[bytes]
    marks: Mapping[int, bytes]


class _Fold(NamedTuple):
    """A state that is kept for later requests.

    ``alone`` is the size of its own tables in bytes, ``entries`` that of the entries that it shares with other folds of its log.
    """

    state: TournamentState
    alone: int
    entries: int


class KeptFolds:
    """At most ``most`` folds of about ``most_bytes`` together. The least recently used one is dropped first.

    Like the log, they contain no text that can be erased.
    """

    def __init__(self, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._bytes = most, most_bytes
        self._kept: OrderedDict[Mark, _Fold] = OrderedDict()

    @property
    def marks(self) -> frozenset[Mark]:
        """Where a fold is kept."""
        return frozenset(self._kept)

    @pause_collector()
    def fold(self, stretch: Stretch) -> TournamentState | None:
        """Return the state after the last line of a stretch, or None if the fold that it follows is not kept.

        The state belongs to the caller; copies are kept at the marks on the way. Raises what `evolve_line` raises.
        """
        if stretch.after is None:
            first, state, entries = 0, TournamentState(stretch.t), 0
        elif (kept := self._kept.get(stretch.after)) is not None:
            self._kept.move_to_end(stretch.after)
            first, state, entries = stretch.after.seq, kept.state.fork(), kept.entries
        else:
            return None
        for seq, line in enumerate(stretch.lines, first + 1):
            evolve_line(state, line, seq)
            entries += len(line)
            if seq in stretch.marks:
                self._keep(Mark(stretch.t, seq, stretch.marks[seq]), _Fold(state.fork(), _tables(state), entries))
        return state

    def _keep(self, mark: Mark, fold: _Fold) -> None:
        self._kept[mark] = fold
        self._kept.move_to_end(mark)
        while len(self._kept) > self._most or self._size() > self._bytes:
            self._kept.popitem(last=False)

    def _size(self) -> int:
        entries: dict[str, int] = {}
        for mark, fold in self._kept.items():
            entries[mark.t] = max(fold.entries, entries.get(mark.t, 0))
        return sum(fold.alone for fold in self._kept.values()) + sum(entries.values())


def _tables(state: TournamentState) -> int:
    return sum(getsizeof(getattr(state, name)) for name in TournamentState.__slots__)


_KEPT = 256

Key = tuple[str, int, bytes]


class LineChange(NamedTuple):
    """The changes by a line: of the ``table`` as in `diff` (None: it did not exist yet), of ``teams`` as in `team_diff`."""

    table: DifferenceAnswer | None
    teams: list[TeamChange]


class LineChanges:
    """The changes that were asked for last, by the root that each line left: they stay the same."""

    def __init__(self, desk: Desk, previews: Previews[Preview]) -> None:
        self._desk, self._previews = desk, previews
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, LineChange] = OrderedDict()
        self._folds: frozenset[Mark] = frozenset()
        """Return the folds that the child kept when it last answered."""

    def change(self, t: str, seq: int) -> LineChange:
        """Return the changes by line ``seq`` of a tournament. Raises the `Problem` of `Previews`."""
        key = t, seq, self._desk.root(t, seq)
        with self._lock:
            known = self._kept.get(key)
        if known is not None:
            return known
        change = self._computed(t, seq)
        with self._lock:
            self._kept[key] = change
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return change

    def _computed(self, t: str, seq: int) -> LineChange:
        """Return the change from the nearest kept fold, or from the first line if the child does not keep it any more."""
        marks = {n: self._desk.root(t, n) for n in range(EVERY, seq, EVERY)}
        near = max((m for m in self._folds if m.t == t and marks.get(m.seq) == m.root), default=None)
        while True:
            rows = self._desk.lines(stream_of(t), 0 if near is None else near.seq, seq)
            stretch = Stretch(t, near, [row.line for row in rows], marks)
            change, self._folds = self._previews.beside(changed_by_last, stretch)
            if change is not None:
                return change
            near = None


_FOLDS = KeptFolds()
"""Those of the child process."""


@pause_collector()
def changed_by_last(stretch: Stretch, folds: KeptFolds = _FOLDS) -> tuple[LineChange | None, frozenset[Mark]]:
    """Return the changes by the last line of a stretch, or None if its fold is not kept, and the folds that are.

    Runs in the child process.
    """
    state = folds.fold(stretch._replace(lines=stretch.lines[:-1]))
    if state is None:
        return None, folds.marks
    before = state.fork()
    evolve_line(state, stretch.lines[-1], before.seq + 1)
    return LineChange(table_change(before, state), team_diff(before, state)), folds.marks


MOST_BETWEEN = 20
"""The most lines between the state seen and the decision that a page lists."""


def lines(bp: Blueprint, desk: Desk, previews: Previews[Preview]) -> None:
    """Add a page for each event of the log."""
    changes = LineChanges(desk, previews)

    @LAYOUT.serves(bp, "/t/<t>/log/<int:seq>", cost=PREVIEW)
    def line_page(t: str, seq: int) -> Response:
        page = page_context(desk, t)
        rows = desk.lines(stream_of(t), seq - 1, seq) if 1 <= seq <= page.view.seq else []
        if not rows:
            raise beyond_the_end(t, page.view.seq)
        (row,), (one,) = rows, log_lines(page, rows)
        data = None if one.event is None else one.event.data
        return page.render(
            "line.html",
            one=one,
            ruling=data.ruling if isinstance(data, RulingMade | RulingAnnulled) else None,
            pretty=_pretty(row.line, readable=one.event is not None),
            size=len(row.line),
            leaf=leaf_hash(row.line).hex(),
            command=[r.seq for r in desk.log.command_lines(row.command, t) if r.stream == row.stream],
            **_changed(page, changes, seq),
            **({} if one.event is None else _seen(page, desk, row, one.event)),
        )


def _pretty(line: bytes, *, readable: bool) -> str:
    if not readable:
        return line.decode("utf-8", "replace")
    return json.dumps(json.loads(line), ensure_ascii=False, indent=2)


def _changed(page: PageContext, changes: LineChanges, seq: int) -> dict[str, Any]:
    """Return the rows that the line changed, or None without a table or if it is not known, with the reason."""
    try:
        change = changes.change(page.state.id, seq)
    except Problem as problem:
        return {"rows": None, "teams": [], "not_known": problem.detail}
    rows = None if change.table is None else changed_rows(page, change.table)
    return {"rows": rows, "teams": changed_teams(page, change.teams), "not_known": None}


def _seen(page: PageContext, desk: Desk, row: Row, event: Any) -> dict[str, Any]:
    """Return the line up to which its decider had read the log, its root, and the lines of others between the two."""
    t, last = page.state.id, row.seq - 1
    first = max(event.basis, last - MOST_BETWEEN)
    between = [one for one in desk.lines(stream_of(t), first, last) if one.command != row.command]
    return {
        "basis": event.basis,
        "root": (root := desk.root(t, event.basis)).hex(),
        "named": b64encode(root).decode() == event.basisroot,
        "between": log_lines(page, between),
        "earlier": first - event.basis,
    }
