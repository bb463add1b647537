"""The body of a checkpoint's restart."""

from marshmallow import Schema, fields, validate


class RestartSchema(Schema):
    reason = fields.String(required=True, validate=validate.Length(1, 2000))
