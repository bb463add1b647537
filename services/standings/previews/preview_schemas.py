"""The body of a preview."""

from marshmallow import Schema, fields, validate


class PreviewSchema(Schema):
    """A command as it would be sent: the address of its route, and the body."""

    path = fields.String(required=True, validate=validate.Length(1, 300))
    body = fields.Dict(keys=fields.String(), values=fields.Raw(allow_none=True), load_default=dict)
