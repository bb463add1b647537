"""Texts that events refer to and nobody has erased. They must exist; a missing one was lost."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from sys import intern
from typing import Any, NamedTuple, TypeAlias

from shared.audit.report import Report
from shared.core.events import Event, GameStarted, TextErased
from shared.core.language.messages import Message, say
from shared.core.terms import TextRef
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
        """Return the event's number, and the score sheet if it is on one."""
        kind, _, name = self.stream.partition("/")
        if kind == "tournaments":
            return say("line {number}", number=self.seq)
        return say("line {line} of the score sheet of {game}", line=self.seq, game=name)


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


Sheets: TypeAlias = Mapping[str, Sequence[Event]] | None
"""The events of score sheets by game, or None if they were not given."""
_UNSEEN = say("texts that a score sheet may name")


def compare_texts(report: Report, events: Sequence[Event], given: Sequence[str], sheets: Sheets) -> None:
    """Compare the hashes of the ``given`` texts with those in the log and the sheets. Each difference is a finding."""
    seq_by_hash = {hash: event.seq for event in reversed(events) for hash in text_hashes(event.data)}
    game_by_hash, unseen = _hashes_on_sheets(sheets), _has_unseen_sheets(events, sheets)
    erased = {event.data.hash: event.seq for event in events if isinstance(event.data, TextErased)}
    last, counted = max(len(events), 1), Counter(given)
    for hash, times in counted.items():
        if hash in erased:
            report.add(
                erased[hash], erased[hash], "text", say("the text {hash} was erased here, and is given", hash=hash)
            )
        elif hash not in seq_by_hash and hash not in game_by_hash and unseen:
            report.leave_out(_UNSEEN, 1)
        elif hash not in seq_by_hash and hash not in game_by_hash:
            report.add(1, last, "text", say("text {hash} is given, but no event refers to it", hash=hash))
        if times > 1:
            report.add(
                seq_by_hash.get(hash, 1),
                seq_by_hash.get(hash, last),
                "text",
                say("the text {hash} is given {times} times", hash=hash, times=times),
            )
    for hash, seq in seq_by_hash.items():
        if hash not in erased and hash not in counted:
            report.add(seq, seq, "text", say("the text {hash} is named here, and is not given", hash=hash))
    for hash, game in game_by_hash.items():
        if hash not in erased and hash not in counted:
            report.add(
                1,
                last,
                "text",
                say("the text {hash} is named by the sheet of {game}, and is not given", hash=hash, game=game),
            )


def _hashes_on_sheets(sheets: Sheets) -> dict[str, str]:
    """Return the hashes in score sheets, each with its game."""
    return {hash: game for game, lines in (sheets or {}).items() for line in lines for hash in text_hashes(line.data)}


def _has_unseen_sheets(events: Sequence[Event], sheets: Sheets) -> bool:
    """Return whether there are sheets that were not given."""
    return sheets is None and any(isinstance(event.data, GameStarted) for event in events)


def check_erasures(report: Report, events: Sequence[Event], sheets: Sheets) -> None:
    """Check that an earlier event contains each erased text; otherwise it was never a text of this log."""
    if not any(isinstance(event.data, TextErased) for event in events):
        return
    hashes, unseen = set(_hashes_on_sheets(sheets)), _has_unseen_sheets(events, sheets)
    for event in events:
        if isinstance(event.data, TextErased) and event.data.hash not in hashes:
            if unseen:
                report.leave_out(_UNSEEN, 1)
                continue
            report.add(
                event.seq,
                event.seq,
                "text",
                say("the text {hash} is erased, and no line before names it", hash=event.data.hash),
            )
        hashes.update(text_hashes(event.data))


def text_hashes(data: Any) -> Iterator[str]:
    """Yield the hashes of the texts in an event's data."""
    if isinstance(data, TextRef):
        yield data.text
    elif is_dataclass(data):
        for field in fields(data):
            yield from text_hashes(getattr(data, field.name))
    elif isinstance(data, tuple):
        for one in data:
            yield from text_hashes(one)
