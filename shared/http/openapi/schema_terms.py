"""What JSON Schema says of members together, where one asks for another or rules it out: a schema's ``TOGETHER``.

Written with ``if``, which generated clients leave aside: to them a ``oneOf`` would be several classes.
"""

from typing import Any

Terms = dict[str, Any]
"""Keywords of JSON Schema beside the properties of an object."""


def has(*names: str) -> Terms:
    """These members are there."""
    return {"required": [*names]}


def none_of(*names: str) -> Terms:
    """None of these members is there."""
    return {"not": {"anyOf": [has(name) for name in names]}}


def true(name: str) -> Terms:
    """The member is there, and true."""
    return has(name) | {"properties": {name: {"const": True}}}


def either(condition: Terms, then: Terms, otherwise: Terms) -> Terms:
    """The one where a condition holds, the other where it does not."""
    return {"if": condition, "then": then, "else": otherwise}


def one_of(first: str, second: str) -> Terms:
    """One of two members is there, and not both."""
    return either(has(first), none_of(second), has(second))
