"""Lines in memory, where a desk has them in its log."""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable

from shared.desk.views import stream_of
from shared.log.port import Row


class MemoryLines:
    """What a sender of live streams reads, of lines that are written here."""

    def __init__(self) -> None:
        self._rows: defaultdict[str, list[Row]] = defaultdict(list)
        self._watchers: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def write(self, tournament: str, line: bytes) -> int:
        """One more line; its seq."""
        stream = stream_of(tournament)
        with self._lock:
            seq = len(self._rows[stream]) + 1
            self._rows[stream].append(Row(seq, stream, seq, "", seq, "", 0, line))
        for changed in self._watchers:
            changed()
        return seq

    def watch(self, changed: Callable[[], None]) -> None:
        self._watchers.append(changed)

    def seqs(self, tournaments: Iterable[str]) -> dict[str, int]:
        return {t: len(self._rows[stream_of(t)]) for t in tournaments}

    def ends(self, streams: Iterable[str]) -> dict[str, int]:
        return {stream: len(self._rows[stream]) for stream in streams}

    def lines(self, stream: str, after: int = 0, upto: int | None = None) -> list[Row]:
        return self._rows[stream][after:upto]
