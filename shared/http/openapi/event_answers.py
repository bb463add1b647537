"""Events in answers, in OpenAPI: one of the event types, told by ``type``, with the data that it has."""

from collections.abc import Iterable, Mapping
from typing import Any

from shared.core.event_types.registry import EVENT_TYPES, OFFICIAL, SHEETS, UPCASTERS
from shared.http.answers import EventTypes
from shared.wire.event_schemas import older_schemas

_DATA = "#/components/schemas/Log{name}"
_TYPES: dict[EventTypes, tuple[str, ...]] = {
    "every": (*(row.name for row in EVENT_TYPES), *UPCASTERS),
    "newest": tuple(row.name for row in EVENT_TYPES),
    "official": tuple(row.name for row in OFFICIAL),
    "sheets": tuple(row.name for row in SHEETS),
}


def type_events(schemas: dict[str, Any], answers: Mapping[str, EventTypes], data: Mapping[str, Any]) -> None:
    """Make each of these ``answers`` (component -> its types) one of a component for each type. ``data``: event type in its
    newest version -> the schema of its data."""
    for name, schema in older_schemas().items():
        schemas[f"Log{_called(name)}"] = schema
    for component, types in answers.items():
        _split(schemas, component, _TYPES[types], data)


def _split(schemas: dict[str, Any], component: str, types: Iterable[str], data: Mapping[str, Any]) -> None:
    """A component with ``type`` and ``data`` becomes what all have in common, and one for each type."""
    whole = schemas[component]
    stem = component.removesuffix("Answer")
    own = {name: member for name, member in whole["properties"].items() if name not in ("type", "data")}
    common = f"{stem}Attributes"
    if own:
        required = [name for name in whole["required"] if name in own]
        schemas[common] = {"type": "object", "properties": own, "required": required}
    names = {}
    for type in types:
        name = f"{stem}{_called(type)}"
        names[type] = f"#/components/schemas/{name}"
        schemas[name] = {
            "type": "object",
            **({"allOf": [{"$ref": f"#/components/schemas/{common}"}]} if own else {}),
            "properties": {"type": {"const": type}, "data": data.get(type, {"$ref": _DATA.format(name=_called(type))})},
            "required": ["type", "data"],
            "unevaluatedProperties": False,
        }
    schemas[component] = {
        "description": whole.get("description", ""),
        "oneOf": [{"$ref": reference} for reference in names.values()],
        "discriminator": {"propertyName": "type", "mapping": names},
    }


def _called(type: str) -> str:
    """``arbiter.tournament.announced.v5`` as a component is called: ``TournamentAnnouncedV5``."""
    return "".join(word.capitalize() for part in type.split(".")[1:] for word in part.split("-"))
