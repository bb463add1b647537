"""Fields that bodies of several services have, within the bounds of `shared.core.values.bounds`."""

from typing import Any

from marshmallow import ValidationError, fields, validate

from shared.core.values.bounds import ENTRY, Text, Whole


def whole_field(bound: Whole, **options: Any) -> fields.Integer:
    """Return a field of a whole number within a bound."""
    return fields.Integer(strict=True, validate=validate.Range(bound.low, bound.high), **options)


def number_field(bound: Whole = ENTRY, **options: Any) -> fields.Integer:
    """Return a field of a number that counts from 1."""
    return whole_field(Whole(1, bound.high), **options)


def text_field(bound: Text, **options: Any) -> fields.String:
    """Return a field of a text of any characters, within the lengths of a bound."""
    return fields.String(validate=validate.Length(bound.shortest, bound.longest), **options)


def line_field(bound: Text, **options: Any) -> fields.String:
    """Return a field of a text in one line, such as a name, whose characters are checked too."""

    def seen(value: str) -> None:
        why = bound.fault(value)
        if why is not None:
            raise ValidationError([why])

    return fields.String(validate=[validate.Length(bound.shortest, bound.longest), seen], **options)
