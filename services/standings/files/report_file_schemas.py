"""The records of a report file, as they are sent."""

from marshmallow import Schema, fields, validate

MOST_RECORDS = 5000
"""Maximum number of records of a report file in one command."""


class KeptRecordSchema(Schema):
    """A record of a report file: its ``line``, and the number of player lines before it."""

    line = fields.String(required=True, validate=validate.Length(0, 2000))
    after = fields.Integer(strict=True, load_default=0, validate=validate.Range(0, 9999))


class ReportFileSchema(Schema):
    """The records of a report file in its order, except those of players (001)."""

    records = fields.List(fields.Nested(KeptRecordSchema), required=True, validate=validate.Length(1, MOST_RECORDS))
