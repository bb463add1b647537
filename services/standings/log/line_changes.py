"""What single lines of a log changed in the table: computed beside the server, each once."""

import threading
from collections import OrderedDict
from typing import NamedTuple

from services.standings.log.kept_folds import EVERY, KeptFolds, Mark, Stretch
from services.standings.rules.answers import DifferenceAnswer
from services.standings.rules.preview import Preview, table_change
from services.standings.rules.teams.diff import TeamChange, team_diff
from shared.core.event_types.gc_pause import pause_collector
from shared.desk.desk import Desk
from shared.desk.replay import evolve_line
from shared.desk.views import stream_of
from shared.http.commands.previews import Previews

_KEPT = 256

Key = tuple[str, int, bytes]


class LineChange(NamedTuple):
    """What a line changed: of the ``table`` as `diff` tells it (None: there was none yet), of ``teams`` as `team_diff`."""

    table: DifferenceAnswer | None
    teams: list[TeamChange]


class LineChanges:
    """The changes that were asked for last, by the root that each line left: what a line changed never changes."""

    def __init__(self, desk: Desk, previews: Previews[Preview]) -> None:
        self._desk, self._previews = desk, previews
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, LineChange] = OrderedDict()
        self._folds: frozenset[Mark] = frozenset()
        """Those that the child kept when it last answered."""

    def change(self, t: str, seq: int) -> LineChange:
        """What line ``seq`` of a tournament changed; the log can be read up to there. Raises `Problem` as `Previews.beside`."""
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
        """From the nearest kept fold; from the first line where the child keeps it no longer."""
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
    """What the last line of a stretch changed, None where the fold that it follows is not kept; and the folds that are.
    Runs in the child process."""
    state = folds.fold(stretch._replace(lines=stretch.lines[:-1]))
    if state is None:
        return None, folds.marks
    before = state.fork()
    evolve_line(state, stretch.lines[-1], before.seq + 1)
    return LineChange(table_change(before, state), team_diff(before, state)), folds.marks
