"""Fields that bodies of several services have."""

from typing import Any

from marshmallow import fields, validate

MOST_PLAYERS = 9999
"""The highest number of an entry (TRF, columns 5-8)."""


def number_field(high: int = MOST_PLAYERS, **options: Any) -> fields.Integer:
    """Return a field of a whole number from 1 to ``high``."""
    return fields.Integer(strict=True, validate=validate.Range(1, high), **options)


def text_field(longest: int, **options: Any) -> fields.String:
    """Return a field of a text that is not empty."""
    return fields.String(validate=validate.Length(1, longest), **options)
