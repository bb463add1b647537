"""Replay: the events of a log, read and applied to a state, with or without the tree over them.

`replay` trusts its lines and only applies them. A `Ledger` also checks the roots that they state.
"""

from binascii import b2a_base64
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import msgspec

from shared.core.event_types.evolve import evolve, fold
from shared.core.event_types.gc_pause import pause_collector
from shared.core.events import Event
from shared.core.language.messages import Message, say
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Seq, Source
from shared.core.trust.merkle import Tree, leaf_hash
from shared.desk.requests import NoRegulations
from shared.log.port import Row, Stop
from shared.wire.envelope import Line, Unreadable, read


def events_of(lines: Iterable[bytes]) -> Iterator[Line]:
    """Yield the events of one stream's lines (without LF), numbered from 1. Raises `envelope.Unreadable` at a line."""
    return map(read, lines, count(1))


def events_until_unreadable(rows: Iterable[Row]) -> Iterator[Line]:
    """Yield the events of a log's rows, up to one that this version cannot read."""
    for row in rows:
        try:
            yield read(row.line, row.seq)
        except Unreadable:
            return


def replay(lines: Iterable[bytes], tournament: str) -> TournamentState:
    """Return the state after the lines (without LF) of one log. Raises `envelope.Unreadable`."""
    return fold(tournament, events_of(lines))


@dataclass(frozen=True, slots=True)
class View:
    """The view of a tournament for readers: the state after event ``seq`` and the root there, without pending events.

    ``state`` may be that of a tournament without regulations, for example at its first event.
    """

    state: TournamentState
    seq: int
    root: bytes
    stopped: Message | None = None

    @property
    def tournament(self) -> Tournament:
        """Return the state, which was announced and has regulations. Raises `NoRegulations` if it has none yet."""
        if not isinstance(self.state, Tournament):
            raise NoRegulations(say("no regulations were adopted for {t}", t=self.state.id))
        return self.state


class _Place(msgspec.Struct):
    source: Source
    sourceseq: int


_PLACE = msgspec.json.Decoder(_Place)
"""Reads the place of any event that a service copied into its ledger, whatever else the event contains."""


def skip_event(t: TournamentState, line: bytes, seq: int) -> None:
    """Skip an event: only record that its source has used its number."""
    place = _PLACE.decode(line)
    t.seq = Seq(seq)
    t.counts[place.source] = max(place.sourceseq, t.counts.get(place.source, 0))


def evolve_line(t: TournamentState, line: bytes, seq: int) -> Line | None:
    """Apply a line of a log that is not suspended before it, and return its event.

    An unreadable line that was skipped when the tournament was resumed is left out; the result is then None.
    Raises `envelope.Unreadable` if no service can have written the line.
    """
    try:
        event = read(line, seq)
    except Unreadable as unreadable:
        try:
            skip_event(t, line, seq)
        except msgspec.MsgspecError:
            raise unreadable from None
        return None
    evolve(t, event)
    return event


class Ledger:
    """One tournament's copy of its log.

    ``tree`` has the root after every line. An unreadable line, or one that states another root than ours, still has its number:
    the *state* stops before it (``stopped`` is the reason), while ``size`` continues to grow. ``stop``: the fault that the log's
    follower found. Unreadable lines that were skipped when the tournament was resumed are left out of the state.
    """

    __slots__ = ("_checked", "_stop", "stopped", "tournament", "tree", "view")

    def __init__(self, tournament: str, stop: Stop | None = None) -> None:
        self.tournament = TournamentState(tournament)
        self._stop = stop
        self.tree = Tree()
        self._checked = ("", -1)
        self.stopped: Message | None = None
        self.view: View | None = None

    @classmethod
    @pause_collector()
    def of(cls, tournament: str, lines: Sequence[bytes], stop: Stop | None = None) -> "Ledger":
        """Return the ledger of all these lines (without LF): like appending each, but faster."""
        ledger = cls(tournament, stop)
        ledger.tree = Tree.of(lines)
        if stop is None:
            ledger._fold_all(lines)
        else:
            for seq, line in enumerate(lines, 1):
                ledger._fold(seq, line)
        return ledger

    @property
    def size(self) -> int:
        return self.tree.size

    def take(self, seq: int, line: bytes) -> None:
        """Append the next line with its bytes from the log. Ignore any other line, which is already known."""
        if seq == self.size + 1:
            self.tree.append(leaf_hash(line))
            self._fold(seq, line)

    def settle(self, seq: int, leaf: bytes, event: Event) -> None:
        """Append the next line, given its leaf hash and its event, which was decided in this process."""
        if seq == self.size + 1:
            self.tree.append(leaf)
            if self.stopped is None:
                evolve(self.tournament, event)

    def _fold_all(self, lines: Iterable[bytes]) -> None:
        """Do the same as `_fold` for each line if nothing was suspended or resumed. At a start this is the main cost."""
        t, (root, basis) = self.tournament, self._checked
        try:
            for event in map(read, lines, count(1)):
                if event.basis != basis or event.basisroot != root:
                    if not self._follows(event.seq, event):
                        return
                    root, basis = self._checked
                evolve(t, event)
        except Unreadable as problem:
            self.stopped = say("line {seq} cannot be read: {detail}", seq=problem.line, detail=problem.detail)

    def _fold(self, seq: int, line: bytes) -> None:
        """Read and apply a line of the tree, unless the state has stopped or stops here."""
        if self._stop is not None:
            self.halt(seq)
        if self.stopped is not None:
            return
        try:
            event = read(line, seq)
        except Unreadable as problem:
            if self._was_resumed(seq):
                skip_event(self.tournament, line, seq)
            else:
                self.stopped = say("line {seq} cannot be read: {detail}", seq=seq, detail=problem.detail)
            return
        if (event.basisroot, event.basis) == self._checked or self._follows(seq, event):
            evolve(self.tournament, event)

    def _follows(self, seq: int, event: Line) -> bool:
        """Return whether the event states our root at its basis, or was skipped when the tournament was resumed."""
        basis = event.basis
        if 0 <= basis < seq and b2a_base64(self.tree.root(basis), newline=False).decode() == event.basisroot:
            self._checked = (event.basisroot, basis)
            return True
        if self._was_resumed(seq):
            return True
        self.stopped = say("line {seq} names another root at {basis} than this log has", seq=seq, basis=basis)
        return False

    def _was_resumed(self, seq: int) -> bool:
        """Return whether an operator has resumed the tournament past line ``seq``."""
        return self._stop is not None and seq <= self._stop.resumed

    def halt(self, seq: int) -> None:
        """Stop applying events if line ``seq`` comes after a fault that the follower found, unless the tournament was resumed."""
        if self._stop is not None and self._stop.standing and seq > self._stop.seq and self.stopped is None:
            self.stopped = self._stop.why

    def current_view(self) -> View:
        """Return the view for readers, which is copied at most once for each ``seq``."""
        if self.view is None or self.view.seq != self.tournament.seq or self.view.stopped != self.stopped:
            seq = self.tournament.seq
            self.view = View(self.tournament.fork(), seq, self.tree.root(seq), self.stopped)
        return self.view
