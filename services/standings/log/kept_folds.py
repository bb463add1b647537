"""Folds of logs at every few thousandth line, kept where lines are computed: a state in the past is folded from the nearest."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from sys import getsizeof
from typing import NamedTuple

from shared.core.event_types.gc_pause import pause_collector
from shared.core.state.tournament import TournamentState
from shared.desk.replay import evolve_line

EVERY = 4096
"""Lines from one kept fold to the next: about 30 ms of folding."""
MOST, MOST_BYTES = 64, 256 << 20


class Mark(NamedTuple):
    """A line of a tournament's log, with the root that it left: no other log has the same."""

    t: str
    seq: int
    root: bytes


class Stretch(NamedTuple):
    """The ``lines`` (without LF) of a log that follow a kept fold (None: its first line), and the roots at the ``marks``
    among them by their numbers."""

    t: str
    after: Mark | None
    lines: Sequence[bytes]
    marks: Mapping[int, bytes]


class _Fold(NamedTuple):
    """``alone``: bytes of its own tables; ``entries``: of the lines that it was made of, whose entries it shares with the
    other folds of its log."""

    state: TournamentState
    alone: int
    entries: int


class KeptFolds:
    """At most ``most`` folds in about ``most_bytes``; the least recently used goes first. They hold what lines hold: no text
    that can be erased."""

    def __init__(self, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._bytes = most, most_bytes
        self._kept: OrderedDict[Mark, _Fold] = OrderedDict()

    @property
    def marks(self) -> frozenset[Mark]:
        """Where a fold is kept."""
        return frozenset(self._kept)

    @pause_collector()
    def fold(self, stretch: Stretch) -> TournamentState | None:
        """The state after the stretch's last line, for the caller alone, kept at the marks on the way; None where what it
        follows is not kept. Raises as `evolve_line`."""
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
