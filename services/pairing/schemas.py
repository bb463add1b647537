"""The bodies that pairing's routes take, and their answers."""

from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from services.pairing.rules.absolute_criteria import OVERRIDABLE
from shared.core.language.handles import InvalidLoginName, new_login_name
from shared.core.language.messages import message_of, say
from shared.core.terms import ROLES, PlayerId
from shared.core.values.bounds import (
    COUNT,
    ENTRY,
    ENTRY_OR_NOBODY,
    PERSON,
    POINTS,
    REASON,
    ROUND,
    SEED,
    SEQ,
    TEAM,
)
from shared.http.openapi.schema_terms import Terms, either, has, none_of, true
from shared.http.requests.schema_fields import line_field, number_field, text_field, whole_field

MOST_MEMBERS = 100
MOST_POINTS = POINTS.high // 2

# The log stores codes permanently, not texts about a person.
_PLAYER = {"type": "integer", "minimum": 1, "maximum": ENTRY.high}


class SeatsField(fields.Field[tuple[PlayerId, PlayerId]]):
    """A board: ``{"white": 3, "black": 7}`` or ``[3, 7]``."""

    SCHEMA: ClassVar[dict[str, Any]] = {
        "oneOf": [
            {
                "type": "object",
                "properties": {"white": _PLAYER, "black": _PLAYER},
                "required": ["white", "black"],
                "additionalProperties": False,
            },
            {"type": "array", "items": _PLAYER, "minItems": 2, "maxItems": 2},
        ]
    }

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> tuple[PlayerId, PlayerId]:
        if isinstance(value, dict) and set(value) == {"white", "black"}:
            value = [value["white"], value["black"]]
        if not isinstance(value, list) or len(value) != 2:
            raise ValidationError([say('a board must be like {{"white": id, "black": id}} or [white, black]')])
        for player in value:
            if type(player) is not int or not 1 <= player <= ENTRY.high:
                raise ValidationError(
                    [say("the name of a player's login must be the player's number in the tournament")]
                )
        return PlayerId(value[0]), PlayerId(value[1])


class HandleField(fields.String):
    """The name on a token, as the log writes it."""

    SCHEMA: ClassVar[dict[str, Any]] = {"minLength": 1}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        try:
            return new_login_name(super()._deserialize(value, attr, data, **kwargs))
        except InvalidLoginName as problem:
            raise ValidationError([message_of(problem)]) from None


class OfficialSchema(Schema):
    """An official: login name, the person's name, which can be erased, and the ``boards`` that a device records."""

    TOGETHER: ClassVar[Terms] = {
        "if": has("boards") | {"properties": {"boards": {"minItems": 1}}},
        "then": {"properties": {"role": {"const": "board"}}},
    }

    name = HandleField(required=True)
    role = fields.String(required=True, validate=validate.OneOf(ROLES))
    person = line_field(PERSON, load_default=None)
    boards = fields.List(number_field(), load_default=list, validate=validate.Length(0, ENTRY.high))

    @validates_schema
    def _of_a_device(self, data: dict[str, Any], **kwargs: Any) -> None:
        if data["boards"] and data["role"] != "board":
            raise ValidationError([say("boards can only be given for a device (role board)")], "boards")


class ReasonSchema(Schema):
    reason = text_field(REASON, load_default=None)


class WithdrawalSchema(ReasonSchema):
    """``played``: void the pairing although games of it have begun; requires a reason."""

    played = fields.Boolean(load_default=False, truthy={True}, falsy={False})


def _sides() -> fields.List[int]:
    return fields.List(whole_field(ENTRY_OR_NOBODY), required=True, validate=validate.Length(0, ENTRY.high))


class UpholdingSchema(Schema):
    """The difference that is upheld, as an outdated basis lists it: ``match`` (0 for the sides that begin a stage), the sides
    ``seated`` and the sides ``due``. 0 in a list is a missing side."""

    match = whole_field(SEQ, load_default=0)
    seated = _sides()
    due = _sides()
    reason = text_field(REASON, required=True)


class TeamSchema(Schema):
    """``members``: ids of players who are entered, in the order of their boards, substitutes last."""

    id = number_field(load_default=None)
    name = line_field(TEAM, required=True)
    members = fields.List(number_field(), required=True, validate=validate.Length(1, MOST_MEMBERS))


class TeamsSchema(Schema):
    teams = fields.List(fields.Nested(TeamSchema), required=True, validate=validate.Length(1, ENTRY.high))


