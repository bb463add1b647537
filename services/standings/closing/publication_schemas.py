"""The body of a publication."""

from marshmallow import Schema, fields, validate

from services.standings.rules.table.table import EDITIONS
from services.standings.schemas import MOST_TIEBREAKS


class PublicationSchema(Schema):
    """Left out: the tournament's own tie-breaks, all rounds that are paired, not final."""

    tiebreaks = fields.List(fields.String(), load_default=None, validate=validate.Length(0, MOST_TIEBREAKS))
    rules = fields.String(load_default=None, validate=validate.OneOf(EDITIONS))
    round = fields.Integer(strict=True, load_default=None, validate=validate.Range(0, 100))
    final = fields.Boolean(load_default=False, truthy={True}, falsy={False})
