"""Descriptions of the members of objects, from a table: many objects have members of the same name and meaning."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("members.toml")
COMMON = "common"


def describe(schemas: Mapping[str, Any]) -> None:
    """Add its description to each member that has none. The data of events are described with their types."""
    common = table()[COMMON]
    for name, schema in schemas.items():
        own = table().get(name, {})
        for member, value in schema.get("properties", {}).items():
            text = own.get(member) or (None if _is_event_data(name, schema) else common.get(member))
            if text is not None and not value.get("description"):
                value["description"] = text


def _is_event_data(name: str, schema: Mapping[str, Any]) -> bool:
    return name.startswith("Log") or "unevaluatedProperties" in schema


@cache
def table() -> Mapping[str, Mapping[str, str]]:
    """Return object -> member -> description; under `COMMON` the descriptions for every object."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))
