"""Texts that were given to the audit: each stands in the log, once, and none is missing but what was erased."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

from shared.audit.report import Report
from shared.core.events import Event, GameStarted, TextErased
from shared.core.language.messages import say
from shared.core.terms import TextRef

Sheets: TypeAlias = Mapping[str, Sequence[Event]] | None
"""The lines of score sheets by their game; None: they were not given."""
_UNSEEN = say("texts that a score sheet may name")


def compare(report: Report, events: Sequence[Event], given: Sequence[str], sheets: Sheets) -> None:
    """Compare the hashes of the ``given`` texts with those that the log and the sheets name; each difference is a finding."""
    named = {hash: event.seq for event in reversed(events) for hash in text_hashes(event.data)}
    kept, unseen = _on_sheets(sheets), _not_seen(events, sheets)
    erased = {event.data.hash: event.seq for event in events if isinstance(event.data, TextErased)}
    last, counted = max(len(events), 1), Counter(given)
    for hash, times in counted.items():
        if hash in erased:
            report.add(
                erased[hash], erased[hash], "text", say("the text {hash} was erased here, and is given", hash=hash)
            )
        elif hash not in named and hash not in kept and unseen:
            report.leave_out(_UNSEEN, 1)
        elif hash not in named and hash not in kept:
            report.add(1, last, "text", say("text {hash} is given, but no event refers to it", hash=hash))
        if times > 1:
            report.add(
                named.get(hash, 1),
                named.get(hash, last),
                "text",
                say("the text {hash} is given {times} times", hash=hash, times=times),
            )
    for hash, seq in named.items():
        if hash not in erased and hash not in counted:
            report.add(seq, seq, "text", say("the text {hash} is named here, and is not given", hash=hash))
    for hash, game in kept.items():
        if hash not in erased and hash not in counted:
            report.add(
                1,
                last,
                "text",
                say("the text {hash} is named by the sheet of {game}, and is not given", hash=hash, game=game),
            )


def _on_sheets(sheets: Sheets) -> dict[str, str]:
    """The hashes that score sheets name, each with its game."""
    return {hash: game for game, lines in (sheets or {}).items() for line in lines for hash in text_hashes(line.data)}


def _not_seen(events: Sequence[Event], sheets: Sheets) -> bool:
    """Whether there are sheets that were not given."""
    return sheets is None and any(isinstance(event.data, GameStarted) for event in events)


def erasures(report: Report, events: Sequence[Event], sheets: Sheets) -> None:
    """Whether each erased text was named by a line before; what no line names was never a text of this log."""
    if not any(isinstance(event.data, TextErased) for event in events):
        return
    named, unseen = set(_on_sheets(sheets)), _not_seen(events, sheets)
    for event in events:
        if isinstance(event.data, TextErased) and event.data.hash not in named:
            if unseen:
                report.leave_out(_UNSEEN, 1)
                continue
            report.add(
                event.seq,
                event.seq,
                "text",
                say("the text {hash} is erased, and no line before names it", hash=event.data.hash),
            )
        named.update(text_hashes(event.data))


def text_hashes(data: Any) -> Iterator[str]:
    """The hashes of the texts that an event's data names."""
    if isinstance(data, TextRef):
        yield data.text
    elif is_dataclass(data):
        for field in fields(data):
            yield from text_hashes(getattr(data, field.name))
    elif isinstance(data, tuple):
        for one in data:
            yield from text_hashes(one)
