"""The fields of games' forms, as a browser sends them: texts."""

from marshmallow import Schema, fields, validate

from services.games.schemas import LONGEST_NOTE, MOST_BOARDS
from shared.core.outcomes import NOTATION

LONGEST_ENTRY = 40


class ResultForm(Schema):
    result = fields.String(required=True, validate=validate.OneOf(list(NOTATION)))


class EntryForm(Schema):
    """``entry`` is what was typed; ``board`` the one that was next, which a result alone is of."""

    entry = fields.String(required=True, validate=validate.Length(1, LONGEST_ENTRY))
    board = fields.Integer(validate=validate.Range(1, MOST_BOARDS))


class CorrectionForm(ResultForm):
    reason = fields.String(required=True, validate=validate.Length(1, LONGEST_NOTE))
