"""The page of the log: its lines as sentences, all or those that are asked for."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, time, tzinfo
from functools import partial
from typing import NamedTuple

from flask import Blueprint, Response, request

from services.standings import queries
from services.standings.descriptions.log_filter import LogFilter
from services.standings.descriptions.log_filter import log_page as page_of_lines
from services.standings.descriptions.registry import TITLES, sentence
from services.standings.log.log_routes import AUTHORS, LogFilterQuery
from services.standings.page_context import LAYOUT, PageContext, line_address, page_context
from shared.core.events import Event
from shared.core.language.handles import login_name
from shared.core.language.messages import Message
from shared.desk.desk import Desk
from shared.desk.views import stream_of
from shared.http.common_problems import beyond_the_end
from shared.http.operations import TABLE, WHOLE_LOG
from shared.http.reads import paging, tournament_query
from shared.http.requests import auth
from shared.http.requests.request_parts import load
from shared.log.port import Row
from shared.web.name_order import name_key
from shared.web.page import leads_to
from shared.web.times import zone_of


@dataclass(frozen=True, slots=True)
class LogLine:
    """An event on a page; ``event`` and ``sentence`` are None if this version cannot read it.

    ``texts`` are the erasable texts for readers who may see them, None for others.
    """

    seq: int
    event: Event | None
    sentence: Message | None
    texts: tuple[str | None, ...]


def log_lines(page: PageContext, rows: Iterable[Row]) -> list[LogLine]:
    """Rows of the log as lines of a page."""
    return [_line(page, row) for row in rows]


def _line(page: PageContext, row: Row) -> LogLine:
    event = queries.event_of(row)
    if event is None:
        return LogLine(row.seq, None, None, ())
    words = sentence(page.state, event.data, page.call)
    return LogLine(row.seq, event, words, tuple(page.texts_of(event.data)))


_FIELDS = ("type", "player", "round", "board", "role", "actor", "since", "until")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class LogChoice(NamedTuple):
    """The lines that are chosen, and by which fields; ``typed`` has those that were filled in."""

    typed: Mapping[str, str]
    filter: LogFilter


def log_choice(arguments: Mapping[str, str], zone: tzinfo) -> LogChoice:
    """Return the filter that an address states. ``since`` and ``until`` may be days of a time zone, both inclusive.

    Raises `Problem` 422 with ``errors`` naming each field that cannot be read.
    """
    typed = {name: text for name in _FIELDS if (text := arguments.get(name, "").strip())}
    sent = dict(typed)
    if "actor" in sent:
        sent["actor"] = login_name(sent["actor"])
    for name, of_day in (("since", time.min), ("until", time.max)):
        if name in sent:
            sent[name] = _instant(sent[name], of_day, zone)
    chosen: LogFilter = load(LogFilterQuery, sent)["chosen"]
    return LogChoice(typed, chosen)


def _instant(text: str, of_day: time, zone: tzinfo) -> str:
    """Return the time of a day in a zone as RFC 3339, and any other text unchanged."""
    if not _DAY.fullmatch(text):
        return text
    try:
        return datetime.combine(datetime.fromisoformat(text), of_day, zone).isoformat()
    except (ValueError, OverflowError):
        return text


def log(bp: Blueprint, desk: Desk) -> None:
    """Add the page of the log. ``?line`` leads to an event on it."""

    @LAYOUT.serves(bp, "/t/<t>/log", cost=TABLE)
    def log_page(t: str) -> Response:
        page = page_context(desk, t)
        if request.args.get("line"):
            return leads_to(_address_of_line(page))
        choice, window = log_choice(request.args, zone_of(page.state)), paging.window()
        if choice.filter.chooses:
            auth.charge(WHOLE_LOG)

        bounds = {"after": window.after, "upto": page.view.seq, "limit": window.limit}
        found = page_of_lines(partial(desk.lines, stream_of(t)), page.state, choice.filter, **bounds)
        return page.render(
            "log.html",
            typed=choice.typed,
            lines=log_lines(page, found.rows),
            looked=(window.after + 1, found.next or page.view.seq),
            more=None if found.next is None else paging.cursor(found.next),
            before=_before(window, chosen=choice.filter.chooses),
            newest=None if found.next is None or choice.filter.chooses else _newest(page, window),
            types=sorted(TITLES.items(), key=lambda row: row[0]),
            roles=AUTHORS,
            players=sorted(page.state.players, key=lambda p: name_key(page.name(p) or "")),
        )


def _address_of_line(page: PageContext) -> str:
    seq = tournament_query.number("line", 1) or 1
    if seq > page.view.seq:
        raise beyond_the_end(page.state.id, page.view.seq)
    return line_address(seq)


def _newest(page: PageContext, window: paging.Window) -> str:
    """Return the cursor of the page that ends with the last event."""
    return paging.cursor(max(0, page.view.seq - window.limit))


def _before(window: paging.Window, *, chosen: bool) -> str | None:
    """Return the cursor of the previous page, or None on the first. Filtered events are not counted: theirs is the first page."""
    if not window.after:
        return None
    return paging.cursor(0 if chosen else max(0, window.after - window.limit))
