"""Writes the schemas of events into `asyncapi.yaml` from the event types: `python -m deploy.asyncapi_build`."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from shared.core.event_types.event_type import EventType
from shared.core.event_types.registry import OFFICIAL, SHEETS
from shared.wire.event_data import FORMS

FILE = Path(__file__).parent / "asyncapi.yaml"
MARK = "    # From here on written by `make docs` from the event types.\n"
_REFERENCE = "#/components/schemas/{name}"


def event_schemas() -> dict[str, Any]:
    """Name -> schema: what a line of each log may hold by its type, and the data of each type with what it is made of."""
    rows = (*OFFICIAL, *SHEETS)
    references, components = msgspec.json.schema_components([FORMS[row.name] for row in rows], ref_template=_REFERENCE)
    data = dict(zip((row.name for row in rows), references, strict=True))
    lines = {
        "OfficialEvent": {"oneOf": list(_lines(OFFICIAL, data))},
        "SheetEvent": {"oneOf": list(_lines(SHEETS, data))},
    }
    return lines | {name: _closed(components[name]) for name in sorted(components)}


def _lines(rows: Iterable[EventType[Any]], data: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """What each type's line says; of an older version only that its data is an object: the newest alone has a class."""
    for row in rows:
        for name, schema in ((row.name, data[row.name]), *((older, {"type": "object"}) for older in row.older())):
            yield {"properties": {"type": {"const": name}, "source": {"enum": list(row.writers)}, "data": schema}}


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema of an object that takes no other members; its description in one paragraph."""
    closed = (
        schema
        if "additionalProperties" in schema or "properties" not in schema
        else schema | {"additionalProperties": False}
    )
    described = {"description": " ".join(schema["description"].split())} if "description" in schema else {}
    return closed | described


def render(document: str) -> str:
    """The text of `asyncapi.yaml` with the schemas of events as they are now; what stands before the mark stays."""
    by_hand, mark, _ = document.partition(MARK)
    if not mark:
        raise ValueError(f"{FILE} lacks its line {MARK.strip()!r}")
    rows = (f"    {name}: {json.dumps(schema, ensure_ascii=False)}\n" for name, schema in event_schemas().items())
    return by_hand + mark + "".join(rows)


if __name__ == "__main__":
    FILE.write_text(render(FILE.read_text(encoding="utf-8")), encoding="utf-8")
