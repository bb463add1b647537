"""The shape of every version of an event's data: its members at every depth, in the order in which they are written.

An object is its members (``name?``: one that is left out where there is none), ``{"*": …}`` one whose names are free;
an array is ``[what it holds]``; any other value is null. ``shapes.json`` keeps each version's: the newest are those of
today's types (`shape_of`), older ones stay as they were when they were the newest.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.resources import files
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from shared.core.language.messages import Message, say

FILE = files("shared.wire") / "shapes.json"


def shape_of(form: Any) -> Any:
    """The shape of what a type of this code is written as. Raises `TypeError` for a type that has more than one."""
    origin, arguments = get_origin(form), get_args(form)
    if origin in (Union, UnionType):
        shapes = [shape for shape in map(shape_of, arguments) if shape is not None]
        if len(shapes) > 1:
            raise TypeError(f"{form} is written in more than one shape")
        return shapes[0] if shapes else None
    if origin is tuple:
        return [shape_of(arguments[0])]
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"*": shape_of(arguments[1])}
    if isinstance(form, type) and (is_dataclass(form) or issubclass(form, msgspec.Struct)):
        hints = get_type_hints(form)
        names = [field.name for field in fields(form)] if is_dataclass(form) else form.__struct_fields__
        return {f"{name}{_mark(hints[name])}": shape_of(hints[name]) for name in names}
    return None


def places_of(kind: Any, form: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the paths at which the written form of a type has values of ``kind``: names of members, and ``*`` for list items."""
    origin, arguments = get_origin(form), get_args(form)
    if form is kind:
        yield at
    elif origin in (Union, UnionType):
        for one in arguments:
            yield from places_of(kind, one, at)
    elif origin is tuple:
        yield from places_of(kind, arguments[0], (*at, "*"))
    elif isinstance(form, type) and (is_dataclass(form) or issubclass(form, msgspec.Struct)):
        for name, member in get_type_hints(form).items():
            yield from places_of(kind, member, (*at, name))


def _mark(type: Any) -> str:
    return "?" if msgspec.UnsetType in get_args(type) else ""


def misshapen(value: Any, shape: Any, place: str = "data") -> Message | None:
    """Where and how a value of parsed JSON is not of its shape; None: nowhere."""
    within: list[tuple[Any, Any, str]] = []
    if isinstance(value, dict):
        if not isinstance(shape, dict):
            return say("{place} must be an object", place=place)
        members = shape if "*" not in shape else dict.fromkeys(value, shape["*"])
        written = {
            name.removesuffix("?"): one for name, one in members.items() if not name.endswith("?") or name[:-1] in value
        }
        if list(value) != list(written):
            return say(
                "{place} has the members {names}, but must have {must}",
                place=place,
                names=tuple(value),
                must=tuple(written),
            )
        within = [(one, written[name], f"{place}.{name}") for name, one in value.items()]
    elif isinstance(value, list):
        if not isinstance(shape, list):
            return say("{place} must be an array", place=place)
        within = [(one, shape[0], f"{place}.{n}") for n, one in enumerate(value)]
    return next((found for one in within if (found := misshapen(*one)) is not None), None)


def within(value: Any, shape: Any) -> Any:
    """Return a value of parsed JSON without the members that its shape does not have."""
    if isinstance(value, dict) and isinstance(shape, dict):
        members = {name.removesuffix("?"): one for name, one in shape.items()}
        held = dict.fromkeys(value, members["*"]) if "*" in members else members
        return {name: within(one, held[name]) for name, one in value.items() if name in held}
    if isinstance(value, list | tuple) and isinstance(shape, list):
        return [within(one, shape[0]) for one in value]
    return value


@cache
def kept() -> dict[str, Any]:
    """The table: a version's name -> its shape."""
    table: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return table
