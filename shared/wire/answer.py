"""The base of all answers: objects that are built and encoded as OpenAPI describes them."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from shared.core.rulebook.facts import FACTS, OUTSIDER, FactType


class Answer(Struct):
    """A JSON object that has these members and no others, in this order; those that may be `UNSET` are absent at times."""


def said(**keywords: Any) -> Meta:
    """Return what JSON Schema says of a value beside its type."""
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
