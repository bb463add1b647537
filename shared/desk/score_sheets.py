"""The score sheets of a tournament that a command handler's log contains."""

from collections.abc import Iterator, Sequence

import msgspec

from shared.core.terms import GAMES
from shared.desk.cold_storage import sheet_streams
from shared.desk.desk import Desk


def score_sheets(desk: Desk, tournament: str) -> Iterator[tuple[str, list[bytes]]]:
    """Yield each game's ID and the lines of its sheet, by ID."""
    for stream in sheet_streams(desk.streams, tournament):
        yield stream.removeprefix("games/"), [row.line for row in desk.lines(stream)]


class _Head(msgspec.Struct):
    """The position of a line, as the line states it."""

    source: str
    sourceseq: int
    basis: int
    causationid: str
    official: int | None = None


_HEAD = msgspec.json.Decoder(_Head)


def lines_until(sheet: Sequence[bytes], log: Sequence[bytes], since: Sequence[bytes]) -> list[bytes]:
    """Return a sheet's lines at the time when the log had the lines ``log``; it got ``since`` later, or not yet.

    Last lines are left out if they depend on later events, or if their command wrote later events. Other lines stay, whatever
    they contain: the audit judges them.
    """
    written = next((head.sourceseq for line in reversed(log) if (head := _head(line)) and head.source == GAMES), 0)
    commands = {head.causationid for line in since if (head := _head(line))}
    end = len(sheet)
    while end and (head := _head(sheet[end - 1])):
        if head.basis <= len(log) and (head.official or 0) <= written and head.causationid not in commands:
            break
        end -= 1
    return list(sheet[:end])


def _head(line: bytes) -> _Head | None:
    """Return the position that a line states, or None if it cannot be read."""
    try:
        return _HEAD.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
