"""Erasable texts given to the audit: each is named in the log, is given once, and only erased ones are missing."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

from shared.audit.report import Report
from shared.core.events import Event, GameStarted, TextErased
from shared.core.language.messages import say
from shared.core.terms import TextRef

Sheets: TypeAlias = Mapping[str, Sequence[Event]] | None
"""The events of score sheets by game, or None if they were not given."""
_UNSEEN = say("texts that only score sheets may refer to, and the score sheets were not given")


def compare_texts(report: Report, events: Sequence[Event], given: Sequence[str], sheets: Sheets) -> None:
    """Compare the hashes of the ``given`` texts with those in the log and the sheets. Each difference is a finding.

    If the sheets were not given (None), texts that only they may name count as not checked.
    """
    seq_by_hash = {hash: event.seq for event in reversed(events) for hash in text_hashes(event.data)}
    game_by_hash, unseen = _hashes_on_sheets(sheets), _has_unseen_sheets(events, sheets)
    erased = {event.data.hash: event.seq for event in events if isinstance(event.data, TextErased)}
    last, counted = max(len(events), 1), Counter(given)
    for hash, times in counted.items():
        if hash in erased:
            report.add(
                erased[hash],
                erased[hash],
                "text",
                say("the event erased text {hash}, but the given texts contain it", hash=hash),
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
            report.add(
                seq,
                seq,
                "text",
                say("the event refers to text {hash}, but the given texts do not contain it", hash=hash),
            )
    for hash, game in game_by_hash.items():
        if hash not in erased and hash not in counted:
            report.add(
                1,
                last,
                "text",
                say(
                    "the score sheet of {game} refers to text {hash}, but the given texts do not contain it",
                    hash=hash,
                    game=game,
                ),
            )


def _hashes_on_sheets(sheets: Sheets) -> dict[str, str]:
    """Return the hashes in score sheets, each with its game."""
    return {hash: game for game, lines in (sheets or {}).items() for line in lines for hash in text_hashes(line.data)}


def _has_unseen_sheets(events: Sequence[Event], sheets: Sheets) -> bool:
    """Return whether score sheets exist (a game was started) but were not given (None)."""
    return sheets is None and any(isinstance(event.data, GameStarted) for event in events)


def check_erasures(report: Report, events: Sequence[Event], sheets: Sheets) -> None:
    """Check that an earlier event refers to each erased text."""
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
                say("text {hash} is erased, but no earlier event refers to it", hash=event.data.hash),
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
