"""Which lines of a log are asked for, and a page of them. Pure: whoever asks gives the lines and the tournament."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import msgspec

from services.standings.descriptions.registry import mentions
from shared.core.event_types.registry import NEWEST
from shared.core.readings.claims import instant
from shared.core.state.tournament import TournamentState
from shared.core.terms import Role, RulingId
from shared.log.port import Row
from shared.wire.envelope import Unreadable, read

SCANNED_AT_MOST = 10_000
"""Lines that one page is looked for in: what fits rarely is found over several pages, each in its time."""
_AT_ONCE = 500

Read = Callable[[int, int], Sequence[Row]]
"""The lines of a tournament after one seq up to another."""


class _Header(msgspec.Struct, gc=False):
    """What of a line can be told before its data are read."""

    type: str
    role: str
    actor: str
    time: str


_HEADER = msgspec.json.Decoder(_Header)


@dataclass(frozen=True, slots=True)
class LogFilter:
    """Which lines are chosen; all that is asked for must fit, and nothing asked for chooses every line.

    ``types`` are the newest versions' names, each for all versions. ``board`` is that of a game the line speaks of, in
    ``round`` where both are given; a pairing speaks of all its boards. ``role`` is that in which its author spoke.
    ``actor`` is the login name of its author. ``since`` and ``until`` bound its time, both inclusive. ``ruling`` is a ruling
    that it makes, annuls, appeals against or names as a reason. Filters that choose the same are equal.
    """

    types: frozenset[str] = frozenset()
    player: int | None = None
    round: int | None = None
    board: int | None = None
    roles: frozenset[Role] = frozenset()
    actor: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    ruling: RulingId | None = None

    @property
    def chooses(self) -> bool:
        """Whether it asks for anything at all."""
        return self != EVERY_LINE

    def fits(self, t: TournamentState, row: Row) -> bool:
        """Whether a line of this tournament is chosen; one that cannot be read is, only where nothing is asked for."""
        return not self.chooses or (self._fits_header(row.line) and self._fits_data(t, row))

    def _fits_header(self, line: bytes) -> bool:
        try:
            header = _HEADER.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return False
        if self.types and NEWEST.get(header.type) not in self.types:
            return False
        if (self.roles and header.role not in self.roles) or self.actor not in (None, header.actor):
            return False
        return self._fits_time(header.time)

    def _fits_time(self, text: str) -> bool:
        if self.since is None and self.until is None:
            return True
        time = instant(text)
        return time is not None and (self.since or time) <= time <= (self.until or time)

    def _fits_data(self, t: TournamentState, row: Row) -> bool:
        if (self.player, self.round, self.board, self.ruling) == (None, None, None, None):
            return True
        try:
            data = read(row.line, row.seq).data
        except Unreadable:
            return False
        spoken = mentions(t, data)
        if self.player not in (None, *spoken.players) or self.round not in (None, *spoken.rounds):
            return False
        if self.ruling is not None and self.ruling not in spoken.rulings:
            return False
        return self.board is None or any(
            board == self.board and self.round in (None, round) for round, board in spoken.boards
        )


EVERY_LINE = LogFilter()


class LogPage(NamedTuple):
    """Chosen lines in their order, and the line after which the next page begins; None where the log was read to its end."""

    rows: list[Row]
    next: int | None


def log_page(lines: Read, t: TournamentState, chosen: LogFilter, *, after: int, upto: int, limit: int) -> LogPage:
    """The first ``limit`` chosen lines after line ``after`` up to ``upto``.

    A page may have fewer, or none, and a next one all the same: after `SCANNED_AT_MOST` lines it ends.
    """
    rows: list[Row] = []
    end = min(upto, after + SCANNED_AT_MOST)
    while after < end:
        for row in lines(after, min(end, after + _AT_ONCE)):
            if chosen.fits(t, row):
                if len(rows) == limit:
                    return LogPage(rows, rows[-1].seq)
                rows.append(row)
        after = min(end, after + _AT_ONCE)
    return LogPage(rows, end if end < upto else None)
