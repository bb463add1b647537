"""Where the score sheets of an event come from: the log that holds them, or the games service that does."""

from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

from shared.core.messages import Message, say
from shared.desk.desk import Desk
from shared.desk.score_sheets import score_sheets, upto
from shared.desk.views import stream_of

_FETCH_SECONDS = 10.0
MOST_BYTES = 256 << 20
"""Of the score sheets of one event; of larger ones it is told where they are."""


class Sheets(NamedTuple):
    """The score sheets of an event, by game (None: not at hand), and why they are ``missing``, if they are; ``later`` lines were
    written when the log had gone on, and are left out."""

    lines: Mapping[str, Sequence[bytes]] | None
    missing: Message | None = None
    later: int = 0


AskSheets = Callable[[str, Sequence[bytes]], Sheets]
"""Asks for the score sheets of a tournament as they stood when these were the lines of its log."""


def sheets_here(desk: Desk) -> AskSheets:
    """The score sheets of the log that holds them."""

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


def sheets_of_games(address: str, desk: Desk) -> AskSheets:
    """The score sheets as the games service gives them at its ``address`` (empty: nobody knows where it is); ``desk`` has the
    log."""

    def ask(t: str, log: Sequence[bytes]) -> Sheets:
        if not address:
            return Sheets(None, say("this service was not told where the games service is (ARBITER_GAMES)"))
        try:
            content = _fetched(address, f"/v1/tournaments/{t}/sheets")
        except (OSError, HTTPException) as problem:
            return Sheets(None, say("the games service did not give them ({problem})", problem=str(problem)))
        if len(content) > MOST_BYTES:
            return _too_large(t)
        lines: dict[str, list[bytes]] = {}
        for line in content.split(b"\n")[:-1]:
            try:
                subject = _SUBJECT.decode(line).subject
            except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
                return Sheets(None, say("the games service gave a line that is none ({problem})", problem=str(problem)))
            lines.setdefault(subject.removeprefix("games/"), []).append(line)
        return _standing_on(lines, log, desk, t)

    return ask


def _standing_on(sheets: Mapping[str, Sequence[bytes]], log: Sequence[bytes], desk: Desk, t: str) -> Sheets:
    """The sheets without what was written on later lines of the log than these: it was read before them."""
    since = [row.line for row in desk.lines(stream_of(t), len(log))]
    standing = {game: upto(sheet, log, since) for game, sheet in sheets.items()}
    left = sum(map(len, sheets.values())) - sum(map(len, standing.values()))
    return Sheets({game: lines for game, lines in standing.items() if lines or not sheets[game]}, later=left)


class _Subject(msgspec.Struct):
    subject: str


_SUBJECT = msgspec.json.Decoder(_Subject)


def _fetched(address: str, path: str) -> bytes:
    """The content of a resource, at most a byte more than may be. Raises OSError, HTTPException."""
    parts = urlsplit(address)
    make = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = make(parts.hostname or "", parts.port, timeout=_FETCH_SECONDS)
    try:
        connection.request("GET", parts.path.rstrip("/") + path, headers={"Accept": "application/x-ndjson"})
        response = connection.getresponse()
        if response.status != 200:
            raise HTTPException(f"status {response.status}")
        content = response.read(MOST_BYTES + 1)
        if response.length:
            raise HTTPException("it ended too early")
        return content
    finally:
        connection.close()


def _too_large(t: str) -> Sheets:
    return Sheets(
        None,
        say("more than {size} MiB; they are at {place}", size=MOST_BYTES >> 20, place=f"/v1/tournaments/{t}/sheets"),
    )
