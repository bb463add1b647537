"""The base of all answers: objects that are built and encoded as OpenAPI describes them."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct

from shared.core.rulebook.effects import FACTS, OUTSIDER, FactType


class Answer(Struct):
    """A JSON object that has these members and no others, in this order; those that may be `UNSET` are absent at times."""


A = TypeVar("A", bound=Answer)


def answer_of(kind: type[A], source: object, **members: Any) -> A:
    """Return an answer of a kind with these ``members``, and the others as the source has them by the same name."""
    others = (name for name in kind.__struct_fields__ if name not in members and hasattr(source, name))
    return kind(**{name: getattr(source, name) for name in others}, **members)


def said(**keywords: Any) -> Meta:
    """Return further keywords of JSON Schema for a value."""
    return Meta(extra_json_schema=keywords)


_FACTS: dict[FactType, dict[str, Any]] = {
    "seconds": {"type": "integer", "minimum": 0},
    "count": {"type": "integer", "minimum": 0},
    "boolean": {"type": "boolean"},
    "player": {"anyOf": [{"type": "integer"}, {"const": OUTSIDER}]},
}
FACT_VALUES: dict[str, Any] = {
    "type": "object",
    "properties": {name: _FACTS[type] for name, type in FACTS.items()},
    "additionalProperties": False,
}
"""Facts of a report, by name."""
Facts = Annotated[Mapping[str, Any], said(**FACT_VALUES)]
RowEvents = Annotated[Sequence[int], said(description="Sequence numbers of the events that the row is computed from.")]
