"""The folds a process holds: each tournament as the log has it, read once and kept up to date."""

import threading
import time
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from shared.envelope import Unreadable, read
from shared.events import Event
from shared.evolve import evolve
from shared.log.port import Log, Row, Stop, Transaction
from shared.merkle import Tree, leaf_hash
from shared.tournament import Tournament

_HELD = 1000
_PREFIX = "tournaments/"


def stream_of(tournament: str) -> str:
    return _PREFIX + tournament


@dataclass(frozen=True, slots=True)
class View:
    """What readers get: ``fold(log[:seq])``, and the root there. Nothing pending is in it."""

    tournament: Tournament
    seq: int
    root: bytes
    stopped: str | None = None


class Ledger:
    """One tournament's lines as the log has them.

    ``tree`` has the root after every line. A line that cannot be read, or that names
    another root than ours, has its number all the same: the *fold* stops before it
    (``stopped`` says why), ``size`` goes on. ``stop`` is what the follower found in it.
    """

    __slots__ = ("_checked", "_stop", "stopped", "tournament", "tree", "view")

    def __init__(self, tournament: str, stop: Stop | None = None) -> None:
        self.tournament = Tournament(tournament)
        self._stop = stop
        self.tree = Tree()
        self._checked = ("", -1)
        self.stopped: str | None = None
        self.view: View | None = None

    @property
    def size(self) -> int:
        return self.tree.size

    def take(self, row: Row) -> None:
        """The next line, as its bytes stand in the log."""
        if row.seq == self.size + 1:
            self._grow(leaf_hash(row.line), self._read(row))

    def settle(self, seq: int, leaf: bytes, event: Event) -> None:
        """The next line, by its leaf hash and as it was decided in this process."""
        if seq == self.size + 1:
            self._grow(leaf, event)

    def _grow(self, leaf: bytes, event: Event | None) -> None:
        self.tree.append(leaf)
        if self.stopped is None and event is not None:
            evolve(self.tournament, event)

    def _read(self, row: Row) -> Event | None:
        self.halt(row.seq)
        if self.stopped is not None:
            return None
        try:
            line = read(row.line, row.seq)
        except Unreadable as problem:
            self.stopped = f"line {row.seq} cannot be read: {problem.detail}"
            return None
        basis = line.basis
        if (line.basisroot, basis) != self._checked:
            if not 0 <= basis <= self.size or b64encode(self.tree.root(basis)).decode() != line.basisroot:
                if self._stop is None or row.seq > self._stop.resumed:
                    self.stopped = f"line {row.seq} names another root at {basis} than this log has"
                    return None
                return line
            self._checked = (line.basisroot, basis)
        return line

    def halt(self, seq: int) -> None:
        """Stop the fold where line ``seq`` lies behind what the follower found, and nobody has gone past that."""
        if self._stop is not None and self._stop.standing and seq > self._stop.seq and self.stopped is None:
            self.stopped = self._stop.why

    def look(self) -> View:
        """The fork for readers, made at most once for each ``seq``."""
        if self.view is None or self.view.seq != self.tournament.seq or self.view.stopped != self.stopped:
            seq = self.tournament.seq
            self.view = View(self.tournament.fork(), seq, self.tree.root(seq), self.stopped)
        return self.view


class Folds:
    """Every ledger that this process has loaded, all advanced together under one lock."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._ledgers: OrderedDict[str, Ledger] = OrderedDict()
        self._stops: Mapping[str, Stop] = {}
        self._awaited: dict[str, int] = {}
        self._pos = log.end()
        self.changed = threading.Condition(threading.RLock())
        log.watch(self.refresh)

    def refresh(self, tx: Transaction | None = None) -> None:
        """Read what is new in the log; a writer reads it under its lock."""
        with self.changed:
            self._advance(tx or self._log)

    def lag(self) -> int:
        """Official lines of the log that this process has not read yet."""
        with self.changed:
            return len(self._log.tail(self._pos))

    def committed(self, settled: Iterable[tuple[str, Event, bytes]], pos: int) -> None:
        """Take this process's own official lines after a commit (stream, event, leaf hash), the last of them at ``pos``.

        A line that a reader has brought in meanwhile is known by its number.
        """
        with self.changed:
            self._pos = max(self._pos, pos)
            for stream, event, leaf in settled:
                ledger = self._ledgers.get(stream)
                if ledger is not None:
                    ledger.settle(event.seq, leaf, event)
            self.changed.notify_all()

    def _advance(self, log: Log | Transaction) -> None:
        news = log.news(self._pos)
        moved = self._stops_changed(news.stops)
        for row in news.rows:
            moved = True
            self._pos = row.pos
            if row.command in self._awaited:
                self._awaited[row.command] = row.seq
            ledger = self._ledgers.get(row.stream)
            if ledger is not None:
                ledger.take(row)
        if moved:
            self.changed.notify_all()

    def _stops_changed(self, stops: Mapping[str, Stop]) -> bool:
        """Take what the follower found; a ledger that it concerns is read anew."""
        if stops == self._stops:
            return False
        for stream in stops.keys() | self._stops.keys():
            if stops.get(stream) != self._stops.get(stream):
                self._ledgers.pop(stream, None)
        self._stops = stops
        return True

    def get(self, tournament: str) -> Ledger:
        """The ledger of a tournament, loaded from the log where it is not held yet."""
        stream = stream_of(tournament)
        with self.changed:
            ledger = self._ledgers.get(stream)
            if ledger is None:
                ledger = self._loaded(tournament)
                if ledger.size:
                    self._ledgers[stream] = ledger
                    if len(self._ledgers) > _HELD:
                        self._ledgers.popitem(last=False)
            else:
                self._ledgers.move_to_end(stream)
            return ledger

    def _loaded(self, tournament: str, upto: int | None = None) -> Ledger:
        stream = stream_of(tournament)
        rows = self._log.lines(stream, upto=upto)
        ledger = Ledger(tournament, self._log.stops().get(stream))
        for row in rows:
            ledger.take(row)
        if upto is None:
            ledger.halt(ledger.size + 1)
        return ledger

    def look(self, tournament: str) -> View | None:
        """What readers get of a tournament; None where the log has no line of it."""
        with self.changed:
            ledger = self.get(tournament)
            return ledger.look() if ledger.size else None

    def at(self, tournament: str, seq: int) -> View:
        """The tournament as it was after line ``seq``. The caller has checked that it has been."""
        return self._loaded(tournament, seq).look()

    def expect(self, command: str) -> None:
        """Note a command before it is decided, so that its lines are known when they come back."""
        with self.changed:
            self._awaited[command] = 0

    def returned(self, command: str, timeout: float) -> int | None:
        """The ``seq`` of an expected command's last line, waited for at most ``timeout`` seconds."""
        end = time.monotonic() + timeout
        with self.changed:
            while not self._awaited.get(command) and (left := end - time.monotonic()) > 0:
                if not self.changed.wait(min(left, 0.25)):
                    self.refresh()
            return self._awaited.get(command) or None

    def forget(self, command: str) -> None:
        """Expect a command no longer."""
        with self.changed:
            self._awaited.pop(command, None)

    def wait(self, tournament: str, after: int, timeout: float) -> int:
        """Wait until the tournament has more than ``after`` lines folded, or ``timeout`` seconds; its ``seq``.

        Lines of other processes are looked for four times a second.
        """

        end = time.monotonic() + timeout
        while True:
            self.refresh()
            with self.changed:
                seq = int(self.get(tournament).tournament.seq)
                left = end - time.monotonic()
                if seq > after or left <= 0:
                    return seq
                self.changed.wait(min(left, 0.25))
