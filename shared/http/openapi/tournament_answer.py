"""What every service answers about a tournament itself."""

from typing import Any, ClassVar

from marshmallow import fields

from shared.http.openapi.answers import VALUE, Answer, Described, of_type

_INFO = {
    "type": "object",
    "required": ["title", "version"],
    "properties": {name: {"type": "string"} for name in ("title", "version", "description")},
    "additionalProperties": False,
}


class DescriptionAnswer(Answer):
    """An OpenAPI 3.1 document."""

    OPENAPI: ClassVar[dict[str, Any]] = {
        "type": "object",
        "required": ["openapi", "info", "paths"],
        "properties": {"openapi": {"type": "string"}, "info": _INFO, "paths": {"type": "object"}},
    }


class RegulationsInForceAnswer(Answer):
    """The set in force, and the line that adopted it; ``changes`` by path, points as points. ``digest`` null: no file's."""

    name = fields.String()
    edition = fields.String()
    digest = fields.String(allow_none=True)
    decisions = fields.Integer()
    changes = fields.Dict(keys=fields.String(), values=Described(VALUE))
    seq = fields.Integer()


class TournamentAnswer(Answer):
    """A tournament without its players' names: ``officials`` by name with their highest office, ``offices`` with who holds them;
    ``stopped``: why no command of it is taken here, null where they are."""

    id = fields.String()
    name = fields.String()
    game = fields.String()
    results_only = fields.Boolean(
        metadata={
            "description": "Games have no moves and no clocks: so announced, or the regulations have no such game."
        }
    )
    format = fields.String()
    rounds = fields.Integer()
    conditions = of_type("Conditions")
    stages = fields.List(of_type("StageRule"))
    round = fields.Integer(metadata={"description": "the last that is paired; 0: none"})
    tiebreaks = fields.List(fields.String())
    regulations = fields.Nested(RegulationsInForceAnswer, allow_none=True)
    players = fields.Integer()
    officials = fields.Dict(keys=fields.String(), values=fields.String())
    offices = fields.Dict(keys=fields.String(), values=fields.List(fields.String()))
    seq = fields.Integer()
    closed = fields.Boolean()
    stopped = fields.String(allow_none=True)
