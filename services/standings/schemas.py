"""Queries and limits that several rooms of standings share."""

from marshmallow import Schema, fields, validate

from shared.core.terms import HIGHEST

MOST_TIEBREAKS = 100
"""Of one question: more than there are without modifiers."""


class ReadQuery(Schema):
    """The point to which the log is read, and the ruling thought away; read by `shared.http.reads.tournament_query.view`."""

    at = fields.Integer(metadata={"description": "as of this line", "minimum": 1, "maximum": HIGHEST})
    after = fields.Integer(metadata={"description": "not before this line", "minimum": 0})
    without = fields.Raw(metadata={"description": "as if this ruling did not stand", "type": "string"})


class RangeQuery(Schema):
    """Two lengths of the log."""

    from_ = fields.Integer(
        data_key="from", attribute="from", required=True, validate=validate.Range(1, HIGHEST),
        metadata={"description": "the former line"},
    )  # fmt: skip
    to = fields.Integer(required=True, validate=validate.Range(1, HIGHEST), metadata={"description": "the later line"})
