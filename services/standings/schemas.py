"""Queries and limits that several rooms of standings share."""

from marshmallow import Schema, fields, validate

from shared.core.terms import HIGHEST
from shared.http.reads.tournament_query import VIEW

MOST_TIEBREAKS = 100
"""Maximum number of tie-breaks in one request: more than exist without modifiers."""


class ReadQuery(Schema):
    """The point to which the log is read, and the ruling thought away; read by `shared.http.reads.tournament_query.view`."""

    at = fields.Integer(metadata={"description": VIEW["at"], "minimum": 1, "maximum": HIGHEST})
    after = fields.Integer(metadata={"description": VIEW["after"], "minimum": 0})
    without = fields.Raw(metadata={"description": VIEW["without"], "type": "string"})


class RangeQuery(Schema):
    """Two lengths of the log."""

    from_ = fields.Integer(
        data_key="from", attribute="from", required=True, validate=validate.Range(1, HIGHEST),
        metadata={"description": "Earlier log position: `seq` of an event."},
    )  # fmt: skip
    to = fields.Integer(
        required=True,
        validate=validate.Range(1, HIGHEST),
        metadata={"description": "Later log position: `seq` of an event, not before `from`."},
    )
