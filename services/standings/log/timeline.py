"""The time line of a log: what happened between one pairing and the next, by the headers of its lines alone. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from shared.core.event_types.registry import NAMES, NEWEST
from shared.core.events import RoundPaired
from shared.log.port import Row

_PAIRED = NAMES[RoundPaired]


class _Round(msgspec.Struct, gc=False):
    round: int = 0


class _Header(msgspec.Struct, gc=False):
    """What of a line the time line reads; of a pairing its round too."""

    type: str
    time: str
    data: msgspec.Raw


_HEADER, _ROUND = msgspec.json.Decoder(_Header), msgspec.json.Decoder(_Round)


@dataclass(slots=True)
class Happening:
    """Lines of one type within a span: how many, the ``first`` and the ``last`` with their times (RFC 3339)."""

    first: int
    began: str
    last: int = 0
    ended: str = ""
    count: int = 0


@dataclass(slots=True)
class Span:
    """The log from a pairing of ``round`` (0: from its beginning) to the next one: its lines, and what happened by type."""

    round: int
    first: int
    last: int = 0
    by_type: dict[str, Happening] = field(default_factory=dict)


@dataclass(slots=True)
class Timeline:
    """The spans of a log up to line ``seq``; it goes on where it ended."""

    seq: int = 0
    spans: list[Span] = field(default_factory=list)

    def take(self, rows: Iterable[Row]) -> None:
        """Go on with the next lines; of one that cannot be read only the number is told."""
        for row in rows:
            self.seq = row.seq
            try:
                header = _HEADER.decode(row.line)
                type = NEWEST.get(header.type, header.type)
                paired = _ROUND.decode(header.data).round if type == _PAIRED else 0
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue
            if paired or not self.spans:
                self.spans.append(Span(paired, row.seq))
            self._note(type, row.seq, header.time)

    def _note(self, type: str, seq: int, time: str) -> None:
        span = self.spans[-1]
        span.last = seq
        one = span.by_type.get(type)
        if one is None:
            one = span.by_type[type] = Happening(seq, time)
        one.last, one.ended, one.count = seq, time, one.count + 1
