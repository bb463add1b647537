"""The queries and bodies that standings' routes take, and their answers."""

import re
from datetime import datetime
from typing import Any

from marshmallow import Schema, ValidationError, fields, post_load, validate

from services.standings.descriptions.log_filter import LogFilter
from services.standings.rules.table.table import EDITIONS
from shared.core.event_types.registry import NEWEST, OFFICIAL
from shared.core.language.messages import say
from shared.core.readings.appeals import instant
from shared.core.terms import HIGHEST, ROLES, RULEBOOK, Role

TYPES = tuple(name for row in OFFICIAL for name in (row.name, *row.older()))
AUTHORS: tuple[Role, ...] = (*ROLES, RULEBOOK.role)
"""The roles that a line can have been written in."""
_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)")


MOST_TIEBREAKS = 100
"""Of one question: more than there are without modifiers."""


class Codes(fields.Field[tuple[str, ...]]):
    """Codes of tie-breaks, separated by commas in one value or given as several; the table says which are none."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> tuple[str, ...]:
        values = value if isinstance(value, list) else [value]
        codes = tuple(code for v in values if isinstance(v, str) for code in v.split(",") if code)
        if len(codes) > MOST_TIEBREAKS:
            raise ValidationError([say("at most {most}", most=MOST_TIEBREAKS)])
        return codes


class Names(fields.Field[tuple[str, ...]]):
    """Names out of a closed set, separated by commas in one value or given as several."""

    def __init__(self, known: tuple[str, ...], **options: Any) -> None:
        super().__init__(**options)
        self._known = known
        self.metadata |= {"type": "array", "items": {"type": "string", "enum": [*known]}, "uniqueItems": True}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> tuple[str, ...]:
        values = value if isinstance(value, list) else [value]
        names = tuple(n for v in values if isinstance(v, str) for n in v.split(",") if n)
        wrong = [n for n in names if n not in self._known]
        if wrong or len(set(names)) < len(names) or not all(isinstance(v, str) for v in values):
            fault = tuple(name[:40] for name in wrong[:3]) or say("a name stands there twice")
            raise ValidationError([say("{fault}; takes {known}", fault=fault, known=tuple(self._known))])
        return names


class Instant(fields.Field[datetime]):
    """A time that says its offset from UTC (RFC 3339)."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.metadata |= {"type": "string", "format": "date-time"}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> datetime:
        time = instant(value) if isinstance(value, str) and _RFC_3339.fullmatch(value) else None
        if time is None:
            raise ValidationError([say("a time with its offset, as 2026-05-01T09:30:00Z (in an address a + is %2B)")])
        return time


MOST_RECORDS = 5000
"""Of a report file, in one command."""


class RestartSchema(Schema):
    reason = fields.String(required=True, validate=validate.Length(1, 2000))


class KeptRecordSchema(Schema):
    """A record of a report file: its ``line``, and how many players' lines stood before it."""

    line = fields.String(required=True, validate=validate.Length(0, 2000))
    after = fields.Integer(strict=True, load_default=0, validate=validate.Range(0, 9999))


class ReportFileSchema(Schema):
    """In the file's order, but for the players (001)."""

    records = fields.List(fields.Nested(KeptRecordSchema), required=True, validate=validate.Length(1, MOST_RECORDS))


class PublicationSchema(Schema):
    """Left out: the tournament's own tie-breaks, all rounds that are paired, not final."""

    tiebreaks = fields.List(fields.String(), load_default=None, validate=validate.Length(0, MOST_TIEBREAKS))
    rules = fields.String(load_default=None, validate=validate.OneOf(EDITIONS))
    round = fields.Integer(strict=True, load_default=None, validate=validate.Range(0, 100))
    final = fields.Boolean(load_default=False, truthy={True}, falsy={False})


class ReadQuery(Schema):
    """The point to which the log is read, and the ruling thought away; read by `shared.http.reads.tournament_query.view`."""

    at = fields.Integer(metadata={"description": "as of this line", "minimum": 1, "maximum": HIGHEST})
    after = fields.Integer(metadata={"description": "not before this line", "minimum": 0})
    without = fields.Raw(metadata={"description": "as if this ruling did not stand", "type": "string"})


class TableQuery(ReadQuery):
    tiebreaks = Codes(load_default=None, metadata={"description": "rank by these codes instead"})
    rules = fields.String(
        load_default=None, validate=validate.OneOf(EDITIONS), metadata={"description": "edition of C.07"}
    )
    round = fields.Integer(
        load_default=None, validate=validate.Range(0, 100), metadata={"description": "after this round"}
    )


class LogFilterQuery(ReadQuery):
    """What chooses lines of the log; loaded, with a `LogFilter` under ``chosen``."""

    type = Names(TYPES, load_default=(), metadata={"description": "only these types, each in all its versions"})
    player = fields.Integer(load_default=None, validate=validate.Range(1, HIGHEST))
    round = fields.Integer(load_default=None, validate=validate.Range(1, 100))
    board = fields.Integer(
        load_default=None, validate=validate.Range(1, HIGHEST), metadata={"description": "what speaks of this board"}
    )
    role = Names(AUTHORS, load_default=(), metadata={"description": "what was said in these roles"})
    actor = fields.String(
        load_default=None,
        validate=validate.Length(1, 200),
        metadata={"description": "what this one wrote, by the handle"},
    )
    since = Instant(load_default=None, metadata={"description": "not before this time"})
    until = Instant(load_default=None, metadata={"description": "not after this time"})

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
    cursor = fields.String(metadata={"description": "from the next link of a page"})
    limit = fields.Integer(metadata={"description": "1 to 500", "minimum": 1, "maximum": 500})


class RangeQuery(Schema):
    """Two lengths of the log."""

    from_ = fields.Integer(
        data_key="from", attribute="from", required=True, validate=validate.Range(1, HIGHEST),
        metadata={"description": "the former line"},
    )  # fmt: skip
    to = fields.Integer(required=True, validate=validate.Range(1, HIGHEST), metadata={"description": "the later line"})


class ListQuery(Schema):
    from_ = fields.String(
        data_key="from", attribute="from", load_default="", metadata={"description": "ids after this"}
    )
    limit = fields.Integer(load_default=100, validate=validate.Range(1, 500))


class PreviewSchema(Schema):
    """A command as it would be sent: the address of its route, and the body."""

    path = fields.String(required=True, validate=validate.Length(1, 300))
    body = fields.Dict(keys=fields.String(), values=fields.Raw(allow_none=True), load_default=dict)
