"""The bodies and queries that games' routes take."""

from typing import Any, ClassVar, get_args

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from services.games.rules.boards.port.position import SIDES
from services.games.rules.boards.port.search_budget import MOVES_AT_MOST
from services.games.rules.boards.registry import CLAIM_NAMES, COMMANDED_STEPS, REASONS
from services.games.rules.commands import Move
from services.games.rules.judge.registry import GAMES as JUDGED
from services.games.rules.judge.registry import unknown_fields
from services.games.rules.play.moves import PLIES_AT_MOST
from shared.core.language.messages import say
from shared.core.readings.claims import ClaimState
from shared.core.rulebook.terminations import TERMINATIONS
from shared.core.terms import Seconds
from shared.core.values.bounds import DAY, MOVE, POSITION, REASON, SQUARES, STEP_VALUE, VALUES
from shared.http.openapi.schema_terms import Terms, has
from shared.http.reads.tournament_query import ReadQuery

BATCH_AT_MOST = 500
"""Moves in a body of JSON; a file may hold a whole game."""


def whole_number(low: int, high: int, **options: Any) -> fields.Integer:
    return fields.Integer(strict=True, validate=validate.Range(low, high), **options)


def whole_number_typed(low: int, high: int) -> fields.Integer:
    """Return a field for a whole number that is typed into a form."""
    return fields.Integer(validate=validate.Range(low, high))


_MOVE = {"type": "string", "minLength": 1, "maxLength": MOVE.longest}


class MoveField(fields.Field[Move]):
    """``"e2e4"``, or ``{"move": "e2e4", "clock": 5400, "side": "white"}`` with the mover's seconds left, and the mover."""

    SCHEMA: ClassVar[dict[str, Any]] = {
        "oneOf": [
            _MOVE,
            {
                "type": "object",
                "properties": {
                    "move": _MOVE,
                    "clock": {"type": ["integer", "null"], "minimum": 0, "maximum": DAY.high},
                    "side": {"type": ["string", "null"], "enum": [*SIDES, None]},
                },
                "required": ["move"],
                "additionalProperties": False,
            },
        ]
    }

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Move:
        sent = {"move": value} if isinstance(value, str) else value
        if not isinstance(sent, dict) or "move" not in sent or set(sent) - {"move", "clock", "side"}:
            raise ValidationError(
                [say('a move must be like "e2e4" or {{"move": "e2e4", "clock": 5400, "side": "white"}}')]
            )
        move, clock, side = sent["move"], sent.get("clock"), sent.get("side")
        if not isinstance(move, str) or not 1 <= len(move) <= MOVE.longest:
            raise ValidationError([say("a move must have 1 to {longest_move} characters", longest_move=MOVE.longest)])
        if clock is not None and (type(clock) is not int or not 0 <= clock <= DAY.high):
            raise ValidationError([say("a clock reading must be 0 to {day} whole seconds", day=DAY.high)])
        if side is not None and side not in SIDES:
            raise ValidationError([say("a side must be white or black")])
        return Move(move, None if clock is None else Seconds(clock), side)


class StartSchema(Schema):
    """``position``: FEN, ``chess960 518``, ``让双马``, ``HA 4``, ``AB D4 Q16 AW K10 PL W``; none, or ``startpos``: the usual."""

    position = fields.String(validate=validate.Length(1, POSITION.longest), load_default=None, allow_none=True)


class MovesSchema(Schema):
    ply = whole_number(1, PLIES_AT_MOST, required=True)
    moves = fields.List(MoveField(), required=True, validate=validate.Length(1, BATCH_AT_MOST))


class OfferSchema(Schema):
    offer = fields.String(required=True, validate=validate.OneOf(("draw", "accept", "decline")))
    side = fields.String(required=True, validate=validate.OneOf(SIDES))


class ClaimSchema(Schema):
    """``side`` claims; without one the arbiter asks for a decision. ``move``: announced, or said to be forbidden or
    illegal. ``squares``: of the pieces touched, in order; ``adjusting``: to put them straight 摆正, against the article."""

    claim = fields.String(required=True, validate=validate.OneOf(CLAIM_NAMES))
    side = fields.String(validate=validate.OneOf(SIDES))
    move = fields.String(validate=validate.Length(1, MOVE.longest))
    squares = fields.List(
        fields.String(validate=validate.Length(1, MOVE.longest)), validate=validate.Length(max=SQUARES.most)
    )
    adjusting = fields.Boolean(load_default=False, truthy={True}, falsy={False})


