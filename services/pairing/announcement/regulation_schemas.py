"""The answers about sets of regulations."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from shared.http.answers import Answer, ListAnswer, SetValue, said
from shared.regulations.description import ROWS


class RegulationsListed(Answer):
    """``see``: where the set is whole."""

    name: str
    edition: str
    digest: str
    games: Sequence[str]
    see: str


class RegulationsListAnswer(ListAnswer):
    regulations: Sequence[RegulationsListed]


class ReadingAnswer(Answer):
    """One way to read a text; ``taken``: it is the set's."""

    value: SetValue
    source: str
    taken: bool


class BoundsAnswer(Answer, kw_only=True):
    """What an organiser may set: from ``least`` to ``most``, or one of ``choices``."""

    least: int | UnsetType = UNSET
    most: int | UnsetType = UNSET
    choices: Sequence[SetValue] | UnsetType = UNSET
    article: str


class ValueAnswer(Answer):
    """``unit``: points, seconds, plies, rounds, moves; null for what is no such number. ``bounds`` null: no
    organiser sets it."""

    path: str
    value: SetValue
    unit: str | None
    bounds: BoundsAnswer | None
    article: str | None
    readings: Sequence[ReadingAnswer]


class FactAnswer(Answer):
    """The infraction is one only where the fact ``holds`` so, or is at ``least`` that; ``either``: it is none only where all
    facts so marked speak against it. ``otherwise``: what is allowed then. ``each``: the infraction counts once for each so
    many; 0: it counts once."""

    name: str
    type: str
    required: bool
    article: str
    holds: bool | None
    least: int | None
    either: bool
    otherwise: str
    each: int


class InfractionAnswer(Answer):
    """``effect`` null: the authority chooses it. ``games`` empty: those of the set. ``counts_as``: the infraction as which a
    report of it is ruled on; null: itself."""

    name: str
    chinese: str
    article: str
    games: Sequence[str]
    counter: str | None
    effect: str | None
    facts: Sequence[FactAnswer]
    results: Sequence[str]
    counts_as: str | None


class RungAnswer(Answer):
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
    """What texts say in two ways, or leave open; ``paths``: the values of this set that settle it, with their readings."""

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
    """``rows``: the tables that are neither infractions nor ladder, by their path."""

    name: str
    edition: str
    digest: str
    games: Sequence[str]
    values: Sequence[ValueAnswer]
    infractions: Sequence[InfractionAnswer]
    ladder: Sequence[RungAnswer]
    contradictions: Sequence[ContradictionAnswer]
    rows: Annotated[Any, said(**_ROWS)]
