"""What every service answers about a tournament itself."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from shared.core.rulebook.stage_rules import StageRule
from shared.core.terms import Conditions
from shared.http.answers import SetValue
from shared.wire.answer import Answer, said

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
    """The ruleset in force."""

    name: str
    edition: str
    digest: str | None
    decisions: int
    changes: Mapping[str, SetValue]
    seq: int


class TournamentAnswer(Answer):
    """A tournament, without the names of its players."""

    id: str
    name: str
    game: str
    results_only: Annotated[bool, said(description="True if only results are reported, without moves and clocks.")]
    format: str
    rounds: int
    conditions: Conditions
    stages: Sequence[StageRule]
    round: Annotated[int, said(description="Number of the last paired round, or 0.")]
    tiebreaks: Sequence[str]
    regulations: RegulationsInForceAnswer | None
    players: int
    officials: Mapping[str, str]
    offices: Mapping[str, Sequence[str]]
    seq: int
    closed: bool
    stopped: str | None
