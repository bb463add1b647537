"""The sender: one thread that reads what live streams tell, once for all of them, and hands it to the loop as bytes.

It also sees when lines are there that requests wait for.
"""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple, Protocol

from shared import structured_log
from shared.desk.desk import BEHIND_SECONDS
from shared.http.reads.stream import Kind, Read, Stream
from shared.http.requests.waits import Awaiting
from shared.log.port import LogUnavailable, Row

_LOOK_SECONDS = 0.25
"""How often lines of other processes are looked for."""
_TURN_SECONDS = 0.05
"""After which those that are furthest behind wait for the next turn."""


class Lines(Protocol):
    """Where lines come from: a desk."""

    def watch(self, changed: Callable[[], None]) -> None: ...
    def seqs(self, tournaments: Iterable[str]) -> dict[str, int]: ...
    def ends(self, streams: Iterable[str]) -> dict[str, int]: ...
    def lines(self, stream: str, after: int = 0, upto: int | None = None) -> list[Row]: ...


class Reader:
    """A stream that is open: it was told all up to line ``after``.

    One that ``catches_up`` gets its next piece when the last one is gone (`Sender.resume`), any other whatever comes.
    """

    __slots__ = ("after", "catches_up", "kind", "log", "owner", "since", "stream")

    def __init__(self, stream: Stream, owner: Any) -> None:
        self.stream, self.owner, self.log, self.kind, self.after = stream, owner, stream.log, stream.kind, stream.after
        self.catches_up = False
        self.since = time.monotonic()


class Wait:
    """A request that is to be brought again when its line is there, or at ``until``."""

    __slots__ = ("awaiting", "owner", "until")

    def __init__(self, awaiting: Awaiting, owner: Any) -> None:
        self.awaiting, self.owner, self.until = awaiting, owner, time.monotonic() + BEHIND_SECONDS


class Delivery(NamedTuple):
    """The same bytes for each of these readers; None: no more can be told, they are to end."""

    readers: Sequence[Reader]
    data: bytes | None


class Sender:
    """Tells the readers of ``source`` what is new, at least a sign of life in ``heartbeat`` seconds.

    ``deliver`` takes a turn's deliveries to the loop; the next turn waits until `delivered`. ``bring`` takes those there
    whose wait is over.
    """

    def __init__(
        self,
        source: Lines,
        heartbeat: float,
        deliver: Callable[[list[Delivery]], None],
        bring: Callable[[list[Wait]], None],
    ) -> None:
        self._source, self._heartbeat, self._deliver, self._bring = source, heartbeat, deliver, bring
        self._readers: dict[Reader, None] = {}
        self._waits: dict[Wait, None] = {}
        self._news, self._taken = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="sender", daemon=True)

    def add(self, reader: Reader) -> None:
        """Tell this reader too."""
        self._readers[reader] = None
        self._begin()

    def expect(self, wait: Wait) -> None:
        """Bring this request when its time has come."""
        self._waits[wait] = None
        self._begin()

    def _begin(self) -> None:
        if self._thread.ident is None:
            self._source.watch(self._news.set)
            self._thread.start()
        self._news.set()

    def remove(self, reader: Reader) -> None:
        self._readers.pop(reader, None)

    def resume(self, reader: Reader) -> None:
        """A reader's last piece is gone."""
        reader.catches_up = False
        self._news.set()

    def delivered(self) -> None:
        """The loop has taken a turn's deliveries."""
        self._taken.set()

    def _run(self) -> None:
        while True:
            self._news.wait(min(_LOOK_SECONDS, self._heartbeat) if self._readers or self._waits else None)
            self._news.clear()
            try:
                self._turn()
            except Exception as problem:  # of one turn: what it did not tell, the next does
                structured_log.crash("sender", problem)

    def _turn(self) -> None:
        self._bring_waits()
        readers = [reader for reader in tuple(self._readers) if not reader.catches_up]
        if not readers:
            return
        deliveries = [*self._told(readers), *self._beats(readers)]
        if deliveries:
            self._taken.clear()
            self._deliver(deliveries)
            self._taken.wait()

    def _bring_waits(self) -> None:
        waits, now = tuple(self._waits), time.monotonic()
        if not waits:
            return
        try:
            ends = self._source.seqs({wait.awaiting.t for wait in waits})
        except LogUnavailable:
            ends = {}
        over = [w for w in waits if w.until <= now or ends.get(w.awaiting.t, 0) >= w.awaiting.after]
        for wait in over:
            self._waits.pop(wait, None)
        if over:
            self._bring(over)

    def _told(self, readers: Sequence[Reader]) -> list[Delivery]:
        """What is new for readers, those first that are least behind; nothing more while the log is away."""
        deliveries: list[Delivery] = []
        try:
            ends, end = self._source.ends({reader.log for reader in readers}), time.monotonic() + _TURN_SECONDS
            together = _together(readers, ends)

            @cache
            def read(log: str, after: int, upto: int) -> list[Row]:
                return self._source.lines(log, after, upto)

            for (log, kind, after), group in sorted(together.items(), key=lambda one: ends[one[0][0]] - one[0][2]):
                deliveries += self._piece(group, kind, partial(read, log), after, ends[log])
                if time.monotonic() > end:
                    self._news.set()
                    break
        except LogUnavailable:
            pass
        return deliveries

    def _piece(self, group: Sequence[Reader], kind: Kind, read: Read, after: int, seq: int) -> list[Delivery]:
        """The next piece for readers who were all told the same. Raises `LogUnavailable`."""
        try:
            events, upto = kind.piece(read, after, seq)
        except LogUnavailable:
            raise
        except Exception as problem:  # of what these asked for: the others go on
            structured_log.crash("stream", problem)
            return [Delivery(group, None)]
        for reader in group:
            reader.after, reader.catches_up = upto, bool(events) and upto < seq
        if events:
            return [self._delivery(group, b"".join(events))]
        if after < upto < seq:
            self._news.set()
        return []

    def _beats(self, readers: Sequence[Reader]) -> list[Delivery]:
        quiet: defaultdict[tuple[Kind, int], list[Reader]] = defaultdict(list)
        late = time.monotonic() - self._heartbeat
        for reader in readers:
            if reader.since <= late:
                quiet[reader.kind, reader.after].append(reader)
        return [self._delivery(group, kind.beat(after)) for (kind, after), group in quiet.items()]

    def _delivery(self, group: Sequence[Reader], data: bytes) -> Delivery:
        now = time.monotonic()
        for reader in group:
            reader.since = now
        return Delivery(group, data)


def _together(readers: Sequence[Reader], ends: Mapping[str, int]) -> Mapping[tuple[str, Kind, int], list[Reader]]:
    """Readers who get the same bytes next, of those who are behind the ends of their logs."""
    together: defaultdict[tuple[str, Kind, int], list[Reader]] = defaultdict(list)
    for reader in readers:
        if reader.after < ends[reader.log]:
            together[reader.log, reader.kind, reader.after].append(reader)
    return together
