"""When a record's lines count: by source and ``sourceseq`` alone, the same for every ledger."""

from collections.abc import Callable
from typing import Literal, NamedTuple

import msgspec

from shared.core.terms import SOURCES


class _Head(msgspec.Struct):
    """All that a ledger reads of a line."""

    source: str
    sourceseq: int
    subject: str
    causationid: str = ""


_HEAD = msgspec.json.Decoder(_Head)
_SOURCES = frozenset(SOURCES)


class Judgement(NamedTuple):
    """``accept``: the lines are next. ``repeat``, ``ahead``: dropped. ``fork``: a used number with other bytes.
    ``no line``: no readable source and number of one of the four."""

    verdict: Literal["accept", "repeat", "ahead", "fork", "no line"]
    stream: str = ""
    source: str = ""
    first: int = 0
    command: str = ""


def judge(
    lines: list[bytes],
    last: Callable[[str, str], int],
    held: Callable[[str, str, int], bytes | None],
) -> Judgement:
    """Judge one record (the lines of one command, without LF).

    ``last(stream, source)`` is the highest number the ledger has; ``held(stream,
    source, number)`` the line under a number.
    """
    try:
        head = _HEAD.decode(lines[0])
    except (msgspec.MsgspecError, UnicodeDecodeError, IndexError):
        return Judgement("no line")
    if head.source not in _SOURCES or not head.subject.startswith("tournaments/"):
        return Judgement("no line")
    expected = last(head.subject, head.source) + 1
    place = (head.subject, head.source, head.sourceseq, head.causationid)
    if head.sourceseq == expected:
        return Judgement("accept", *place)
    if head.sourceseq > expected:
        return Judgement("ahead", *place)
    same = all(held(head.subject, head.source, head.sourceseq + i) == line for i, line in enumerate(lines))
    return Judgement("repeat" if same else "fork", *place)


def judge_own(lines: list[bytes], source: str, last: Callable[[str], int]) -> Judgement | None:
    """A record of a service's own whose lines its table lacks and which are next there; None for any other.

    ``last(stream)`` is the highest number the table has; score sheets are judged alike.
    """
    try:
        head = _HEAD.decode(lines[0])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    if head.source != source or not head.subject.startswith(("tournaments/", "games/")):
        return None
    if head.sourceseq != last(head.subject) + 1:
        return None
    return Judgement("accept", head.subject, head.source, head.sourceseq, head.causationid)
