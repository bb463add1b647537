"""JSON Schema of answers, made from the classes that they are built from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from msgspec import Meta, UnsetType
from msgspec.structs import fields

from shared.wire.answer import Answer

Schema: TypeAlias = dict[str, Any]
_REFERENCE = "#/components/schemas/{name}"
_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}
_TEXT = {"type": "string", "pattern": "^[^\\u0000]*$"}
"""A text in a list or among values by name."""


class AnswerSchemas:
    """The components of the answers of a document; ``named``: the name of each class."""

    def __init__(self, named: Callable[[type], str]) -> None:
        self._named = named
        self.components: dict[str, Schema] = {}

    def of(self, kind: Any) -> Schema:
        """Return the schema of a value of this type. A class of answers becomes a component."""
        arguments = get_args(kind)
        match get_origin(kind):
            case None if isinstance(kind, type) and issubclass(kind, Answer):
                own: Schema | None = getattr(kind, "OPENAPI", None)
                return self._component(kind) if own is None else self._resolved(own)
            case None if isinstance(kind, type) and is_dataclass(kind):
                return {"allOf": [{"$ref": _REFERENCE.format(name=f"Log{kind.__name__}")}]}
            case None:
                return {"type": _TYPES[kind]} if kind in _TYPES else {}
            case origin if origin is Annotated:
                return self._annotated(*arguments)
            case origin if origin is Literal:
                return {"type": "string", "enum": [*arguments]}
            case origin if origin in (Union, UnionType):
                return self._either([one for one in arguments if one is not UnsetType])
            case origin if origin is Sequence:
                return {"type": "array", "items": self._held(arguments[0])}
            case origin if origin is Mapping:
                held = {} if arguments[1] is Any else {"additionalProperties": self._held(arguments[1])}
                return {"type": "object"} | held
        raise TypeError(f"{kind} is not a type of an answer")

    def _annotated(self, kind: Any, *said: Any) -> Schema:
        """A class among the metadata describes what has no class of its own, such as a line of the log."""
        schema = self.of(kind) if all(isinstance(one, Meta) for one in said) else {}
        for one in said:
            schema |= self._resolved(one.extra_json_schema) if isinstance(one, Meta) else self.of(one)
        return schema

    def _resolved(self, part: Any) -> Any:
        """Return a part of a schema with references in place of the classes in it."""
        match part:
            case dict():
                return {name: self._resolved(one) for name, one in part.items()}
            case list():
                return [self._resolved(one) for one in part]
        return self.of(part) if isinstance(part, type) else part

    def _either(self, kinds: Sequence[Any]) -> Schema:
        others = [self.of(one) for one in kinds if one is not NoneType]
        if NoneType not in kinds:
            return others[0] if len(others) == 1 else {"anyOf": others}
        schema = others[0]
        if isinstance(schema.get("type"), str):
            nothing = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
            return schema | {"type": [schema["type"], "null"]} | nothing
        return {"anyOf": [*others, {"type": "null"}]}

    def _held(self, kind: Any) -> Schema:
        return {**_TEXT} if kind is str else self.of(kind)

    def _component(self, kind: type[Answer]) -> Schema:
        name = self._named(kind)
        if name not in self.components:
            self.components[name] = {}  # a class may hold itself
            members = (*fields(kind), *fields(getattr(kind, "ADDED", Answer)))
            always = (one.encode_name for one in members if UnsetType not in get_args(one.type))
            described = {"description": " ".join(kind.__doc__.split())} if kind.__doc__ else {}
            self.components[name] |= described | {
                "type": "object",
                "properties": {one.encode_name: self.of(one.type) for one in members},
                "required": sorted(always),
                "additionalProperties": False,
            }
        return {"$ref": _REFERENCE.format(name=name)}
