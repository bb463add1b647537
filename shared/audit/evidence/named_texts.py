"""Texts that lines name and nobody has erased: they must be there, and where one is not, it was lost."""

from collections.abc import Collection, Iterable, Sequence
from sys import intern
from typing import NamedTuple

from shared.audit.evidence.text_evidence import text_hashes
from shared.core.language.messages import Message, say
from shared.log.port import Row
from shared.log.sql.ledger_erasures import erased_by
from shared.wire.envelope import Unreadable, read

TEXT_MARK = b'"text":"'
"""What stands in every line that names a text, and in few others."""


class NamedText(NamedTuple):
    """A text by its ``hash``, and the line that was the first to name it."""

    hash: str
    stream: str
    seq: int

    @property
    def tournament(self) -> str:
        kind, _, name = self.stream.partition("/")
        return name if kind == "tournaments" else name.rsplit(".", 2)[0]

    @property
    def place(self) -> Message:
        """Its line, and which sheet's where it is one's."""
        kind, _, name = self.stream.partition("/")
        if kind == "tournaments":
            return say("line {number}", number=self.seq)
        return say("line {line} of the score sheet of {game}", line=self.seq, game=name)


class NamedTexts:
    """What lines name, of any logs and sheets, fed with them in whatever parts they come."""

    def __init__(self) -> None:
        self._named: list[NamedText] = []
        self._known: set[str] = set()
        self._erased: set[str] = set()

    def __len__(self) -> int:
        return len(self._named)

    def read(self, rows: Iterable[Row]) -> None:
        """The next lines of their streams; one that cannot be read names nothing."""
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
        """So many of those that were named, erased ones too, in their order from place ``start``."""
        return self._named[start : start + count]

    def missing(self, held: Collection[str], among: Iterable[NamedText] | None = None) -> list[NamedText]:
        """Those (``among`` some, or all) that nobody erased and that are not among the hashes ``held``."""
        asked = self._named if among is None else among
        return [text for text in asked if text.hash not in self._erased and text.hash not in held]
