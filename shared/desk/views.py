"""The folds a process holds: each tournament as the log has it, read once and kept up to date."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping

from shared.core.events import Event
from shared.core.state.tournament import TournamentState
from shared.desk.replay import Ledger, View
from shared.log.port import Log, Stop, Transaction

_HELD = 1000  # tournaments kept in memory; the others are read from the log again
_LOOK_SECONDS = 0.25
"""How often lines of other processes are looked for."""
_PREFIX = "tournaments/"


def stream_of(tournament: str) -> str:
    return _PREFIX + tournament


class Folds:
    """Every ledger that this process has loaded, all advanced together under one lock."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._ledgers: OrderedDict[str, Ledger] = OrderedDict()
        self._stops: Mapping[str, Stop] = {}
        self._awaited: dict[str, int] = {}
        self._pos = log.end()
        self.changed = threading.Condition(threading.RLock())
        self._watchers: list[Callable[[], None]] = []
        log.subscribe(self.refresh)

    def watch(self, changed: Callable[[], None]) -> None:
        """Call ``changed``, which must not wait, in whichever thread folds new lines, each time that it has."""
        self._watchers.append(changed)

    def _moved(self) -> None:
        self.changed.notify_all()
        for changed in self._watchers:
            changed()

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
            self._moved()

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
                ledger.take(row.seq, row.line)
        if moved:
            self._moved()

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
        # Where one is missing, what follows it is not known.
        lines = [row.line for seq, row in enumerate(rows, 1) if row.seq == seq]
        ledger = Ledger.of(tournament, lines, self._log.stops().get(stream))
        if upto is None:
            ledger.halt(ledger.size + 1)
        return ledger

    def held(self) -> list[TournamentState]:
        """The folds of all tournaments that this process has loaded."""
        with self.changed:
            return [ledger.tournament for ledger in self._ledgers.values()]

    def look(self, tournament: str) -> View | None:
        """What readers get of a tournament; None where the log has no line of it."""
        with self.changed:
            ledger = self.get(tournament)
            return ledger.look() if ledger.size else None

    def at(self, tournament: str, seq: int) -> View:
        """The tournament as it was after line ``seq``. The caller has checked that it has been."""
        return self._loaded(tournament, seq).look()

    def seqs(self, tournaments: Iterable[str]) -> dict[str, int]:
        """The newest line of each of these tournaments, those that other processes wrote included."""
        self.refresh()
        with self.changed:
            return {t: int(self.get(t).tournament.seq) for t in tournaments}

    def expect(self, command: str) -> None:
        """Note a command before it is decided, so that its lines are known when they come back."""
        with self.changed:
            self._awaited[command] = 0

    def returned(self, command: str, timeout: float) -> int | None:
        """The ``seq`` of an expected command's last line, waited for at most ``timeout`` seconds."""
        end = time.monotonic() + timeout
        with self.changed:
            while not self._awaited.get(command) and (left := end - time.monotonic()) > 0:
                if not self.changed.wait(min(left, _LOOK_SECONDS)):
                    self.refresh()
            return self._awaited.get(command) or None

    def forget(self, command: str) -> None:
        """Expect a command no longer."""
        with self.changed:
            self._awaited.pop(command, None)

    def wait_for_news(self, timeout: float) -> None:
        """Wait until this process has folded or written lines, at most as long as others' are waited for."""
        with self.changed:
            self.changed.wait(min(timeout, _LOOK_SECONDS))

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
                self.changed.wait(min(left, _LOOK_SECONDS))
