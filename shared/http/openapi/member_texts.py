"""Descriptions of the members of objects, from a table: many objects have members of the same name and meaning."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from shared.regulations.typed_toml import read_toml

COMMON, OBJECTS = "common", "objects"


def describe(schemas: Mapping[str, dict[str, Any]]) -> None:
    """Add its description to each object and member that has none. The data of events are described with their types."""
    common, objects = table()[COMMON], table()[OBJECTS]
    for name, schema in schemas.items():
        own = table().get(name, {})
        if name in objects:
            schema.setdefault("description", objects[name])
        for member, value in schema.get("properties", {}).items():
            text = own.get(member) or (None if _is_event_data(name, schema) else common.get(member))
            if text is not None and not value.get("description"):
                value["description"] = text


def _is_event_data(name: str, schema: Mapping[str, Any]) -> bool:
    return name.startswith("Log") or "unevaluatedProperties" in schema


@cache
def table() -> Mapping[str, Mapping[str, str]]:
    """Return object -> member -> description; under `COMMON` those for every object, under `OBJECTS` those of objects."""
    return read_toml("shared.http.openapi", "members.toml", dict[str, dict[str, str]])
