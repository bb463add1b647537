"""What every service answers about a tournament itself."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from shared.core.rulebook.stage_rules import StageRule
from shared.core.terms import Conditions
from shared.http.answers import Answer, SetValue, said

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

    name: str
    edition: str
    digest: str | None
    decisions: int
    changes: Mapping[str, SetValue]
    seq: int


class TournamentAnswer(Answer):
    """A tournament without its players' names: ``officials`` by name with their highest office, ``offices`` with who holds them;
    ``stopped``: why no command of it is taken here, null where they are."""

    id: str
    name: str
    game: str
    results_only: Annotated[
        bool, said(description="Games have no moves and no clocks: so announced, or the regulations have no such game.")
    ]
    format: str
    rounds: int
    conditions: Conditions
    stages: Sequence[StageRule]
    round: Annotated[int, said(description="the last that is paired; 0: none")]
    tiebreaks: Sequence[str]
    regulations: RegulationsInForceAnswer | None
    players: int
    officials: Mapping[str, str]
    offices: Mapping[str, Sequence[str]]
    seq: int
    closed: bool
    stopped: str | None
