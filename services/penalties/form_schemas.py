"""The fields of penalties' forms, as a browser sends them: texts."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from services.penalties.readers import SIDES
from services.penalties.schemas import DAY, MOST_PLAYERS
from shared.core.messages import say
from shared.core.outcomes import NOTATION

LONGEST = 2_000


def reason(**options: Any) -> fields.String:
    """A text that somebody wrote."""
    return fields.String(validate=validate.Length(1, LONGEST), **options)


class ArrivalForm(Schema):
    """Which ``side`` came ``minutes`` and ``seconds`` after the start (negative: before it), or was ``absent``; ``reason``
    where one that was noted is corrected."""

    side = fields.String(required=True, validate=validate.OneOf(SIDES))
    came = fields.String(required=True, validate=validate.OneOf(("late", "absent")))
    minutes = fields.Integer(load_default=0, validate=validate.Range(-DAY // 60, DAY // 60))
    seconds = fields.Integer(load_default=0, validate=validate.Range(0, 59))
    place = fields.String(load_default="seat", validate=validate.OneOf(("seat", "hall")))
    reason = reason()

    @validates_schema(skip_on_field_errors=True)
    def _how_late(self, data: dict[str, Any], **kwargs: Any) -> None:
        if data["came"] == "late" and not (data["minutes"] or data["seconds"]):
            raise ValidationError([say("Missing data for required field.")], "minutes")


class DecisionForm(Schema):
    infraction = fields.String(required=True, validate=validate.Length(1, 60))
    result = fields.String(required=True, validate=validate.OneOf(list(NOTATION)))
    reason = reason(required=True)


class ReasonForm(Schema):
    reason = reason(required=True)


class AppealForm(Schema):
    by = fields.Integer(required=True, validate=validate.Range(1, MOST_PLAYERS))
    grounds = reason(required=True)


class AppealDecisionForm(Schema):
    upheld = fields.String(required=True, validate=validate.OneOf(("yes", "no")))
    grounds = reason(required=True)


class NoteForm(Schema):
    note = reason(load_default=None)
