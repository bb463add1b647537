"""The ledgers in a process's memory: each tournament's log with its state, read once, checked and kept up to date."""

import threading
import time
from binascii import b2a_base64
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count

from shared.core.event_types.evolve import evolve, evolve_all
from shared.core.event_types.gc_pause import pause_collector
from shared.core.events import Event
from shared.core.language.messages import Message, say
from shared.core.state.tournament import TournamentState
from shared.core.trust.merkle import Tree, leaf_hash
from shared.desk.awaited_commands import AwaitedCommands
from shared.desk.replay import View, skip_event
from shared.desk.signer_port import Departure, never_behind
from shared.log.port import Log, Stop, Transaction, moved
from shared.wire.envelope import Line, Unreadable, read

_HELD = 1000  # tournaments kept in memory; the others are read from the log again
_LOOK_SECONDS = 0.25
"""How often the log is checked for events of other processes, in seconds."""


def stream_of(tournament: str) -> str:
    return f"tournaments/{tournament}"


class Ledger:
    """One tournament's copy of its log.

    ``tree`` has the root after every line. An unreadable line, or one that states another root than ours, still has its number:
    the *state* stops before it (``stopped`` is the reason), while ``size`` continues to grow. ``stop``: the fault that the log's
    follower found. Unreadable lines that were skipped when the tournament was resumed are left out of the state. ``behind``: why
    the log does not continue its signed checkpoint, until it ``continues``.
    """

    __slots__ = ("_checked", "_stop", "behind", "continues", "stopped", "tournament", "tree", "view")

    def __init__(self, tournament: str, stop: Stop | None = None) -> None:
        self.tournament = TournamentState(tournament)
        self._stop = stop
        self.tree = Tree()
        self._checked = ("", -1)
        self.stopped: Message | None = None
        self.behind: Message | None = None
        self.continues = False
        self.view: View | None = None

    @classmethod
    @pause_collector()
    def of(cls, tournament: str, lines: Sequence[bytes], stop: Stop | None = None) -> "Ledger":
        """Return the ledger of all these lines (without LF): like appending each, but faster."""
        ledger = cls(tournament, stop)
        ledger.tree = Tree.of(lines)
        if stop is None:
            evolve_all(ledger.tournament, ledger._checked_events(lines))
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

    def _checked_events(self, lines: Iterable[bytes]) -> Iterator[Event]:
        """Yield the events of all lines up to one that `_fold` would stop at, if nothing was suspended or resumed."""
        root, basis = self._checked
        try:
            for event in map(read, lines, count(1)):
                if event.basis != basis or event.basisroot != root:
                    if not self._follows(event.seq, event):
                        return
                    root, basis = self._checked
                yield event
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
        self.stopped = say(
            "event {seq} states a root hash of the first {basis} events that this log does not have",
            seq=seq,
            basis=basis,
        )
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
        seq, stopped = self.tournament.seq, self.stopped or self.behind
        if self.view is None or self.view.seq != seq or self.view.stopped != stopped:
            self.view = View(self.tournament.fork(), seq, self.tree.root(seq), stopped)
        return self.view


