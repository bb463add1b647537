"""Bodies and answers of the routes of penalties."""

from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema

from shared.core.events import Effect
from shared.core.language.messages import say
from shared.core.rulebook.effects import CHOSEN, FACTS
from shared.core.state.outcomes import NOTATION, Share
from shared.core.terms import HalfPoints, Mark
from shared.core.values.bounds import AROUND_START, ARTICLE, GAME_ID, INFRACTION, PLY, REASON, ROUND, RULING_ID
from shared.http.openapi.schema_terms import Terms, either, has, none_of
from shared.http.requests.schema_fields import number_field, text_field, whole_field
from shared.wire.answer import FACT_VALUES


class PointsField(fields.Field[HalfPoints]):
    """Points as a JSON number in steps of a half; half-points inside."""

    SCHEMA: ClassVar[dict[str, Any]] = {
        "type": "number",
        "exclusiveMinimum": -10_000,
        "exclusiveMaximum": 10_000,
        "multipleOf": 0.5,
    }

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> HalfPoints:
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 10_000:
            raise ValidationError([say("points are a number")])
        if value * 2 != int(value * 2):
            raise ValidationError([say("points come in halves")])
        return HalfPoints(int(value * 2))


class MarkSchema(Schema):
    """The mark that a game gives to one side."""

    points = PointsField(required=True)
    played = fields.Boolean(load_default=True, truthy={True}, falsy={False})
    counted = fields.Boolean(load_default=True, truthy={True}, falsy={False})

    @post_load
    def _mark(self, data: dict[str, Any], **kwargs: Any) -> Mark:
        return Mark(**data)


class EffectSchema(Schema):
    """One effect; which fields its kind needs is the rules' to say."""

    kind = fields.String(required=True, validate=validate.OneOf(CHOSEN))
    white = fields.Nested(MarkSchema)
    black = fields.Nested(MarkSchema)
    points = PointsField()
    clock = whole_field(AROUND_START)
    rounds = fields.List(number_field(ROUND), validate=validate.Length(1, ROUND.high))

    @post_load
    def _effect(self, data: dict[str, Any], **kwargs: Any) -> Effect:
        return Effect(**{**data, "rounds": tuple(data.get("rounds", ()))})


class FactsField(fields.Dict):
    """Facts by name. The rulebook defines the facts of an infraction and their types, and its rules check them."""

    SCHEMA = FACT_VALUES


class RulingSchema(Schema):
    """A ruling: the infraction, and the effect only where the rulebook leaves it to the authority. ``facts`` are those that the
    infraction's article asks for, by name (`GET …/rulebook`); ``ply`` is the half-move of the act, which counts once."""

    player = number_field(required=True)
    round = number_field(ROUND, required=True)
    game = text_field(GAME_ID, load_default=None, allow_none=True)
    infraction = text_field(INFRACTION, required=True)
    article = text_field(ARTICLE, load_default=None, allow_none=True)
    note = text_field(REASON, load_default=None, allow_none=True)
    effect = fields.Nested(EffectSchema, load_default=None, allow_none=True)
    facts = FactsField(
        keys=text_field(INFRACTION), values=fields.Raw(), load_default=dict, validate=validate.Length(max=len(FACTS))
    )
    ply = number_field(PLY, load_default=None, allow_none=True)


class GameDecisionSchema(Schema):
    """The ``result`` of the game, or the mark of each side."""

    TOGETHER: ClassVar[Terms] = either(has("result"), none_of("white", "black"), has("white", "black"))

    result = fields.String(validate=validate.OneOf(NOTATION))
    white = fields.Nested(MarkSchema)
    black = fields.Nested(MarkSchema)
    infraction = text_field(INFRACTION, required=True)
    reason = text_field(REASON, required=True)

    @validates_schema
    def _one_of_both(self, data: dict[str, Any], **kwargs: Any) -> None:
        sides = [side for side in ("white", "black") if side in data]
        if ("result" in data) == bool(sides) or len(sides) == 1:
            raise ValidationError([say("give a result, or marks for white and black, not both")], "result")

    @post_load
    def _decision(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        marks: tuple[Mark | Share, Mark | Share]
        marks = NOTATION[data["result"]] if "result" in data else (data["white"], data["black"])
        return {"marks": marks, "infraction": data["infraction"], "reason": data["reason"]}


class AnnulmentSchema(Schema):
    reason = text_field(REASON, required=True)
    article = text_field(ARTICLE, load_default=None, allow_none=True)


class RetractionSchema(Schema):
    reason = text_field(REASON, required=True)


class AppealSchema(Schema):
    ruling = text_field(RULING_ID, required=True)
    by = number_field(required=True)
    grounds = text_field(REASON, required=True)


class DecisionSchema(Schema):
    upheld = fields.Boolean(required=True, truthy={True}, falsy={False})
    article = text_field(ARTICLE, load_default=None, allow_none=True)
    grounds = text_field(REASON, load_default=None, allow_none=True)


class CrossingSchema(Schema):
    note = text_field(REASON, load_default=None, allow_none=True)
