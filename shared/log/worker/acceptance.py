"""When a record's lines count: by source and ``sourceseq`` alone, the same for every ledger."""

import re
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, Protocol

import msgspec
from sqlalchemy.engine import Connection

from shared.core.language.messages import Message, say
from shared.core.terms import HIGHEST, SOURCES
from shared.log.sql.ledger_erasures import NOT_READ


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
        """Why it is no line. Raises AssertionError for what is one."""
        assert self.why is not None, self.verdict
        return self.why


class Place(NamedTuple):
    """Where the lines of a record say that they belong: a stream, whose line, and the number of the first."""

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
        """What was taken is undone."""


def place_in_log(lines: Sequence[bytes]) -> Place | None:
    """Where a record's lines (without LF) belong; None where they are not the lines of one command.

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
        return Judgement("no line", why=say("no lines of one command of one of the four services"))
    if not belongs(place.stream):
        return Judgement(
            "no line", why=say("lines under another key, or in another partition, than those of their tournament")
        )
    expected = last(place.stream, place.source) + 1
    if place.first == expected:
        return Judgement("accept", *place)
    if place.first > expected:
        return Judgement("ahead", *place)
    same = all(held(place.stream, place.source, place.first + i) == line for i, line in enumerate(lines))
    return Judgement("repeat" if same else "fork", *place)
