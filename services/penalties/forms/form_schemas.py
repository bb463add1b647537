"""The fields of penalties' forms, as a browser sends them: texts."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from services.penalties.readers import SIDES
from shared.core.language.messages import say
from shared.core.state.outcomes import NOTATION
from shared.core.values.bounds import DAY, ENTRY, REASON


def reason(**options: Any) -> fields.String:
    """A text that somebody wrote."""
    return fields.String(validate=validate.Length(1, REASON.longest), **options)


class ArrivalForm(Schema):
    """The arrival of a ``side``, ``minutes`` and ``seconds`` after the start (negative: before it), or its absence.

    ``turn``: minutes after the start when it was the player's turn, if lateness counts from then. ``reason``: required to
    correct an arrival.
    """

    side = fields.String(required=True, validate=validate.OneOf(SIDES))
    came = fields.String(required=True, validate=validate.OneOf(("late", "absent")))
    minutes = fields.Integer(load_default=None, validate=validate.Range(-DAY.high // 60, DAY.high // 60))
    seconds = fields.Integer(load_default=None, validate=validate.Range(0, 59))
    turn = fields.Integer(load_default=None, validate=validate.Range(0, DAY.high // 60))
    place = fields.String(load_default="seat", validate=validate.OneOf(("seat", "hall")))
    reason = reason()

    @validates_schema(skip_on_field_errors=True)
    def _how_late(self, data: dict[str, Any], **kwargs: Any) -> None:
        if data["came"] == "late" and data["minutes"] is None and data["seconds"] is None:
            raise ValidationError([say("Missing data for required field.")], "minutes")


class BreakForm(Schema):
    """How long a ``side`` was away from the board; or, of the break ``corrects``, how long it was, or that there was ``none``,
    with a ``reason``."""

    side = fields.String(validate=validate.OneOf(SIDES))
    minutes = fields.Integer(load_default=0, validate=validate.Range(0, DAY.high // 60))
    seconds = fields.Integer(load_default=0, validate=validate.Range(0, 59))
    corrects = fields.String(validate=validate.Length(1, 40))
    none = fields.String(validate=validate.OneOf(("yes",)))
    reason = reason()

    @validates_schema(skip_on_field_errors=True)
    def _whole(self, data: dict[str, Any], **kwargs: Any) -> None:
        missing = [say("Missing data for required field.")]
        if "none" not in data and not (data["minutes"] or data["seconds"]):
            raise ValidationError(missing, "minutes")
        for name in ("reason",) if "corrects" in data else ("side",):
            if name not in data:
                raise ValidationError(missing, name)


class DecisionForm(Schema):
    infraction = fields.String(required=True, validate=validate.Length(1, 60))
    result = fields.String(required=True, validate=validate.OneOf(list(NOTATION)))
    reason = reason(required=True)


class ReasonForm(Schema):
    reason = reason(required=True)


class AppealForm(Schema):
    by = fields.Integer(required=True, validate=validate.Range(1, ENTRY.high))
    grounds = reason(required=True)


class AppealDecisionForm(Schema):
    upheld = fields.String(required=True, validate=validate.OneOf(("yes", "no")))
    grounds = reason(required=True)


class NoteForm(Schema):
    note = reason(load_default=None)