class LineupSchema(Schema):
    """``players``: from the first board on; fewer than there are boards leave the last ones empty."""

    team = number_field(required=True)
    round = number_field(ROUND, required=True)
    players = fields.List(number_field(), required=True, validate=validate.Length(1, MOST_MEMBERS))


class NumberSchema(Schema):
    player = number_field(required=True)
    number = number_field(required=True)


class NumbersSchema(Schema):
    """Without ``numbers``: all by order of strength, or by ``lot``."""

    TOGETHER: ClassVar[Terms] = {
        "if": true("lot"),
        "then": {"properties": {"numbers": {"type": "null"}}},
    }

    numbers = fields.List(fields.Nested(NumberSchema), load_default=None, validate=validate.Length(1, ENTRY.high))
    lot = fields.Boolean(truthy={True}, falsy={False}, load_default=False)

    @validates_schema
    def one_way(self, data: dict[str, Any], **kwargs: Any) -> None:
        if data["lot"] and data["numbers"] is not None:
            raise ValidationError([say("give the starting numbers or draw them, not both")], "lot")


class ByeSchema(Schema):
    player = number_field(required=True)
    round = number_field(ROUND, required=True)
    kind = fields.String(required=True, validate=validate.OneOf(("H", "Z", "F")))


class CheckInSchema(Schema):
    """A check-in. ``came``: players who are present. ``absent``: players checked in by mistake."""

    came = fields.List(number_field(), load_default=list, validate=validate.Length(0, ENTRY.high))
    absent = fields.List(number_field(), load_default=list, validate=validate.Length(0, ENTRY.high))


class PairsSchema(Schema):
    """All pairs that may not meet from here on; none: everybody may."""

    pairs = fields.List(
        fields.List(number_field(), validate=validate.Length(2, 2)),
        required=True,
        validate=validate.Length(0, ENTRY.high),
    )
    reason = text_field(REASON, load_default=None)


class PointsField(fields.Field[int]):
    """Points as a number of halves, kept as half-points."""

    SCHEMA: ClassVar[dict[str, Any]] = {"type": "number", "minimum": 0, "maximum": MOST_POINTS, "multipleOf": 0.5}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_POINTS:
            raise ValidationError([say("points must be a number from 0 to {most_points}", most_points=MOST_POINTS)])
        if value * 2 != int(value * 2):
            raise ValidationError([say("points come in halves")])
        return int(value * 2)


class VirtualPointsSchema(Schema):
    """Points added to a player's score for pairing only, in the rounds from ``first`` to ``last``."""

    player = number_field(required=True)
    first = number_field(ROUND, required=True)
    last = number_field(ROUND, required=True)
    points = PointsField(required=True)


class AccelerationSchema(Schema):
    """All virtual points of an acceleration (C.04.7). A player with 0 is not accelerated."""

    given = fields.List(fields.Nested(VirtualPointsSchema), required=True, validate=validate.Length(1, 2 * ENTRY.high))
    reason = text_field(REASON, load_default=None)


class FixedBoardSchema(Schema):
    """``board`` 0: the player moves again."""

    board = whole_field(ENTRY_OR_NOBODY, required=True)
    reason = text_field(REASON, load_default=None)


class LotsSchema(Schema):
    """Either the ``match``, or the ``equals`` who share a place that is not to be shared: players, or teams that meet."""

    TOGETHER: ClassVar[Terms] = either(
        has("match") | {"properties": {"match": {"type": "integer"}}}, none_of("equals"), has("equals")
    )

    match = number_field(COUNT, load_default=None)
    equals = fields.List(number_field(), load_default=list, validate=validate.Length(2, ENTRY.high))

    @validates_schema
    def _one_of_both(self, data: dict[str, Any], **kwargs: Any) -> None:
        if bool(data["match"]) == bool(data["equals"]):
            raise ValidationError([say("give either match or equals, not both")], "match")


class RoundSchema(Schema):
    """A round to pair by its format. ``boards``, with a ``reason``: a manual pairing. ``seed``: of public lots at the venue."""

    boards = fields.List(SeatsField(), load_default=None, validate=validate.Length(0, ENTRY.high))
    bye = number_field(load_default=None)
    reason = text_field(REASON, load_default=None)
    overrides = fields.List(fields.String(validate=validate.OneOf(OVERRIDABLE)), load_default=list)
    initial_colour = fields.String(load_default=None, validate=validate.OneOf(("white", "black")))
    seed = number_field(SEED, load_default=None)


class PlayOffSchema(Schema):
    boards = fields.List(SeatsField(), required=True, validate=validate.Length(1, ENTRY.high))
    reason = text_field(REASON, required=True)
