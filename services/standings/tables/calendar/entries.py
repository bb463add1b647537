"""The calendar's entry of a tournament, computed from its state, and what a card of a page shows of it."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

import msgspec

from shared.core.rounds.rounds_to_come import open_boards
from shared.core.rulebook.formats import FORMATS, Format
from shared.core.values.bounds import CALENDAR_DAY
from shared.desk.desk import View
from shared.http.common_routes import facts
from shared.log.calendar import CalendarEntry
from shared.web.name_order import name_key, plain

VERSION = 1
"""The version of these entries. A higher one makes every database compute its entries again.

Raise it with each change of `calendar_entry`, and of the members of `TournamentAnswer`.
"""
_DAY = slice(10)
"""The date in a time (RFC 3339)."""
_DAYS_AFTER = 1
"""Days for which a tournament is current after its last announced day: somewhere on earth, it is still that day."""
_DAYS_WITHOUT_EVENT = 30
"""Days for which an undated tournament is current after its last event."""


class FirstEvent(NamedTuple):
    """The first event of a tournament: its ID, and the day on which it was written."""

    id: str
    day: str


def calendar_entry(view: View, first_event: FirstEvent) -> CalendarEntry:
    """Return the entry of a tournament. If no days are announced, those of the first and last event are its days."""
    t = view.state
    announced = t.announced
    if announced is None or t.unlisted:
        return CalendarEntry(t.id, view.seq)
    changed = max(t.times.values(), default="")
    first = announced.begins or announced.ends
    # Logs of edition 2 may have other texts than days.
    dated = all(CALENDAR_DAY.fault(day) is None for day in (first, announced.ends or first)) and bool(first)
    first, last = (first, announced.ends or announced.begins) if dated else (first_event.day, changed[_DAY])
    answer = facts(View(t, view.seq, view.root))
    return CalendarEntry(
        t.id,
        view.seq,
        answer.state,
        announced.game,
        first,
        last,
        "" if t.closed() else _later(last, _DAYS_AFTER if dated else _DAYS_WITHOUT_EVENT),
        int(dated),
        searchable(announced.place),
        "\n".join((searchable(announced.name), searchable(announced.place), announced.game, plain(t.id))),
        int(view.stopped is not None),
        open_boards(t),
        changed,
        first_event.id,
        msgspec.json.encode(answer),
    )


def searchable(text: str) -> str:
    """Return a text as words are searched in it: folded, and followed by the pinyin of Chinese characters."""
    return plain(text) if text.isascii() else f"{plain(text)} {''.join(name_key(text))}"


def _later(day: str, days: int) -> str:
    try:
        return (date.fromisoformat(day) + timedelta(days)).isoformat()
    except (ValueError, OverflowError):
        return day


class CardFacts(msgspec.Struct, frozen=True):
    """The members of a `TournamentAnswer` that a card shows."""

    id: str
    name: str
    game: str
    format: Format
    rounds: int
    stages: list[msgspec.Raw]
    round: int
    players: int
    closed: bool
    place: str | None

    @property
    def planned(self) -> int:
        """Return the announced number of rounds, or 0 if stages, entries or results decide it."""
        return 0 if self.stages or not FORMATS[self.format].rounds_announced else self.rounds


@dataclass(frozen=True, slots=True)
class Card:
    """A tournament in a list of a page. The days are those of its `CalendarEntry`."""

    t: CardFacts
    first_day: str
    last_day: str
    open: int


def card(entry: CalendarEntry) -> Card:
    """Return the card of an entry."""
    found = msgspec.json.decode(entry.content, type=CardFacts)
    return Card(found, entry.first_day, entry.last_day, entry.open_boards)
