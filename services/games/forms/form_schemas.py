"""The fields of games' forms, as a browser sends them: texts."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from services.games.rules.boards.port.position import SIDES
from services.games.rules.boards.registry import CLAIM_NAMES
from services.games.schemas import DAY, LONGEST_MOVE, LONGEST_NOTE, MOST_BOARDS
from shared.core.language.messages import say
from shared.core.state.outcomes import NOTATION

LONGEST_ENTRY = 40


class ResultForm(Schema):
    result = fields.String(required=True, validate=validate.OneOf(list(NOTATION)))


class EntryForm(Schema):
    """``entry`` is what was typed; ``board`` the one that was next, which a result alone is of."""

    entry = fields.String(required=True, validate=validate.Length(1, LONGEST_ENTRY))
    board = fields.Integer(validate=validate.Range(1, MOST_BOARDS))


class CorrectionForm(ResultForm):
    reason = fields.String(required=True, validate=validate.Length(1, LONGEST_NOTE))


class ClaimForm(Schema):
    """A ``pending`` claim that is upheld or not, or a new ``claim`` of a side; ``squares`` with spaces between."""

    pending = fields.String(validate=validate.Length(1, 40))
    upheld = fields.String(validate=validate.OneOf(("yes", "no")))
    note = fields.String(validate=validate.Length(1, LONGEST_NOTE))
    claim = fields.String(validate=validate.OneOf((*CLAIM_NAMES, "agreement")))
    side = fields.String(validate=validate.OneOf(SIDES))
    move = fields.String(validate=validate.Length(1, LONGEST_MOVE))
    squares = fields.String(validate=validate.Length(1, 80))
    adjusting = fields.Boolean(load_default=False, truthy={"yes"}, falsy=set())

    @validates_schema(skip_on_field_errors=True)
    def _one_of_both(self, data: dict[str, Any], **kwargs: Any) -> None:
        wanted = "upheld" if "pending" in data else "claim"
        if wanted not in data:
            raise ValidationError([say("Missing data for required field.")], wanted)


class ClockForm(Schema):
    side = fields.String(required=True, validate=validate.OneOf(SIDES))
    minutes = fields.Integer(required=True, validate=validate.Range(0, DAY // 60))
    seconds = fields.Integer(load_default=0, validate=validate.Range(0, 59))
    fault = fields.Boolean(load_default=False, truthy={"yes"}, falsy=set())
