"""What single lines of a log changed in the table: computed beside the server, each once."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple

from services.standings.rules.preview import Preview, table_change
from services.standings.rules.teams.diff import team_diff
from shared.core.evolve import evolve
from shared.core.gc_pause import no_collector
from shared.desk.desk import Desk
from shared.desk.replay import replay
from shared.desk.views import stream_of
from shared.http.previews import Previews
from shared.wire.envelope import read

_KEPT = 256

Key = tuple[str, int, bytes]


class LineChange(NamedTuple):
    """What a line changed: of the ``table`` as `diff` tells it (None: there was none yet), of ``teams`` as `team_diff`."""

    table: dict[str, Any] | None
    teams: list[dict[str, Any]]


class LineChanges:
    """The changes that were asked for last, by the root that each line left: what a line changed never changes."""

    def __init__(self, desk: Desk, previews: Previews[Preview]) -> None:
        self._desk, self._previews = desk, previews
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, LineChange] = OrderedDict()

    def change(self, t: str, seq: int) -> LineChange:
        """What line ``seq`` of a tournament changed; the log can be read up to there. Raises `Problem` as `Previews.beside`."""
        key = t, seq, self._desk.root(t, seq)
        with self._lock:
            known = self._kept.get(key)
        if known is not None:
            return known
        lines = [row.line for row in self._desk.lines(stream_of(t), 0, seq)]
        change = self._previews.beside(changed_by_last, lines, t)
        with self._lock:
            self._kept[key] = change
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return change


@no_collector()
def changed_by_last(lines: Sequence[bytes], t: str) -> LineChange:
    """What the last of these lines of a log changed; runs in the child process."""
    state = replay(lines[:-1], t)
    before = state.fork()
    evolve(state, read(lines[-1], len(lines)))
    return LineChange(table_change(before, state), team_diff(before, state))
