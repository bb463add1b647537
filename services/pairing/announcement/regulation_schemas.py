"""The answers about sets of regulations."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from shared.http.answers import ListAnswer, SetValue
from shared.regulations.description import ROWS
from shared.wire.answer import Answer, said


class RegulationsListed(Answer):
    """A ruleset of the list."""

    name: str
    title: Annotated[str, said(description="Title, in the language of the request.")]
    description: Annotated[str, said(description="Rule texts and differences, in the language of the request.")]
    edition: str
    digest: str
    games: Sequence[str]
    see: str


class RegulationsListAnswer(ListAnswer):
    """The available rulesets."""

    regulations: Sequence[RegulationsListed]


class ReadingAnswer(Answer):
    """An interpretation of an ambiguous rule text."""

    value: SetValue
    source: str
    taken: bool


class BoundsAnswer(Answer, kw_only=True):
    """The values that an organiser may choose."""

    least: int | UnsetType = UNSET
    most: int | UnsetType = UNSET
    choices: Sequence[SetValue] | UnsetType = UNSET
    members: Sequence[str] | UnsetType = UNSET
    article: str


class ValueAnswer(Answer):
    """A value of a ruleset."""

    path: str
    value: SetValue
    unit: str | None
    bounds: BoundsAnswer | None
    article: str | None
    readings: Sequence[ReadingAnswer]


class FactAnswer(Answer):
    """A fact that an infraction asks for."""

    name: str
    article: str
    required: bool
    holds: bool | None
    least: int | None
    either: bool
    otherwise: str
    each: int
    type: str


class InfractionAnswer(Answer):
    """An infraction."""

    name: str
    chinese: str
    article: str
    counter: str | None
    effect: str | None
    games: Sequence[str]
    facts: Sequence[FactAnswer]
    results: Sequence[str]
    counts_as: str | None


class RungAnswer(Answer):
    """A step of the penalty ladder."""

    rule: str
    counter: str
    count: int
    scope: str
    effect: str
    article: str
    draws: bool
    games: Sequence[str]
    moves: str | None


class ContradictionAnswer(Answer):
    """A point on which rule texts contradict each other or say nothing."""

    number: int
    subject: str
    paths: Sequence[str]


_ROWS = {
    "type": "object",
    "properties": {
        path: {"type": "array", "items": {"$ref": f"#/components/schemas/Log{row.__name__}"}}
        for path, row in ROWS.items()
    },
    "additionalProperties": False,
}


class RegulationsAnswer(Answer):
    """A ruleset."""

    name: str
    edition: str
    digest: str
    games: Sequence[str]
    values: Sequence[ValueAnswer]
    infractions: Sequence[InfractionAnswer]
    ladder: Sequence[RungAnswer]
    contradictions: Sequence[ContradictionAnswer]
    rows: Annotated[Any, said(**_ROWS)]
