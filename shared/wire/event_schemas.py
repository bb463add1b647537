"""The data of events as JSON Schema, made from the types that read it: AsyncAPI and OpenAPI say the same."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from shared.core.event_types.registry import EVENT_TYPES, UPCASTERS
from shared.wire.event_data import FORMS
from shared.wire.shapes import kept

Schema = dict[str, Any]
_LEAF: Schema = {"type": ["string", "number", "boolean", "null"]}


def data_schemas(template: str, others: Sequence[type] = ()) -> tuple[dict[str, Schema], dict[str, Schema]]:
    """Event type -> the schema of its data, in its newest version; and name -> component, of all that these and ``others`` are
    made of. ``template``: what a reference to ``{name}`` is."""
    names = [row.name for row in EVENT_TYPES]
    references, components = msgspec.json.schema_components(
        [*(FORMS[name] for name in names), *others], ref_template=template
    )
    closed = {name: _closed(component) for name, component in sorted(components.items())}
    return dict(zip(names, references, strict=False)), closed


@cache
def older_schemas() -> dict[str, Schema]:
    """Event type in an older version -> the schema of its data, by the members that it had at every depth."""
    shapes = kept()
    return {name: _shaped(shapes[name]) for name in UPCASTERS}


def _shaped(shape: Any) -> Schema:
    """The schema of a shape (`shared.wire.shapes`). What was a member of another class, or a list, may be null everywhere."""
    match shape:
        case {"*": [None]}:  # values of regulations: one, or a list of them
            return {"type": "object", "additionalProperties": {"anyOf": [_LEAF, {"type": "array", "items": _LEAF}]}}
        case {"*": held}:
            return {"type": "object", "additionalProperties": _or_null(_shaped(held))}
        case dict():
            return {
                "type": "object",
                "required": [name for name in shape if not name.endswith("?")],
                "properties": {name.removesuffix("?"): _or_null(_shaped(held)) for name, held in shape.items()},
                "additionalProperties": False,
            }
        case [held]:
            return {"type": "array", "items": _shaped(held)}
    return _LEAF


def _or_null(schema: Schema) -> Schema:
    return schema if schema is _LEAF else {"anyOf": [schema, {"type": "null"}]}


def _closed(schema: Schema) -> Schema:
    """A schema of an object that takes no other members; its description in one paragraph."""
    closed = (
        schema
        if "additionalProperties" in schema or "properties" not in schema
        else schema | {"additionalProperties": False}
    )
    described = {"description": " ".join(schema["description"].split())} if "description" in schema else {}
    return closed | described
