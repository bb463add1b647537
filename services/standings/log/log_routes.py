"""The log over HTTP: by pages, whole, and as it comes."""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

import msgspec
from flask import Blueprint, Response, request
from marshmallow import ValidationError, fields, post_load, validate

from services.standings import queries
from services.standings.descriptions.log_filter import LogFilter, log_page
from shared.core.event_types.registry import NEWEST, OFFICIAL
from shared.core.language.messages import say
from shared.core.readings.claims import instant
from shared.core.terms import ROLES, RULEBOOK, Role
from shared.core.values.bounds import HIGHEST
from shared.desk.desk import Desk, View
from shared.desk.views import stream_of
from shared.http.answers import LogLine, TournamentListAnswer
from shared.http.operations import WHOLE_LOG, Operation
from shared.http.reads import paging, stream, tournament_query
from shared.http.reads.tournament_query import ReadQuery
from shared.http.requests import auth
from shared.wire.answer import Answer

TYPES = tuple(name for row in OFFICIAL for name in (row.name, *row.older_versions()))
AUTHORS: tuple[Role, ...] = (*ROLES, RULEBOOK.role)
"""The roles that a line can have been written in."""
_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)")


class Names(fields.Field[tuple[str, ...]]):
    """Names out of a closed set, separated by commas in one value or given as several."""

    def __init__(self, known: tuple[str, ...], **options: Any) -> None:
        super().__init__(**options)
        self._known = known
        self.metadata = {
            **self.metadata,
            "type": "array",
            "items": {"type": "string", "enum": [*known]},
            "uniqueItems": True,
        }

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> tuple[str, ...]:
        values = value if isinstance(value, list) else [value]
        names = tuple(n for v in values if isinstance(v, str) for n in v.split(",") if n)
        wrong = [n for n in names if n not in self._known]
        if wrong or len(set(names)) < len(names) or not all(isinstance(v, str) for v in values):
            fault = tuple(name[:40] for name in wrong[:3]) or say("a name is listed twice")
            raise ValidationError([say("{fault}; possible: {known}", fault=fault, known=tuple(self._known))])
        return names


class Instant(fields.Field[datetime]):
    """A time that says its offset from UTC (RFC 3339)."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.metadata = {**self.metadata, "type": "string", "format": "date-time"}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> datetime:
        time = instant(value) if isinstance(value, str) and _RFC_3339.fullmatch(value) else None
        if time is None:
            raise ValidationError(
                [say("must be a time with its offset, such as 2026-05-01T09:30:00Z (in an address, write + as %2B)")]
            )
        return time


class LogFilterQuery(ReadQuery):
    """The query that chooses lines of the log; loaded, with a `LogFilter` under ``chosen``."""

    type = Names(
        TYPES,
        load_default=(),
        metadata={"description": "Return only events of these types, in every version. Comma-separated."},
    )
    player = fields.Integer(
        load_default=None,
        validate=validate.Range(1, HIGHEST),
        metadata={"description": "Return only events about this player number."},
    )
    round = fields.Integer(
        load_default=None,
        validate=validate.Range(1, 100),
        metadata={"description": "Return only events about this round."},
    )
    board = fields.Integer(
        load_default=None,
        validate=validate.Range(1, HIGHEST),
        metadata={"description": "Return only events about this board."},
    )
    role = Names(
        AUTHORS,
        load_default=(),
        metadata={"description": "Return only events written in these roles. Comma-separated."},
    )
    actor = fields.String(
        load_default=None,
        validate=validate.Length(1, 200),
        metadata={"description": "Return only events written by this login name."},
    )
    since = Instant(
        load_default=None, metadata={"description": "Return only events at or after this time (RFC 3339 with offset)."}
    )
    until = Instant(
        load_default=None, metadata={"description": "Return only events at or before this time (RFC 3339 with offset)."}
    )

    @post_load
    def _chosen(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        since, until = data["since"], data["until"]
        if since is not None and until is not None and until < since:
            raise ValidationError({"until": [say("lies before since")]})
        chosen = LogFilter(
            types=frozenset(NEWEST[name] for name in data["type"]),
            player=data["player"],
            round=data["round"],
            board=data["board"],
            roles=frozenset(data["role"]),
            actor=data["actor"],
            since=since,
            until=until,
        )
        return data | {"chosen": chosen}


class EventsQuery(LogFilterQuery):
    cursor = fields.String(metadata={"description": "Position of the page, from `next` of the page before."})
    limit = fields.Integer(
        metadata={
            "description": "Maximum number of events on a page, from 1 to 500. Default 100.",
            "minimum": 1,
            "maximum": 500,
        }
    )


class LineAnswer(Answer):
    """An event with its sequence number."""

    seq: int
    event: LogLine


class EventsAnswer(TournamentListAnswer):
    """A page of the log."""

    events: Sequence[LineAnswer]


NDJSON = "application/x-ndjson"


def log(bp: Blueprint, desk: Desk) -> None:
    """Register the route of a tournament's events, all or a selection."""

    @bp.get("/v1/tournaments/<t>/events")
    @Operation(
        "List events of the log",
        name="listEvents",
        description=(
            "JSON returns pages. `application/x-ndjson` returns all events, one per line, exactly as they are "
            "stored. `text/event-stream` returns stored events and then new ones as they are written. Filters can "
            "be combined."
        ),
        query=EventsQuery,
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

    def exported(t: str, view: View, chosen: LogFilter) -> Response:
        rows = desk.lines(stream_of(t), 0, view.seq)
        content = b"".join(row.line + b"\n" for row in rows if chosen.fits(view.state, row))
        return tournament_query.tagged(view.seq, content, NDJSON)

    def page(t: str, view: View, chosen: LogFilter) -> Response:
        window = paging.window()
        read, bounds = partial(desk.lines, stream_of(t)), {"after": window.after, "limit": window.limit}
        found = log_page(read, view.state, chosen, upto=view.seq, **bounds)
        next = None if found.next is None else paging.next_url(found.next)
        events = [LineAnswer(row.seq, msgspec.Raw(row.line)) for row in found.rows]
        return paging.listed(view, EventsAnswer, events, next)
