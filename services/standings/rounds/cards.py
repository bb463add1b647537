"""The cards of the front page: a tournament at a glance."""

from dataclasses import dataclass
from functools import lru_cache

from shared.core.state.tournament import Tournament, TournamentState
from shared.desk.desk import Desk, View
from shared.desk.views import stream_of
from shared.wire import envelope

_DAY = slice(10)
"""Of a time (RFC 3339)."""


@dataclass(frozen=True, slots=True)
class Card:
    """A tournament: its first and its last day (ISO 8601), as announced, else by the log; the boards of its round that are
    still open."""

    t: TournamentState
    first_day: str
    last_day: str
    open: int


def card(desk: Desk, view: View) -> Card:
    """The card of a tournament."""
    t = view.state
    said = (t.announced.begins, t.announced.ends) if t.announced is not None else ("", "")
    first = said[0] or said[1] or _first_day(desk, t.id)
    last = said[1] or said[0] or max(t.times.values(), default=first)[_DAY]
    pairing = t.current(t.rounds_paired()) if isinstance(t, Tournament) else None
    games = [] if pairing is None else [t.games[board.game] for board in pairing.event.boards]
    return Card(t, first, last, sum(view.tournament.setting(game) is None for game in games))


@lru_cache(maxsize=256)
def _first_day(desk: Desk, t: str) -> str:
    """The day of the first line, which never changes."""
    (row,) = desk.lines(stream_of(t), 0, 1)
    return envelope.read(row.line, row.seq).time[_DAY]
