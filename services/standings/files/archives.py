"""Archives of a server: one packed after the other, in a child process beside it."""

from collections.abc import Callable

from services.standings.files.archive.contents import SHEETS
from services.standings.files.archive.zip_file import Given, archive_of
from services.standings.files.sheet_sources import AskSheets
from shared.core.language.messages import message_of, say
from shared.desk.computations.child_process import ChildProcess, Exhausted
from shared.desk.requests import Behind
from shared.http.limits.rate_limits import Limits, Slots
from shared.http.problems import unavailable

_NICE = 10
"""As audits: pairings go before."""
_AT_ONCE = 4
"""Requests that wait for an archive."""
_FULL_SECONDS, _AGAIN_SECONDS = 5, 60


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
        full = say("as many archives are waited for as this service takes")
        with self._places.held(unavailable("archives-full", full, _FULL_SECONDS)):
            try:
                sheets = self._sheets(given.tournament, given.lines)
                lacks = (f"{SHEETS}: {sheets.missing}",) if sheets.missing else ()
                whole = given._replace(sheets=sheets.lines, missing=(*given.missing, *lacks))
                return self._child.run(archive_of, whole)
            except Exhausted as problem:
                raise unavailable("archive-too-large", message_of(problem), _AGAIN_SECONDS) from None
            except Behind as problem:
                raise unavailable("behind", message_of(problem)) from None

    def end(self) -> None:
        """End the child; what it packs is not waited for."""
        self._child.end()
