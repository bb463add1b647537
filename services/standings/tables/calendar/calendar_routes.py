"""The list of tournaments over HTTP, filtered and by date, and as a calendar feed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import msgspec
from flask import Blueprint, Response, request
from marshmallow import ValidationError, fields, validate, validates_schema

from services.standings import queries
from services.standings.tables.calendar.calendar_query import Calendar, CalendarQuery, chosen_by, place_of
from services.standings.tables.calendar.entries import card
from services.standings.tables.calendar.icalendar import Occasion, icalendar
from shared.core.language.messages import say
from shared.desk.desk import Desk
from shared.desk.views import stream_of
from shared.http import common_routes
from shared.http.answers import ListAnswer
from shared.http.common_routes import TournamentAnswer
from shared.http.language import language
from shared.http.operations import TABLE, Operation
from shared.http.reads import paging, tournament_query
from shared.http.requests.request_parts import etag, unchanged
from shared.log.calendar import CALENDAR_ORDERS, CalendarEntry
from shared.web.page import format_of, game, link

ICALENDAR = "text/calendar"
MOST_OCCASIONS = 500
"""Tournaments of a feed."""
_FORMER = {"from", "limit"}
"""The parameters of the list without conditions, which is read from the logs and not from the calendar."""


class ListQuery(CalendarQuery):
    from_ = fields.String(
        data_key="from",
        attribute="from",
        load_default="",
        metadata={
            "description": "Return tournaments whose ID sorts after this one. Not valid with other parameters except `limit`."
        },
    )
    limit = fields.Integer(
        load_default=100,
        validate=validate.Range(1, 500),
        metadata={"description": "Maximum number of tournaments on a page. Default 100."},
    )
    cursor = fields.String(load_default=None, metadata={"description": paging.QUERY["cursor"]})
    order = fields.String(
        load_default="id",
        validate=validate.OneOf(CALENDAR_ORDERS),
        metadata={
            "description": "`id`, or by the first day: `date` (earliest first) or `-date` (latest first). Default `id`."
        },
    )

    @validates_schema
    def _one_scheme(self, data: dict[str, Any], **kwargs: Any) -> None:
        if request.args.get("from") and not _FORMER.issuperset(request.args):
            raise ValidationError([say("only valid with limit; use cursor with other parameters")], "from")


class TournamentsAnswer(ListAnswer):
    """A page of the list of tournaments."""

    tournaments: Sequence[TournamentAnswer]


def calendar(bp: Blueprint, stored: Calendar) -> None:
    """Add the list, and the feed."""
    desk = stored.desk

    @bp.get("/v1/tournaments")
    @Operation(
        "List tournaments",
        name="listTournaments",
        description=(
            "Tournaments are sorted by ID, or by `order`. All conditions must be met. A tournament without announced days "
            "has those of its first and last event. With conditions, `order` or `cursor`, the answer is 503 (`list-incomplete`) "
            "while the list is built after an upgrade. If services are separate, it also lags behind the logs: usually by one or "
            "two seconds, and by up to about a minute if many logs change."
        ),
        answer=TournamentsAnswer,
        tagged=False,
        query=ListQuery,
        errors=(503,),
    )
    def all_tournaments() -> Response:
        sent = tournament_query.query()
        rows, next = _by_id(desk, sent) if _FORMER.issuperset(request.args) else _found(stored, sent)
        response = Response(msgspec.json.encode(TournamentsAnswer(rows, next=next)), mimetype="application/json")
        return paging.linked(response, next)

    @bp.get("/v1/calendar.ics")
    @Operation(
        "Get the calendar of tournaments",
        name="getCalendar",
        description=(
            f"Returns the tournaments with announced days as iCalendar (RFC 5545), at most {MOST_OCCASIONS}, the latest first. "
            "Calendar programs can subscribe to it. The UID of a tournament never changes."
        ),
        query=CalendarQuery,
        media=(ICALENDAR,),
        errors=(503,),
        cost=TABLE,
    )
    def feed() -> Response:
        chosen = replace(chosen_by(tournament_query.query()), dated=True)
        stored.require_complete()
        found, _ = stored.page(chosen, "-date", None, MOST_OCCASIONS)
        content = icalendar(language.words(say("Tournaments")), map(_occasion, found))
        tag = etag(0, content)
        response = Response(status=304) if unchanged(request, tag) else Response(content, mimetype=ICALENDAR)
        response.headers["ETag"] = tag
        response.headers["Cache-Control"] = "no-cache"
        language.mark(response)
        return response


Rows = Sequence[TournamentAnswer]


def _by_id(desk: Desk, sent: Mapping[str, Any]) -> tuple[Rows, str | None]:
    """Return the page of the list without conditions, and the address of the next page or None."""
    views, more = queries.announced_after(desk, sent["from"], sent["limit"])
    next = None if more is None else f"{request.path}?from={more}&limit={sent['limit']}"
    return [common_routes.facts(view) for view in views], next


def _found(stored: Calendar, sent: Mapping[str, Any]) -> tuple[Rows, str | None]:
    """Return the page of the tournaments that meet the conditions, and the address of the next page or None."""
    chosen, after = chosen_by(sent), place_of(sent["cursor"])
    stored.require_complete()
    found, cursor = stored.page(chosen, sent["order"], after, sent["limit"])
    stops = stored.desk.log.stops()
    rows = [_row(stored.desk, entry, bool(entry.stopped) or stream_of(entry.tournament) in stops) for entry in found]
    # A stored row is the JSON of such an answer.
    return cast("Rows", rows), None if cursor is None else paging.url_with(cursor)


def _row(desk: Desk, entry: CalendarEntry, suspended: bool) -> TournamentAnswer | msgspec.Raw:
    """Return the stored row of a tournament, or one from its log if that may state why the tournament is suspended."""
    view = desk.view(entry.tournament) if suspended else None
    return msgspec.Raw(entry.content) if view is None else common_routes.facts(view)


def _occasion(entry: CalendarEntry) -> Occasion:
    t = card(entry).t
    return Occasion(
        entry.uid,
        entry.changed,
        entry.first_day,
        entry.last_day,
        t.name,
        t.place or "",
        f"{game(t.game)}, {format_of(t.format)}",
        f"{request.host_url.rstrip('/')}{link('tournament_page', t=t.id, at=None, without=None)}",
    )