class Folds:
    """Every ledger that this process has loaded. All advance together.

    One thread reads new events at a time. ``changed`` is locked only while it applies them. ``awaited``: the commands whose
    callers wait for the log.
    """

    def __init__(self, log: Log, departure: Departure = never_behind) -> None:
        self._log, self._departure = log, departure
        self._ledgers: OrderedDict[str, Ledger] = OrderedDict()
        self._stops: Mapping[str, Stop] = {}
        self.awaited = AwaitedCommands()
        self._read = log.end()
        self._reading = threading.Lock()
        self._calls, self._answered = count(1), 0
        self.changed = threading.Condition(threading.RLock())
        self._watchers: list[Callable[[], None]] = []
        log.subscribe(self.refresh)

    def watch(self, changed: Callable[[], None]) -> None:
        """Call ``changed``, which must not block, each time that new events were applied, in the thread that applied them."""
        self._watchers.append(changed)

    def _moved(self) -> None:
        self.changed.notify_all()
        for changed in self._watchers:
            changed()

    def refresh(self, tx: Transaction | None = None) -> None:
        """Read the new events in the log. The writer reads them in its transaction ``tx``.

        A call returns without a query if another thread has made one since.
        """
        call = next(self._calls)
        with self._reading:
            if tx is None and call < self._answered:
                return
            answered = next(self._calls)
            self._advance(tx or self._log)
            self._answered = answered

    def lag(self) -> int:
        """Return the number of official events of the log that this process has not read yet."""
        with self.changed:
            return len(self._log.tail(self._read))

    def apply_committed(self, settled: Iterable[tuple[str, Event, bytes]], pos: int) -> None:
        """Apply this process's own official events after a commit (stream, event, leaf hash), the last of them at ``pos``."""
        with self.changed:
            self._read = {**self._read, -1: max(self._read.get(-1, 0), pos)}
            for stream, event, leaf in settled:
                ledger = self._ledgers.get(stream)
                if ledger is not None:
                    ledger.settle(event.seq, leaf, event)  # ignores an event that a reader has read meanwhile
            self._moved()

    def _advance(self, log: Log | Transaction) -> None:
        news = log.news(self._read)
        with self.changed:
            self._read = moved(self._read, news.rows)
            changed = self._stops_changed(news.stops) or bool(news.rows)
            for row in news.rows:
                ledger = self._ledgers.get(row.stream)
                if ledger is not None:
                    ledger.take(row.seq, row.line)
                    if row.seq > ledger.size:  # It lacks events that were compressed meanwhile: it is read again.
                        del self._ledgers[row.stream]
            if changed:
                self._moved()
        self.awaited.arrive(news.rows)

    def _stops_changed(self, stops: Mapping[str, Stop]) -> bool:
        """Take over the follower's faults, and return whether they changed. Ledgers that they concern are read again."""
        if stops == self._stops:
            return False
        for stream in stops.keys() | self._stops.keys():
            if stops.get(stream) != self._stops.get(stream):
                self._ledgers.pop(stream, None)
        self._stops = stops
        return True

    def get(self, tournament: str, *, keep: bool = True) -> Ledger:
        """Return the ledger of a tournament, loaded from the log if necessary. ``keep`` it in memory then."""
        stream = stream_of(tournament)
        with self.changed:
            ledger = self._ledgers.get(stream)
            if ledger is None:
                ledger = self._loaded(tournament)
                if ledger.size and keep:
                    self._ledgers[stream] = ledger
                    if len(self._ledgers) > _HELD:
                        self._ledgers.popitem(last=False)
            else:
                self._ledgers.move_to_end(stream)
            return ledger

    def _loaded(self, tournament: str, upto: int | None = None) -> Ledger:
        rows = self._log.lines(stream_of(tournament), upto=upto)
        lines = [row.line for seq, row in enumerate(rows, 1) if row.seq == seq]  # none after a missing event
        ledger = Ledger.of(tournament, lines, self._log.stops().get(stream_of(tournament)))
        if upto is None:
            ledger.halt(ledger.size + 1)
        return ledger

    def loaded_states(self) -> list[TournamentState]:
        """Return the states of all tournaments that this process has loaded."""
        with self.changed:
            return [ledger.tournament for ledger in self._ledgers.values()]

    def current_view(self, tournament: str, *, keep: bool = True) -> View | None:
        """Return the view of a tournament for readers, or None if the log has no event of it."""
        with self.changed:
            ledger = self.get(tournament, keep=keep)
            self.why_behind(ledger)
            return ledger.current_view() if ledger.size else None

    def why_behind(self, ledger: Ledger) -> Message | None:
        """Return why a log does not continue its signed checkpoint, or None. Once it does, it is not compared again."""
        if ledger.size and not ledger.continues:
            ledger.behind = self._departure(ledger.tournament, ledger.size, ledger.tree.root)
            if ledger.behind is not None:
                self._advance(self._log)  # another process may have written and signed since the log was read
                ledger.behind = self._departure(ledger.tournament, ledger.size, ledger.tree.root)
            ledger.continues = ledger.behind is None
        return ledger.behind

    def view_at(self, tournament: str, seq: int) -> View:
        """Return the view of a tournament after its event ``seq``, which must exist."""
        return self._loaded(tournament, seq).current_view()

    def seqs(self, tournaments: Iterable[str]) -> dict[str, int]:
        """Return the newest sequence number of each of these tournaments, including events of other processes."""
        self.refresh()
        with self.changed:
            return {t: int(self.get(t).tournament.seq) for t in tournaments}

    def wait_for_news(self, timeout: float) -> None:
        """Wait until this process has applied or written events, at most ``timeout`` and at most 0.25 seconds."""
        with self.changed:
            self.changed.wait(min(timeout, _LOOK_SECONDS))

    def wait(self, tournament: str, after: int, timeout: float) -> int:
        """Wait at most ``timeout`` seconds until more than ``after`` events are applied, and return the tournament's ``seq``."""
        end = time.monotonic() + timeout
        while True:
            self.refresh()
            with self.changed:
                seq = int(self.get(tournament).tournament.seq)
                left = end - time.monotonic()
                if seq > after or left <= 0:
                    return seq
                self.changed.wait(min(left, _LOOK_SECONDS))
