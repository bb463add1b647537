"""The data of events as JSON Schema, made from the types that read it: AsyncAPI and OpenAPI say the same."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from shared.core.event_types.registry import EVENT_TYPES, UPCASTERS
from shared.core.terms import HalfPoints
from shared.wire.event_data import FORMS
from shared.wire.shapes import kept, places_of

Schema = dict[str, Any]
_LEAF: Schema = {"type": ["string", "number", "boolean", "null"]}
_HALF_POINTS = HalfPoints.__name__
"""The component of numbers that count half-points."""
_JSON_WORDS = {"None": "null", "` False": "` false", "` True": "` true"}
_PYTHON_WORD = re.compile(r"\bNone\b|` (?:False|True)\b")
_UNIT = {"description": "In half-points: 2 is one point, 1 is half a point."}


def data_schemas(template: str, others: Sequence[type] = ()) -> tuple[dict[str, Schema], dict[str, Schema]]:
    """Event type -> the schema of its data, in its newest version; and name -> component, of all that these and ``others`` are
    made of. ``template``: what a reference to ``{name}`` is."""
    names = [row.name for row in EVENT_TYPES]
    references, components = msgspec.json.schema_components(
        [*(FORMS[name] for name in names), *others], ref_template=template
    )
    closed = {name: _closed(component) for name, component in sorted(components.items())}
    closed[_HALF_POINTS] = {
        "type": "integer",
        "description": "A number of half-points, as the log stores all points: 2 is one point, 1 is half a point.",
    }
    referred = {template.format(name=name): component for name, component in closed.items()}
    for name, reference in zip(names, references, strict=False):
        _state_unit(FORMS[name], reference, referred, template)
    return dict(zip(names, references, strict=False)), closed


def older_schemas(template: str) -> dict[str, Schema]:
    """Event type in an older version -> the schema of its data, by the members that it had at every depth.

    A member counts half-points if its newest version does. ``template``: as that of `data_schemas`.
    """
    shapes = kept()
    schemas = {name: _shaped(shapes[name]) for name in UPCASTERS}
    for name, (row, _) in UPCASTERS.items():
        _state_unit(FORMS[row.name], schemas[name], {}, template)
    return schemas


def _state_unit(form: Any, schema: Schema, components: Mapping[str, Schema], template: str) -> None:
    """Refer to the component of half-points wherever a schema has a number that the type of the event declares so."""
    unit = {"$ref": template.format(name=_HALF_POINTS)}
    for *path, name in places_of(HalfPoints, form):
        for members in _members_at(schema, path, components):
            if name in members:
                members[name] = _in_half_points(members[name], unit)


def _members_at(schema: Schema, path: Sequence[str], components: Mapping[str, Schema]) -> Iterator[Schema]:
    """Yield the members of each object at a path, through references and alternatives."""
    for one in (*schema.get("anyOf", ()), components.get(schema.get("$ref", ""))):
        if one is not None:
            yield from _members_at(one, path, components)
    if not path:
        yield schema.get("properties", {})
    elif path[0] == "*":
        yield from _members_at(schema.get("items", {}), path[1:], components)
    elif path[0] in schema.get("properties", {}):
        yield from _members_at(schema["properties"][path[0]], path[1:], components)


def _in_half_points(number: Schema, unit: Schema) -> Schema:
    """Return the schema of a number in half-points, which may be null if the number may. It stays if it has its unit."""
    if "description" in number:
        return number
    nullable = "anyOf" in number or number is _LEAF
    default = {"default": number["default"]} if "default" in number else {}
    return ({"anyOf": [unit, {"type": "null"}]} if nullable else unit) | default | _UNIT


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


def in_json(docstring: str) -> str:
    """Return a docstring with its code in single backquotes, and with the words of JSON in place of Python's."""
    text = docstring.replace("``", "`")
    return _PYTHON_WORD.sub(lambda word: _JSON_WORDS[word[0]], text)


def _closed(schema: Schema) -> Schema:
    """A schema of an object that takes no other members; its description in one paragraph."""
    closed = (
        schema
        if "additionalProperties" in schema or "properties" not in schema
        else schema | {"additionalProperties": False}
    )
    described = {"description": " ".join(in_json(schema["description"]).split())} if "description" in schema else {}
    return closed | described
