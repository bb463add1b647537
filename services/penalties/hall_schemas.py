"""Bodies and answers of arrivals and breaks."""

from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema

from shared.core.language.messages import say
from shared.core.values.bounds import ABSENCE, AROUND_START, BOARD, DAY, REASON, ROUND
from shared.http.openapi.schema_terms import Terms, either, has, none_of, one_of, true
from shared.http.requests.schema_fields import number_field, text_field, whole_field


class PresenceSchema(Schema):
    """An arrival: ``late`` in seconds after the start, or ``absent``: true.

    ``late`` is negative before the start, for rulesets that require an earlier arrival. ``place``: the ``seat``, which
    counts, or only the ``hall``. ``turn``: seconds after the start when it was the player's turn, if lateness counts from
    then.
    """

    TOGETHER: ClassVar[Terms] = either(true("absent"), none_of("late"), has("late"))

    late = whole_field(AROUND_START)
    absent = fields.Boolean(truthy={True}, falsy={False})
    place = fields.String(validate=validate.OneOf(("seat", "hall")))
    turn = whole_field(DAY)

    def says(self, data: dict[str, Any]) -> bool:
        """Whether the body is to say who came."""
        return True

    @validates_schema
    def _one_of_both(self, data: dict[str, Any], **kwargs: Any) -> None:
        if self.says(data) and ("late" in data) == data.get("absent", False):
            raise ValidationError([say("give either late in seconds, or absent: true")], "late")

    @post_load
    def _presence(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        if self.says(data):
            data["late"] = None if data.pop("absent", False) else data["late"]
        return data


class BoardSchema(Schema):
    """Arrivals at a board. An omitted side is not recorded yet."""

    board = number_field(BOARD, required=True)
    white = fields.Nested(PresenceSchema)
    black = fields.Nested(PresenceSchema)


class ArrivalSchema(PresenceSchema):
    """The arrival of a ``player``, or the check-in of a round by ``boards``, all or none."""

    TOGETHER: ClassVar[Terms] = either(
        has("boards"),
        none_of("player", "late", "absent", "place", "turn")
        | {"properties": {"boards": {"contains": {"anyOf": [has("white"), has("black")]}}}},
        has("player") | PresenceSchema.TOGETHER,
    )

    player = number_field()
    round = number_field(ROUND, required=True)
    boards = fields.List(fields.Nested(BoardSchema), validate=validate.Length(1, BOARD.high))

    def says(self, data: dict[str, Any]) -> bool:
        return "boards" not in data

    @validates_schema
    def _one_form(self, data: dict[str, Any], **kwargs: Any) -> None:
        if ("player" in data) == ("boards" in data):
            raise ValidationError([say("give a player or boards")], "player")
        if "boards" in data:
            if data.keys() & {"late", "absent", "place", "turn"}:
                raise ValidationError(
                    [say("omit late, absent, place and turn: with boards, give them for each side of a board")],
                    "boards",
                )
            if not any(board.keys() & {"white", "black"} for board in data["boards"]):
                raise ValidationError([say("give the arrival of at least one side")], "boards")


class ArrivalCorrectionSchema(PresenceSchema):
    """The correct arrival. ``place``: unchanged if omitted."""

    reason = text_field(REASON, required=True)


class BreakSchema(Schema):
    """``seconds`` away from the board, of a ``player`` (number of the entry) or of a ``side``."""

    TOGETHER: ClassVar[Terms] = one_of("player", "side")

    player = number_field()
    side = fields.String(validate=validate.OneOf(("white", "black")))
    seconds = whole_field(ABSENCE, required=True)

    @validates_schema
    def _one_of_both(self, data: dict[str, Any], **kwargs: Any) -> None:
        if ("player" in data) == ("side" in data):
            raise ValidationError([say("give a player or a side")], "player")


class BreakCorrectionSchema(Schema):
    """The correct ``seconds`` of a break, or ``void``: true if it did not take place."""

    TOGETHER: ClassVar[Terms] = either(true("void"), none_of("seconds"), has("seconds"))

    seconds = whole_field(ABSENCE)
    void = fields.Boolean(truthy={True}, falsy={False})
    reason = text_field(REASON, required=True)

    @validates_schema
    def _one_of_both(self, data: dict[str, Any], **kwargs: Any) -> None:
        if ("seconds" in data) == data.get("void", False):
            raise ValidationError([say("seconds, or void: true")], "seconds")
