"""The records of a report file, as they are sent."""

from marshmallow import Schema, fields, validate

MOST_RECORDS = 5000
"""Of a report file, in one command."""


class KeptRecordSchema(Schema):
    """A record of a report file: its ``line``, and how many players' lines stood before it."""

    line = fields.String(required=True, validate=validate.Length(0, 2000))
    after = fields.Integer(strict=True, load_default=0, validate=validate.Range(0, 9999))


class ReportFileSchema(Schema):
    """In the file's order, but for the players (001)."""

    records = fields.List(fields.Nested(KeptRecordSchema), required=True, validate=validate.Length(1, MOST_RECORDS))
