"""A marshmallow schema for every event type and version, derived from its frozen data.

They guard writing and describe the events in OpenAPI; on replay msgspec reads the
same types. Unknown fields are refused, NUL and lone surrogates are no text.
"""

import dataclasses
import re
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import msgspec
from marshmallow import RAISE, Schema, ValidationError, fields, validate

from shared.wire.envelope import FORMS, wire_form

_NO_TEXT = re.compile("[\x00\ud800-\udfff]")


def text_is_clean(value: str) -> None:
    """Refuse NUL and lone surrogates: no database, hash or page takes them alike."""
    if _NO_TEXT.search(value):
        raise ValidationError("holds NUL or a lone surrogate")


def _field(annotation: Any, required: bool) -> fields.Field[Any]:
    options: dict[str, Any] = {"required": required}
    while hasattr(annotation, "__supertype__"):
        annotation = annotation.__supertype__
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        (annotation,) = [a for a in arguments if a not in (type(None), msgspec.UnsetType)]
        field = _field(annotation, required)
        field.allow_none = True
        return field
    if origin is typing.Literal:
        return fields.String(validate=validate.OneOf(arguments), **options)
    if origin is tuple:
        return fields.List(_field(arguments[0], True), **options)
    if origin is dict:
        return fields.Dict(keys=_field(arguments[0], True), values=_field(arguments[1], True), **options)
    if dataclasses.is_dataclass(annotation) or (
        isinstance(annotation, type) and issubclass(annotation, msgspec.Struct)
    ):
        return fields.Nested(schema_of(typing.cast(type, annotation)), **options)
    if annotation is bool:
        return fields.Boolean(truthy={True}, falsy={False}, **options)
    if annotation is int:
        return fields.Integer(strict=True, **options)
    if annotation is str:
        return fields.String(validate=text_is_clean, **options)
    raise TypeError(f"no field for {annotation!r}")


def _members(data: type) -> list[tuple[str, Any, bool]]:
    """Name, type, and whether it is required, of each field."""
    if dataclasses.is_dataclass(data):
        hints, missing = typing.get_type_hints(data), dataclasses.MISSING
        members = dataclasses.fields(data)
        return [(f.name, hints[f.name], f.default is missing and f.default_factory is missing) for f in members]
    return [(f.name, f.type, f.required) for f in msgspec.structs.fields(data)]


@cache
def schema_of(data: type) -> type[Schema]:
    """The marshmallow schema of a frozen dataclass or of a wire's form of one, nested ones included."""
    made: dict[str, Any] = {name: _field(annotation, required) for name, annotation, required in _members(data)}
    made["Meta"] = type("Meta", (), {"unknown": RAISE})
    return type(data.__name__, (Schema,), made)


EVENT_SCHEMAS: Mapping[str, Schema] = {name: schema_of(form)() for name, form in FORMS.items()}
"""By type and version, as on the wire."""


def _check(field: fields.Field[Any]) -> Callable[[Any], object]:
    """What a field's schema asks of a value that is still frozen data."""
    if isinstance(field, fields.Nested):
        return lambda value: field.deserialize(value) if value is None else guard(value)
    if isinstance(field, fields.List):
        inner = _check(field.inner)
        return lambda value: [inner(each) for each in value]
    return field.deserialize


_CHECKS: dict[type, tuple[tuple[str, Callable[[Any], object]], ...]] = {}


def _checks(data: type) -> tuple[tuple[str, Callable[[Any], object]], ...]:
    known = _CHECKS.get(data)
    if known is None:
        known = tuple((name, _check(field)) for name, field in schema_of(data)().fields.items())
        _CHECKS[data] = known
    return known


def guard(data: Any) -> None:
    """Refuse to write what its schema does not take: every field by its own marshmallow field, no dictionary between.

    Raises marshmallow's ValidationError naming the field.
    """
    data = wire_form(data)
    for name, check in _checks(type(data)):
        try:
            check(getattr(data, name))
        except ValidationError as problem:
            raise ValidationError({name: problem.messages}) from None
