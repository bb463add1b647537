"""Regulations with the changes of an organiser."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from shared.core.game_rules import RULES, GameRules
from shared.core.regulations import Regulations, Value
from shared.regulations.changeable import changeable, changeable_in, member, row_name, value_at
from shared.regulations.consistency import inconsistencies


class BadChange(ValueError):
    """A change that is not taken: ``path`` and ``why``, which names what would be."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path, self.why = path, why


def changed(regulations: Regulations, changes: Mapping[str, Value]) -> Regulations:
    """The regulations with these values in place of theirs. What is as it was is no change.

    Raises `BadChange` for a path that is no organiser's to set, one that the set does not have, a value outside its bounds, and
    values that contradict the others.
    """
    other = regulations
    for path, value in changes.items():
        other = _changed(regulations, other, path, value)
    for problem in inconsistencies(other):
        raise BadChange(", ".join(changes), problem)
    return other


def _changed(shipped: Regulations, other: Regulations, path: str, value: Value) -> Regulations:
    row = changeable().get(path)
    if row is None:
        raise BadChange(path, f"no organiser sets this; there are {', '.join(r.path for r in changeable_in(shipped))}")
    was = value_at(shipped, path)
    if was is None:
        raise BadChange(path, f"{shipped.name} has no such value")
    if not row.takes(value):
        raise BadChange(path, f"takes {row.bounds} ({row.article})")
    if value == was:
        return other
    new: Regulations = _with(other, path.split("."), value)
    return replace(new, changes={**other.changes, path: value})


def _with(value: Any, path: list[str], new: Value) -> Any:
    """A copy of a data class, or of rows, with the value at the path changed."""
    if not path:
        return new
    name, *rest = path
    inner = _with(member(value, name), rest, new)
    if isinstance(value, tuple):
        return tuple(inner if row_name(row) == name else row for row in value)
    if isinstance(value, GameRules) and name in RULES:
        return replace(value, rules={**value.rules, name: inner})
    return replace(value, **{name: inner})
