"""The source of an event's score sheets: the log that contains them, or the copy that standings follows."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from shared.core.language.messages import Message, say
from shared.desk.desk import Desk
from shared.desk.score_sheets import lines_until, score_sheets
from shared.desk.views import stream_of

Read = TypeVar("Read")
MOST_BYTES = 256 << 20
"""Limit for the score sheets of one event. For larger ones, their location is reported instead."""


class Sheets(NamedTuple):
    """The score sheets of an event by game, or None and the reason why they are ``missing``.

    ``later`` is the number of omitted events that were written after newer events of the log.
    """

    lines: Mapping[str, Sequence[bytes]] | None
    missing: Message | None = None
    later: int = 0


AskSheets = Callable[[str, Sequence[bytes]], Sheets]
"""A function that returns the score sheets of a tournament as of the time when its log had these events."""


def sheets_here(desk: Desk) -> AskSheets:
    """Return the function for score sheets in the log that contains them."""

    def ask(t: str, log: Sequence[bytes]) -> Sheets:
        lines: dict[str, list[bytes]] = {}
        size = 0
        for game, sheet in score_sheets(desk, t):
            size += sum(map(len, sheet))
            if size > MOST_BYTES:
                return _too_large(t)
            lines[game] = sheet
        return _standing_on(lines, log, desk, t)

    return ask


def sheets_followed(desk: Desk, behind: Callable[[], Message | None]) -> AskSheets:
    """Return the function for the score sheets that standings follows.

    ``behind`` returns why standings may not have read all of them. If one may be incomplete, the function returns none,
    since an audit of a part of a sheet would differ.
    """
    here = sheets_here(desk)

    def ask(t: str, log: Sequence[bytes]) -> Sheets:
        late, sheets = behind(), here(t, log)
        if sheets.lines is None:
            return sheets
        missing = late or incomplete(sheets.lines, log)
        return Sheets(None, missing) if missing else sheets

    return ask


class _SheetRef(msgspec.Struct):
    lines: int


class _Commitment(msgspec.Struct, frozen=True):
    game: str = ""
    sheet: _SheetRef | None = None


class _Official(msgspec.Struct):
    data: _Commitment = _Commitment()


class _Last(msgspec.Struct):
    sourceseq: int = 0


_OFFICIAL, _LAST = msgspec.json.Decoder(_Official), msgspec.json.Decoder(_Last)
_COMMITS = b'"sheet":{'


def incomplete(sheets: Mapping[str, Sequence[bytes]], log: Sequence[bytes]) -> Message | None:
    """Return which score sheet lacks events that its last one or the log counts, or None if all are complete."""
    counts = {game: _read(_LAST, lines[-1]).sourceseq for game, lines in sheets.items() if lines}
    for line in log:
        if _COMMITS in line and (data := _read(_OFFICIAL, line).data).sheet is not None:
            counts[data.game] = max(counts.get(data.game, 0), data.sheet.lines)
    for game, count in sorted(counts.items()):
        if (held := len(sheets.get(game, ()))) < count:
            return say(
                "the score sheet of {game} is incomplete: {held} of {count} events have arrived",
                game=game,
                held=held,
                count=count,
            )
    return None


def _read(decoder: msgspec.json.Decoder[Read], line: bytes) -> Read:
    """Return what a line says, or what an empty one would if it cannot be read: that is the audit's to report."""
    try:
        return decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return decoder.decode(b"{}")


def _standing_on(sheets: Mapping[str, Sequence[bytes]], log: Sequence[bytes], desk: Desk, t: str) -> Sheets:
    """Return the sheets without the events that depend on later events of the log, which was read before the sheets."""
    since = [row.line for row in desk.lines(stream_of(t), len(log))]
    standing = {game: lines_until(sheet, log, since) for game, sheet in sheets.items()}
    left = sum(map(len, sheets.values())) - sum(map(len, standing.values()))
    return Sheets({game: lines for game, lines in standing.items() if lines or not sheets[game]}, later=left)


def _too_large(t: str) -> Sheets:
    return Sheets(
        None,
        say(
            "the score sheets exceed {size} MiB and are not included: download them at {place}",
            size=MOST_BYTES >> 20,
            place=f"/v1/tournaments/{t}/sheets",
        ),
    )
