"""Texts that events refer to and nobody has erased. They must exist; a missing one was lost."""

from collections.abc import Collection, Iterable, Sequence
from sys import intern
from typing import NamedTuple

from shared.audit.evidence.text_evidence import text_hashes
from shared.core.language.messages import Message, say
from shared.log.port import Row
from shared.log.sql.ledger_erasures import erased_by
from shared.wire.envelope import Unreadable, read

TEXT_MARK = b'"text":"'
"""Bytes that occur in every line that refers to a text, and in few others."""


class NamedText(NamedTuple):
    """A text by its ``hash``, and the first event that refers to it."""

    hash: str
    stream: str
    seq: int

    @property
    def tournament(self) -> str:
        kind, _, name = self.stream.partition("/")
        return name if kind == "tournaments" else name.rsplit(".", 2)[0]

    @property
    def place(self) -> Message:
        """Return the place of the event as a message: its number, and its score sheet if it is on one."""
        kind, _, name = self.stream.partition("/")
        if kind == "tournaments":
            return say("event {number}", number=self.seq)
        return say("event {line} of the score sheet of {game}", line=self.seq, game=name)


class NamedTexts:
    """The texts that events of any logs and sheets refer to. The events may be read in any number of parts."""

    def __init__(self) -> None:
        self._named: list[NamedText] = []
        self._known: set[str] = set()
        self._erased: set[str] = set()

    def __len__(self) -> int:
        return len(self._named)

    def read(self, rows: Iterable[Row]) -> None:
        """Read the next events of their streams. An unreadable event is ignored."""
        for row in rows:
            self._erased.update(erased_by(row.source, row.line))
            if TEXT_MARK not in row.line:
                continue
            try:
                event = read(row.line, row.seq)
            except Unreadable:
                continue
            for hash in text_hashes(event.data):
                if hash not in self._known:
                    self._known.add(hash)
                    self._named.append(NamedText(hash, intern(row.stream), row.seq))

    def part(self, start: int, count: int) -> Sequence[NamedText]:
        """Return ``count`` texts, including erased ones, in order from index ``start``."""
        return self._named[start : start + count]

    def missing(self, hashes: Collection[str], among: Iterable[NamedText] | None = None) -> list[NamedText]:
        """Return the texts (``among`` these, or all) that nobody erased and whose hashes are not in ``hashes``."""
        texts = self._named if among is None else among
        return [text for text in texts if text.hash not in self._erased and text.hash not in hashes]
