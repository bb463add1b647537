"""Archives of a server: one packed after the other, in a child process beside it."""

from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import NamedTuple
from urllib.parse import urlsplit

from services.standings.formats.archive.contents import SHEETS
from services.standings.formats.archive.zip_file import Given, archive_of
from shared.core.messages import message_of, say
from shared.desk.child_process import ChildProcess, Exhausted
from shared.desk.desk import Desk
from shared.desk.requests import Behind
from shared.desk.score_sheets import score_sheets
from shared.http.problems import unavailable
from shared.http.rate_limits import Limits, Slots
from shared.wire import envelope

_NICE = 10
"""As audits: pairings go before."""
_AT_ONCE = 4
"""Requests that wait for an archive."""
_FULL_SECONDS, _AGAIN_SECONDS = 5, 60
_FETCH_SECONDS = 10.0
MOST_BYTES = 256 << 20
"""Of the score sheets of one event; of larger ones the archive says where they are."""


class Sheets(NamedTuple):
    """The score sheets of an event, by game (None: not at hand), and what of them is missing, and why."""

    lines: Mapping[str, Sequence[bytes]] | None
    missing: tuple[str, ...] = ()


AskSheets = Callable[[str], Sheets]


class Archives:
    """What packs the archives of a server. ``house`` gives its verifier keys as text, ``sheets`` the score sheets of an event.

    An archive has ``limits.audit_seconds`` and ``limits.audit_memory``.
    """

    def __init__(self, limits: Limits, house: Callable[[], str], sheets: AskSheets) -> None:
        self.house, self._sheets = house, sheets
        self._child = ChildProcess(seconds=limits.audit_seconds, memory=limits.audit_memory << 20, nice=_NICE)
        self._places = Slots(_AT_ONCE)

    def packed(self, given: Given) -> bytes:
        """The archive of what is given, with the score sheets beside it.

        Raises `Problem` 503 where too many wait, or where it takes more time or memory than it may.
        """
        if not self._places.take():
            raise unavailable(
                "archives-full", say("as many archives are waited for as this service takes"), _FULL_SECONDS
            )
        try:
            sheets = self._sheets(given.tournament)
            whole = given._replace(sheets=sheets.lines, missing=(*given.missing, *sheets.missing))
            return self._child.run(archive_of, whole)
        except Exhausted as problem:
            raise unavailable("archive-too-large", message_of(problem), _AGAIN_SECONDS) from None
        except Behind as problem:
            raise unavailable("behind", message_of(problem)) from None
        finally:
            self._places.give_back()

    def end(self) -> None:
        """End the child; what it packs is not waited for."""
        self._child.end()


def sheets_here(desk: Desk) -> AskSheets:
    """The score sheets of the log that holds them."""

    def ask(t: str) -> Sheets:
        lines: dict[str, list[bytes]] = {}
        size = 0
        for game, sheet in score_sheets(desk, t):
            size += sum(map(len, sheet))
            if size > MOST_BYTES:
                return _too_large(t)
            lines[game] = sheet
        return Sheets(lines)

    return ask


def sheets_of_games(address: str) -> AskSheets:
    """The score sheets as the games service gives them at its ``address``; empty: nobody knows where it is."""

    def ask(t: str) -> Sheets:
        if not address:
            return _missing("this service was not told where the games service is (ARBITER_GAMES)")
        try:
            content = _fetched(address, f"/v1/tournaments/{t}/sheets")
        except (OSError, HTTPException) as problem:
            return _missing(f"the games service did not give them ({problem})")
        if len(content) > MOST_BYTES:
            return _too_large(t)
        lines: dict[str, list[bytes]] = {}
        for line in content.split(b"\n")[:-1]:
            try:
                stream = envelope.read(line, 0).stream
            except envelope.Unreadable as problem:
                return _missing(f"the games service gave a line that is none ({problem.detail})")
            lines.setdefault(stream.removeprefix("games/"), []).append(line)
        return Sheets(lines)

    return ask


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


def _missing(why: str) -> Sheets:
    return Sheets(None, (f"{SHEETS}: {why}",))


def _too_large(t: str) -> Sheets:
    return _missing(f"more than {MOST_BYTES >> 20} MiB; they are at /v1/tournaments/{t}/sheets")