class ClaimDecisionSchema(Schema):
    """An arbiter's decision on a pending claim."""

    upheld = fields.Boolean(required=True, truthy={True}, falsy={False})
    note = fields.String(validate=validate.Length(1, REASON.longest), load_default=None, allow_none=True)


class ClaimsQuery(ReadQuery):
    """The point to which the log is read, the ruling thought away, and the state that is asked for."""

    state = fields.String(
        load_default=None,
        validate=validate.OneOf(get_args(ClaimState)),
        metadata={"description": "Return only claims in this state. Default: all."},
    )


class EndSchema(Schema):
    """``side`` resigns. An agreement and a dead position have no side. An arbiter states a dead position; a player claims it
    as ``dead_position`` by `claims`."""

    TOGETHER: ClassVar[Terms] = {
        "if": {"properties": {"termination": {"const": "resignation"}}, "required": ["termination"]},
        "then": has("side"),
    }

    termination = fields.String(
        required=True, validate=validate.OneOf([one for one, row in TERMINATIONS.items() if row.stated])
    )
    side = fields.String(validate=validate.OneOf(SIDES))


class TakeBackSchema(Schema):
    to_ply = whole_number(0, PLIES_AT_MOST, required=True)
    reason = fields.String(required=True, validate=validate.OneOf(sorted(REASONS)))
    ruling = fields.String(validate=validate.Length(1, 40))


class StepSchema(Schema):
    """``values`` are what the step names: points, an opening, a hash, salt and what was sealed."""

    side = fields.String(required=True, validate=validate.OneOf(SIDES))
    step = fields.String(required=True, validate=validate.OneOf(sorted(COMMANDED_STEPS)))
    values = fields.List(
        fields.String(validate=validate.Length(1, STEP_VALUE.longest)), validate=validate.Length(max=VALUES.most)
    )


QUESTIONS_AT_MOST = 200
_COMMON_FIELDS: dict[str, dict[str, Any]] = {
    "id": {"description": "ID of the question, chosen by the client."},
    "game": {"type": "string", "enum": list(JUDGED), "description": "Game of the question."},
    "ask": {"type": "string", "description": "Name of the question."},
    "regulations": {"type": "string", "description": "Ruleset of the verdict. Default: the game's own."},
    "changes": {
        "type": "object",
        "additionalProperties": {"type": ["boolean", "integer", "string"]},
        "description": "Values of the ruleset to change, by path, within their bounds.",
    },
}


def _read_by(field: str) -> dict[str, Any]:
    asks = [f"{game} {name}" for game, asks in JUDGED.items() for name, ask in asks.items() if field in ask.fields]
    return {"description": f"For {', '.join(asks)}."}


_QUESTION = {
    "type": "object",
    "required": ["game", "ask"],
    "properties": _COMMON_FIELDS
    | {field: _read_by(field) for asks in JUDGED.values() for ask in asks.values() for field in ask.fields},
    "additionalProperties": False,
}


class QuestionsSchema(Schema):
    """Questions to the judge: one, or a list. Each has exactly the fields of its kind."""

    OPENAPI: ClassVar[dict[str, Any]] = {
        "oneOf": [_QUESTION, {"type": "array", "items": _QUESTION, "minItems": 1, "maxItems": QUESTIONS_AT_MOST}],
        "description": f"The moves and points of all questions together are at most {PLIES_AT_MOST}. Judging the "
        f"repetitions among them tries at most {MOVES_AT_MOST} moves on the board.",
    }
    """The body as it is sent."""

    questions = fields.List(
        fields.Dict(keys=fields.String()), required=True, validate=validate.Length(1, QUESTIONS_AT_MOST)
    )

    @validates_schema
    def measured(self, data: dict[str, Any], **kwargs: Any) -> None:
        """One request is not to cost more than the longest game."""
        lists = (value for question in data["questions"] for value in question.values() if isinstance(value, list))
        if sum(map(len, lists)) > PLIES_AT_MOST:
            raise ValidationError(
                [
                    say(
                        "there must not be more than {plies_at_most} moves and points in total",
                        plies_at_most=PLIES_AT_MOST,
                    )
                ],
                "questions",
            )

    @validates_schema
    def known(self, data: dict[str, Any], **kwargs: Any) -> None:
        """A field that its question does not have would be dropped without a word."""
        unknown = {n: unknown_fields(question) for n, question in enumerate(data["questions"])}
        if any(unknown.values()):
            errors = {
                n: {name: [say("Unknown field; {has}.", has=has)] for name, has in one.items()}
                for n, one in unknown.items()
                if one
            }
            raise ValidationError({"questions": errors})
