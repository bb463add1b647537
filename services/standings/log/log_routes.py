"""The log over HTTP: by pages, whole, and as it comes."""

from collections.abc import Sequence

import msgspec
from flask import Blueprint, Response, request

from services.standings import queries
from services.standings.descriptions.log_filter import LogFilter, log_page
from services.standings.log import log_queries
from shared.desk.desk import Desk, View
from shared.desk.views import stream_of
from shared.http.answers import LogLine, TournamentListAnswer
from shared.http.operations import WHOLE_LOG, Operation
from shared.http.reads import paging, stream, tournament_query
from shared.http.requests import auth
from shared.log.port import Row
from shared.wire.answer import Answer


class LineAnswer(Answer):
    """An event with its sequence number."""

    seq: int
    event: LogLine


class EventsAnswer(TournamentListAnswer):
    """A page of the log."""

    events: Sequence[LineAnswer]


NDJSON = "application/x-ndjson"


def log(bp: Blueprint, desk: Desk) -> None:
    """The lines of a tournament, all or those that are asked for."""

    @bp.get("/v1/tournaments/<t>/events")
    @Operation(
        "List events of the log",
        name="listEvents",
        description=(
            "JSON returns pages. `application/x-ndjson` returns all events, one per line, exactly as they are "
            "stored. `text/event-stream` returns stored events and then new ones as they are written. Filters can "
            "be combined."
        ),
        query=log_queries.EventsQuery,
        answer=EventsAnswer,
        media=("application/json", NDJSON, stream.MEDIA),
    )
    def events(t: str) -> Response:
        stream.last_id()
        chosen: LogFilter = tournament_query.query()["chosen"]
        media = request.accept_mimetypes.best_match(["application/json", NDJSON, stream.MEDIA])
        view = tournament_query.view(desk, t)
        if media == stream.MEDIA:
            return stream.follow(desk, t, queries.LiveFilter(lambda: queries.folded(desk, t), chosen))
        auth.charge(WHOLE_LOG)
        return exported(t, view, chosen) if media == NDJSON else page(t, view, chosen)

    def lines_of(t: str, after: int, upto: int) -> list[Row]:
        return desk.lines(stream_of(t), after, upto)

    def exported(t: str, view: View, chosen: LogFilter) -> Response:
        rows = lines_of(t, 0, view.seq)
        content = b"".join(row.line + b"\n" for row in rows if chosen.fits(view.state, row))
        return tournament_query.tagged(view.seq, content, NDJSON)

    def page(t: str, view: View, chosen: LogFilter) -> Response:
        window = paging.window()
        found = log_page(
            lambda after, upto: lines_of(t, after, upto), view.state, chosen,
            after=window.after, upto=view.seq, limit=window.limit,
        )  # fmt: skip
        next = None if found.next is None else paging.next_url(found.next)
        events = [LineAnswer(row.seq, msgspec.Raw(row.line)) for row in found.rows]
        return paging.listed(view, EventsAnswer, events, next)
