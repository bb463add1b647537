"""Writes the schemas of events into `asyncapi.yaml` from the event types: `python -m deploy.build.asyncapi_build`."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from shared.core.event_types.event_type import EventType
from shared.core.event_types.registry import OFFICIAL, SHEETS
from shared.wire.event_schemas import data_schemas, older_schemas

FILE = Path(__file__).parents[1] / "asyncapi.yaml"
MARK = "    # From here on written by `make docs` from the event types.\n"
_REFERENCE = "#/components/schemas/{name}"


def event_schemas() -> dict[str, Any]:
    """Return the schemas of `asyncapi.yaml` by name.

    ``OfficialEvent`` and ``SheetEvent`` list the events that each log may contain, by type and version. The other schemas are
    the components of their data.
    """
    data, components = data_schemas(_REFERENCE)
    data |= older_schemas(_REFERENCE)
    lines = {
        "OfficialEvent": {"oneOf": list(_lines(OFFICIAL, data))},
        "SheetEvent": {"oneOf": list(_lines(SHEETS, data))},
    }
    return lines | components


def _lines(rows: Iterable[EventType[Any]], data: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """Yield the schema of each event type, in its newest and in every older version."""
    for row in rows:
        for name in (row.name, *row.older_versions()):
            source = {"enum": list(row.writers)}
            yield {"properties": {"type": {"const": name}, "source": source, "data": data[name]}}


def render(document: str) -> str:
    """Return the text of `asyncapi.yaml` with the current schemas of events.

    The text before the mark stays unchanged. Raises `ValueError` if the document does not contain the mark.
    """
    by_hand, mark, _ = document.partition(MARK)
    if not mark:
        raise ValueError(f"{FILE} lacks its line {MARK.strip()!r}")
    rows = (f"    {name}: {json.dumps(schema, ensure_ascii=False)}\n" for name, schema in event_schemas().items())
    return by_hand + mark + "".join(rows)


if __name__ == "__main__":
    FILE.write_text(render(FILE.read_text(encoding="utf-8")), encoding="utf-8")
