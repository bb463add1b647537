"""What pairing's routes take, and what they answer with."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from services.pairing.rules.absolute import OVERRIDABLE
from shared import regulations
from shared.terms import ROLES, PlayerId

FORMATS = ("swiss", "round_robin", "double_round_robin", "knockout", "double_knockout", "teams")
TIEBREAKS = (
    *("PTS", "DE", "BH", "BH/C1", "BH/C2", "BH/M1", "BH/M2", "FB", "SB", "SB/C1", "PS", "PS/C1", "WIN", "WON"),
    *("BPG", "BWG", "REP", "ARO", "ARO/C1", "TPR", "PTP", "KS"),
)
"""FIDE's names (C.07), as a tournament may announce them."""

ID = validate.Regexp(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z", error="letters, digits, and . _ - after the first")
SLUG = validate.Regexp(r"[a-z0-9][a-z0-9-]{0,39}\Z", error="lower case letters, digits and -")
MOST_PLAYERS = 9999
"""What TRF's four columns hold."""


def _number(high: int = MOST_PLAYERS, **options: Any) -> fields.Integer:
    return fields.Integer(strict=True, validate=validate.Range(1, high), **options)


def _text(longest: int, **options: Any) -> fields.String:
    return fields.String(validate=validate.Length(1, longest), **options)


def _known_regulations(name: str) -> None:
    if name not in regulations.names():
        raise ValidationError(f"unknown; there are {', '.join(regulations.names())}")


class SeatsField(fields.Field[tuple[PlayerId, PlayerId]]):
    """A board: ``{"white": 3, "black": 7}`` or ``[3, 7]``."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> tuple[PlayerId, PlayerId]:
        if isinstance(value, dict) and set(value) == {"white", "black"}:
            value = [value["white"], value["black"]]
        if not isinstance(value, list) or len(value) != 2:
            raise ValidationError('a board is {"white": id, "black": id} or [white, black]')
        for player in value:
            if type(player) is not int or not 1 <= player <= MOST_PLAYERS:
                raise ValidationError("a player is named by the number of the entry")
        return PlayerId(value[0]), PlayerId(value[1])


class TournamentSchema(Schema):
    id = fields.String(validate=ID)
    name = _text(200, required=True)
    game = fields.String(required=True, validate=SLUG)
    format = fields.String(required=True, validate=validate.OneOf(FORMATS))
    rounds = _number(100, required=True)
    regulations = fields.String(required=True, validate=_known_regulations)
    tiebreaks = fields.List(fields.String(validate=validate.OneOf(TIEBREAKS)), load_default=list)


class RegulationsSchema(Schema):
    regulations = fields.String(required=True, validate=_known_regulations)
    reason = _text(2000, required=True)


class OfficialSchema(Schema):
    name = _text(100, required=True)
    role = fields.String(required=True, validate=validate.OneOf(ROLES))


class ReasonSchema(Schema):
    reason = _text(2000, load_default=None)


class PlayerSchema(Schema):
    id = _number(load_default=None)
    name = _text(200, required=True)
    rating = fields.Integer(strict=True, load_default=None, allow_none=True, validate=validate.Range(0, 9999))
    title = _text(20, load_default=None, allow_none=True)
    club = _text(200, load_default=None, allow_none=True)
    federation = _text(40, load_default=None, allow_none=True)


class EntriesSchema(Schema):
    players = fields.List(fields.Nested(PlayerSchema), required=True, validate=validate.Length(1, MOST_PLAYERS))


class NumberSchema(Schema):
    player = _number(required=True)
    number = _number(required=True)


class NumbersSchema(Schema):
    """Without ``numbers``: all by order of strength."""

    numbers = fields.List(fields.Nested(NumberSchema), load_default=None, validate=validate.Length(1, MOST_PLAYERS))


class ByeSchema(Schema):
    player = _number(required=True)
    round = _number(100, required=True)
    kind = fields.String(required=True, validate=validate.OneOf(("H", "Z", "F")))


class RoundSchema(Schema):
    """Nothing: the engine pairs. ``boards``, with a ``reason``: by hand."""

    boards = fields.List(SeatsField(), load_default=None, validate=validate.Length(0, MOST_PLAYERS))
    bye = _number(load_default=None)
    reason = _text(2000, load_default=None)
    overrides = fields.List(fields.String(validate=validate.OneOf(OVERRIDABLE)), load_default=list)
    initial_colour = fields.String(load_default=None, validate=validate.OneOf(("white", "black")))


class BoardAnswer(Schema):
    board = fields.Integer()
    game = fields.String()
    white = fields.Integer()
    black = fields.Integer()


class ByeAnswer(Schema):
    player = fields.Integer()
    kind = fields.String()


class RoundAnswer(Schema):
    round = fields.Integer()
    pairing = fields.Integer()
    boards = fields.List(fields.Nested(BoardAnswer))
    byes = fields.List(fields.Nested(ByeAnswer))
