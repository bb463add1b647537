"""Hands standings what a command would bring, by the rules of all services; computed in a child process of its own."""

from collections.abc import Mapping, Sequence
from typing import Any

from deploy.server.rules import RULES
from services.games.readers import READERS as GAMES_READERS
from services.penalties.readers import READERS as PENALTIES_READERS
from services.standings.rules.preview import Preview, table_change
from shared.core.terms import Actor, Refusal, Source
from shared.core.tournament import TournamentState
from shared.desk.child_process import ChildProcess, Exhausted
from shared.desk.desk import Desk, View
from shared.desk.foresight import SheetNeeded, foresee
from shared.desk.unknown_official import unknown_official
from shared.http.problems import Problem, refused, unavailable
from shared.http.rate_limits import Limits, Slots
from shared.http.readers import Posted, Readers
from shared.log.texts import Texts

READERS = Readers((*PENALTIES_READERS, *GAMES_READERS))
"""The addresses whose commands are previewed, of all services."""
_NICE = 5
"""Previews go before audits, and after whatever is written."""
_FULL_SECONDS, _AGAIN_SECONDS = 2, 30


class Previews:
    """The previews of a server, one computed after the other.

    A preview has ``limits.preview_seconds`` and ``limits.audit_memory``; at most ``limits.previews`` requests wait for
    one. ``sheets``: whether this log holds the score sheets.
    """

    def __init__(self, desk: Desk, limits: Limits, *, sheets: bool = True) -> None:
        self._desk, self._sheets = desk, sheets
        self._child = ChildProcess(seconds=limits.preview_seconds, memory=limits.audit_memory << 20, nice=_NICE)
        self._places = Slots(limits.previews)

    def read(self, path: str, sent: dict[str, Any]) -> Posted:
        """The command that would be sent. Raises `Problem` as `Readers.read`."""
        return READERS.read(path, sent)

    def preview(self, view: View, posted: Posted, actor: Actor) -> Preview:
        """What a command would bring, decided on the view's line.

        Raises `Problem`: that of the refusal, 503 where too many wait, or where it takes more time or memory than it may.
        """
        current, t = self._desk.caught_up(), view.tournament.id
        command = posted.reader.make(actor, posted.fields, Texts(t), self._desk.now(), **posted.ids)
        if not self._places.take():
            raise unavailable("previews-full", "as many previews are waited for as this service takes", _FULL_SECONDS)
        try:
            outcome = self._foreseen(view.tournament, posted.reader.source, command)
        except Exhausted as problem:
            raise unavailable("preview-too-large", str(problem), _AGAIN_SECONDS) from None
        finally:
            self._places.give_back()
        if isinstance(outcome, Refusal):
            if (unread := unknown_official(outcome, current)) is not None:
                raise unavailable("behind", str(unread))
            raise refused(outcome)
        return outcome

    def _foreseen(self, t: TournamentState, source: Source, command: Any) -> Preview | Refusal:
        """Decided in the child, again with each score sheet that shows to be needed."""
        sheets: dict[str, list[bytes]] | None = {} if self._sheets else None
        while True:
            try:
                return self._child.run(decided_ahead, t, source, command, sheets, self._desk.now())
            except SheetNeeded as needed:
                (game,) = needed.args
                if sheets is None:
                    raise _no_sheet(game) from None
                sheets[game] = [row.line for row in self._desk.lines(f"games/{game}")]

    def end(self) -> None:
        """End the child; what it computes is not waited for."""
        self._child.end()


def _no_sheet(game: str) -> Problem:
    return Problem(
        422, "no-preview", "Nothing to preview", f"what is decided on the score sheet of {game} is not previewed here"
    )


def decided_ahead(
    t: TournamentState, source: Source, command: Any, sheets: Mapping[str, Sequence[bytes]] | None, now: str
) -> Preview | Refusal:
    """The preview of a command; runs in the child process. Raises `SheetNeeded`."""
    foresight = foresee(t, source, command, RULES, sheets=sheets, now=now)
    if isinstance(foresight, Refusal):
        return foresight
    change = table_change(t, foresight.after)
    return Preview(foresight.seq, foresight.events, foresight.lines, foresight.open, change)
