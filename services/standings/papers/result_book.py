"""The timetable of the rounds, and the book of an event 成绩册: everything that a club keeps, as one job of the printer."""

from datetime import datetime
from typing import Any, NamedTuple

from services.standings.page_context import PageContext
from services.standings.queries import event_of
from services.standings.rounds.boards import round_rows
from shared.core.rounds.rounds_to_come import planned_rounds
from shared.core.terms import Seq
from shared.desk.desk import Desk
from shared.desk.views import stream_of
from shared.web.name_order import name_key
from shared.web.times import local_time


class TimeRow(NamedTuple):
    """A round: its stage, and the times of its pairing, of the beginning of its first game, and of its last result.

    They are in the event's time zone. Each is None if the record does not have it, as in a round that is still to come.
    """

    round: int
    stage: str
    paired: datetime | None = None
    began: datetime | None = None
    ended: datetime | None = None


def timetable(_: Desk, page: PageContext) -> dict[str, Any]:
    """Return a row for each round that was paired or is planned, and the time set for the next one."""
    paired = page.state.rounds_paired()
    rows = [_row(page, n) for n in range(1, paired + 1)]
    rows += [TimeRow(n, "") for n in range(paired + 1, planned_rounds(page.tournament) + 1)]
    begins = page.state.venue_notice.round_begins
    due = page.next_round
    return {"times": rows, "next_begins": local_time(begins, page.state) if begins and due else None, "due": due}


def _row(page: PageContext, round: int) -> TimeRow:
    t = page.tournament
    pairing = t.current(round)
    if pairing is None:
        return TimeRow(round, "")
    games = [t.games[board.game] for board in pairing.event.boards]
    settings = [t.setting(game) for game in games]
    started = min((game.started for game in games if game.started is not None), default=None)
    ended = max((one.seq for one in settings if one is not None), default=None) if None not in settings else None
    return TimeRow(
        round,
        pairing.event.stage,
        _time(page, pairing.seq),
        _time(page, started),
        _time(page, ended if games else None),
    )


def _time(page: PageContext, seq: Seq | None) -> datetime | None:
    """Return the time of an event at the venue, or None without one that can be read."""
    if seq is None:
        return None
    event = next(filter(None, map(event_of, page.desk.lines(stream_of(page.state.id), seq - 1, seq))), None)
    return None if event is None else local_time(event.time, page.state)


def book(desk: Desk, page: PageContext) -> dict[str, Any]:
    """Return the rounds with their boards, and the players by number, for the book of an event."""
    paired = [n for n in range(1, page.state.rounds_paired() + 1) if page.state.current(n) is not None]
    players = sorted(
        page.state.players.values(), key=lambda p: (page.number(p.player), name_key(page.name(p.player) or ""))
    )
    return {"book_rounds": [round_rows(page, n) for n in paired], "book_players": players, **timetable(desk, page)}
