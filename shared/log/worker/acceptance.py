"""When a record's lines count: by source and ``sourceseq`` alone, the same for every ledger."""

import re
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, Protocol

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.language.messages import Message, say
from shared.core.terms import SOURCES, Source
from shared.core.values.bounds import HIGHEST
from shared.log.sql.ledger_erasures import NOT_READ
from shared.log.sql.tables import EVENTS

_AHEAD = 256
"""Own lines read at once: those behind the one that is asked for come next."""
_HELD = 50_000


class _Head(msgspec.Struct):
    """All that a ledger reads of a line."""

    source: str
    sourceseq: int
    subject: str
    causationid: str = ""


_HEAD = msgspec.json.Decoder(_Head)
_SOURCES = frozenset(SOURCES)
_SUBJECT = re.compile(r"(tournaments|games)/[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
_COMMAND = re.compile(r"[\x20-\x7e]{0,200}")


class Judgement(NamedTuple):
    """``accept``: the lines are next. ``repeat``, ``ahead``: dropped. ``fork``: a used number with other bytes.
    ``no line``: no record of one command of one of the four, under its own key and in its own partition; ``why`` says
    which of these it is not. ``forged``: without the signature of the service in whose name it comes (`Verifier`)."""

    verdict: Literal["accept", "repeat", "ahead", "fork", "no line", "forged"]
    stream: str = ""
    source: str = ""
    first: int = 0
    command: str = ""
    why: Message | None = None

    @property
    def reason(self) -> Message:
        """Return why it is not an event. Raises AssertionError for an event."""
        assert self.why is not None, self.verdict
        return self.why


class Place(NamedTuple):
    """The place in the log that the lines of a record claim: a stream, whose line, and the number of the first."""

    stream: str
    source: str
    first: int
    command: str


class Verifier(Protocol):
    """Tells by signatures whether records come from the service in whose name they come."""

    def why_not(self, connection: Connection, place: Place, lines: Sequence[bytes]) -> Message | None:
        """Why a record is not that service's; None where it is, or where its tournament has no keys."""

    def took(self, place: Place, seq: int, lines: Sequence[bytes]) -> None:
        """Official lines were appended to the ledger, the first as ``seq``; they may not be in its table yet."""

    def forget(self) -> None:
        """Undo what was taken."""


def place_in_log(lines: Sequence[bytes]) -> Place | None:
    """Return the place of a record's lines (without LF), or None unless they are the lines of one command.

    They have one source of the four, one subject, one ``causationid`` and consecutive numbers.
    """
    try:
        head = _HEAD.decode(lines[0])
        if head.source not in _SOURCES or not 1 <= head.sourceseq <= HIGHEST:
            return None
        if not _SUBJECT.fullmatch(head.subject) or not _COMMAND.fullmatch(head.causationid):
            return None
        for number, line in enumerate(lines[1:], head.sourceseq + 1):
            other = _HEAD.decode(line)
            if (other.source, other.sourceseq, other.subject) != (head.source, number, head.subject):
                return None
            if other.causationid != head.causationid:
                return None
    except (*NOT_READ, IndexError):
        return None
    return Place(head.subject, head.source, head.sourceseq, head.causationid)


def judge(
    lines: Sequence[bytes],
    last: Callable[[str, str], int],
    held: Callable[[str, str, int], bytes | None],
    belongs: Callable[[str], bool] = lambda stream: True,
) -> Judgement:
    """Judge one record (the lines of one command, without LF).

    ``last(stream, source)`` is the highest number the ledger has; ``held(stream, source, number)`` the line under a
    number; ``belongs`` says whether a stream's records have this record's key and lie in its partition.
    """
    place = place_in_log(lines)
    if place is None or not place.stream.startswith("tournaments/"):
        return Judgement(
            "no line", why=say("the record must contain the events of one command of one of the four services")
        )
    if not belongs(place.stream):
        return Judgement("no line", why=say("the record key and the partition must be those of the tournament"))
    expected = last(place.stream, place.source) + 1
    if place.first == expected:
        return Judgement("accept", *place)
    if place.first > expected:
        return Judgement("ahead", *place)
    same = all(held(place.stream, place.source, place.first + i) == line for i, line in enumerate(lines))
    return Judgement("repeat" if same else "fork", *place)


class OwnLines:
    """A service's own official lines as its table has them, read in stretches.

    A line is in the table before the relay can send it; so a record in the service's name that the table does not hold
    was written by somebody else.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self._lines: dict[tuple[str, int], bytes] = {}

    def forget(self) -> None:
        self._lines.clear()

    def why_foreign(self, connection: Connection, judgement: Judgement, lines: Sequence[bytes]) -> Message | None:
        """Return why a record in this service's name is not its own, or None if it is or names another service."""
        if judgement.source != self.source:
            return None
        for number, line in enumerate(lines, judgement.first):
            written = self._line(connection, judgement.stream, number)
            if written is None:
                return say(
                    "record {number} claims to be from {source}, but {source} did not write it",
                    number=number,
                    source=self.source,
                )
            if written != line:
                return say(
                    "record {number} of {source} has different bytes from those that {source} wrote",
                    number=number,
                    source=self.source,
                )
        return None

    def _line(self, connection: Connection, stream: str, number: int) -> bytes | None:
        known = self._lines.pop((stream, number), None)
        if known is None:
            if len(self._lines) > _HELD:
                self._lines.clear()
            chosen = sa.select(EVENTS.c.sourceseq, EVENTS.c.line).where(
                EVENTS.c.source == self.source,
                EVENTS.c.stream == stream,
                EVENTS.c.sourceseq >= number,
                EVENTS.c.sourceseq < number + _AHEAD,
            )
            self._lines |= {(stream, n): line for n, line in connection.execute(chosen)}
            known = self._lines.pop((stream, number), None)
        return known
