"""The time of a game as an announcement says it."""

from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, validate

from shared.core.language.messages import say, term
from shared.core.rulebook.regulations import Regulations
from shared.core.rulebook.time_faults import BYO_YOMI_AT_MOST
from shared.core.values.bounds import DAY, MOVES
from shared.http.requests.schema_fields import whole_field

TIME_HELP = say(
    "must be the name of a time control of the ruleset, or contain periods, increment, "
    "byo_yomi, byo_yomi_periods, flag and clocks_after"
)


class PeriodSchema(Schema):
    """``moves`` 0: all that are left; ``increment``: seconds that each of them adds."""

    seconds = whole_field(DAY, required=True)
    moves = whole_field(MOVES, load_default=0)
    increment = whole_field(DAY, load_default=0)


class TimeSchema(Schema):
    """A time control: periods one after the other, seconds added with each move, and seconds that a move always has, which
    can be used up ``byo_yomi_periods`` times; ``clocks_after``: the seconds that are played before the clocks are set up."""

    periods = fields.List(fields.Nested(PeriodSchema), load_default=list)
    increment = whole_field(DAY, load_default=0)
    byo_yomi = whole_field(DAY, load_default=0)
    flag = fields.String(required=True, validate=validate.OneOf(("claimed", "at_once")))
    clocks_after = whole_field(DAY, load_default=0)
    byo_yomi_periods = fields.Integer(strict=True, load_default=1, validate=validate.Range(1, BYO_YOMI_AT_MOST))


class TimeField(fields.Field[Any]):
    """A time control, or the name of a scheme of the regulations: ``"002-X 6.1"``."""

    SCHEMA: ClassVar[dict[str, Any]] = {"type": ["string", "object", "null"]}
    ANY_OF = (TimeSchema,)
    OR: ClassVar[dict[str, Any]] = {"type": ["string", "null"]}

    def __init__(self) -> None:
        super().__init__(
            load_default=None,
            allow_none=True,
            metadata={"description": "Time control, or the name of a scheme of the ruleset, for example `002-X 6.1`."},
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, str | dict):
            raise ValidationError([TIME_HELP])
        return value if isinstance(value, str) else TimeSchema().load(value)


def check_scheme(named: Regulations, game: str, time: Any, where: str) -> None:
    """Raise `ValidationError` for the name of a scheme that the ruleset does not have for the game."""
    if isinstance(time, str) and named.game.scheme(game, time) is None:
        there = [one.article for one in named.game.schemes if one.game == game]
        wrong = (
            say(
                "{name} has no such time control for {game}; available: {schemes}",
                name=named.name,
                game=term(game),
                schemes=tuple(there),
            )
            if there
            else say("{name} has no time control for {game}", name=named.name, game=term(game))
        )
        raise ValidationError({"time": [wrong]}, where)
