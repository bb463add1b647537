"""The front page: the tournaments that are played now, those to come and those before, and the search among all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from flask import Blueprint, Response, request

from services.standings.page_context import LAYOUT
from services.standings.people.people_routes import readable_people
from services.standings.tables.calendar.calendar_query import CONDITIONS, Calendar, CalendarQuery, chosen_by, place_of
from services.standings.tables.calendar.entries import Card, card
from shared.core.language.messages import Message, say
from shared.core.state.tournament import TournamentState
from shared.core.terms import Phase
from shared.http.reads import paging
from shared.http.requests import auth
from shared.http.requests.request_parts import load
from shared.log.calendar import CalendarFilter, CalendarOrder
from shared.web.page import language_switch, link
from shared.web.static_files import static_files

_LISTED = 60
"""Tournaments of a page of a list."""
_SHORT = 12
"""Tournaments of a list that other lists follow."""
STATES: dict[Phase, Message] = {
    "announced": say("not yet begun"),
    "running": say("in progress"),
    "finished": say("finished"),
}


@dataclass(frozen=True, slots=True)
class Section:
    """A list of tournaments under a heading. ``more``: the address of the rest, or None."""

    heading: Message
    cards: Sequence[Card]
    more: str | None


def front(bp: Blueprint, stored: Calendar) -> None:
    """Add the front page, the static files, and the language."""
    static_files(bp)
    LAYOUT.serve_problems(bp)
    language_switch(bp)

    @LAYOUT.serves(bp, "/")
    def front() -> Response:
        typed = {name: text for name in CONDITIONS if (text := request.args.get(name, "").strip())}
        chosen = chosen_by(load(CalendarQuery, dict(typed)))
        oldest_first = request.args.get("order") == "date"
        missing = stored.count_missing()
        # Without conditions, an order is that of a list which the page without them leads to.
        if typed:
            order: CalendarOrder = "date" if oldest_first else "-date"
            sections = [_section(stored, say("Tournaments found"), chosen, order, _LISTED)]
        else:
            sections = _by_date(stored, stored.desk.now()[:10])
        return LAYOUT.page(
            "front.html",
            sections=[section for section in sections if section.cards],
            typed=typed,
            oldest_first=oldest_first,
            missing=missing,
            states=STATES,
            games=stored.desk.log.calendar.games(),
            may_announce=auth.may_announce(),
            unlisted=_unlisted(stored) if auth.may_announce() else [],
            may_import=auth.may_import(),
            has_people=bool(readable_people(stored.desk).ranked(0, 1)),
        )


def _by_date(stored: Calendar, today: str) -> list[Section]:
    """Return the lists of the page without a search. A further page of it lists only the tournaments before."""
    before = _section(stored, say("Earlier tournaments"), CalendarFilter(over_on=today), "-date", _LISTED)
    if "cursor" in request.args:
        return [before]
    current = CalendarFilter(current_on=today)
    now = _section(stored, say("Now playing"), replace(current, state="running"), "-date", _LISTED)
    coming = _section(stored, say("Not begun yet"), replace(current, state="announced"), "date", _SHORT)
    # The rest of these lists is found by a search.
    shown = {
        "running": link("front", state="running", at=None, without=None),
        "announced": link("front", state="announced", order="date", date_from=today, at=None, without=None),
    }
    return [
        replace(now, more=now.more and shown["running"]),
        replace(coming, more=coming.more and shown["announced"]),
        before,
    ]


def _unlisted(stored: Calendar) -> list[TournamentState]:
    """Return tournaments that are prepared and not listed yet, for readers whose token is for all tournaments."""
    views = map(stored.desk.view, stored.desk.log.calendar.unlisted(_LISTED))
    return [view.state for view in views if view is not None and view.state.unlisted]


def _section(stored: Calendar, heading: Message, chosen: CalendarFilter, order: CalendarOrder, most: int) -> Section:
    found, cursor = stored.page(chosen, order, place_of(request.args.get("cursor")), most)
    return Section(heading, [card(entry) for entry in found], None if cursor is None else paging.url_with(cursor))
