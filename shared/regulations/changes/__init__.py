"""The values that an organiser may set: their bounds, their readings, and regulations with such changes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from shared.core.game_rules import GameRules
from shared.core.regulations import Regulations, Value
from shared.regulations.typed_toml import read_toml


@dataclass(frozen=True, slots=True)
class Reading:
    """A value that a text gives, and where."""

    value: bool | int | str
    source: str


@dataclass(frozen=True, slots=True)
class Changeable:
    """A value that an organiser may set, by its path: a number from ``least`` to ``most``, one of the ``choices``, or one of
    the ``readings``. ``article``: the one that leaves it to him, or gives the bounds."""

    path: str
    article: str
    unit: str | None = None
    least: int | None = None
    most: int | None = None
    choices: tuple[int, ...] = ()
    readings: tuple[Reading, ...] = ()

    @property
    def bounds(self) -> str:
        """What is taken, in words."""
        if self.least is not None:
            return f"{self.least} to {self.most}" + (f" {self.unit}" if self.unit else "")
        return " or ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in self.values)

    @property
    def values(self) -> list[bool | int | str]:
        """The values that are taken, where no bounds are."""
        return list(dict.fromkeys((*self.choices, *(reading.value for reading in self.readings))))

    def takes(self, value: Value) -> bool:
        """Whether the value is within the bounds, and of their type."""
        if self.least is not None and self.most is not None:
            return type(value) is int and self.least <= value <= self.most
        return any(type(value) is type(one) and value == one for one in self.values)


@dataclass(frozen=True, slots=True)
class ChangeableValues:
    """What the file beside this module holds."""

    values: tuple[Changeable, ...]


class BadChange(ValueError):
    """A change that is not taken: ``path`` and ``why``, which names what would be."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path, self.why = path, why


@cache
def changeable() -> Mapping[str, Changeable]:
    """Every value that an organiser may set, by its path. Raises `TomlError`."""
    return {row.path: row for row in read_toml(__package__, "changeable.toml", ChangeableValues).values}


def changeable_in(regulations: Regulations) -> tuple[Changeable, ...]:
    """Those of them that a set has."""
    return tuple(row for row in changeable().values() if value_at(regulations, row.path) is not None)


def changed(regulations: Regulations, changes: Mapping[str, Value]) -> Regulations:
    """The regulations with these values in place of theirs. What is as it was is no change.

    Raises `BadChange` for a path that is no organiser's to set, one that the set does not have, and a value outside its
    bounds.
    """
    other = regulations
    for path, value in changes.items():
        other = _changed(regulations, other, path, value)
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


def value_at(regulations: Regulations, path: str) -> Any:
    """The value at a path; None where the set has none."""
    value: Any = regulations
    for name in path.split("."):
        value = value.rules.get(name) if isinstance(value, GameRules) else getattr(value, name, None)
    return value


def _with(value: Any, path: list[str], new: Value) -> Any:
    """A copy of a data class with the value at the path changed."""
    name, *rest = path
    if isinstance(value, GameRules):
        return replace(value, rules={**value.rules, name: _with(value.rules[name], rest, new)})
    return replace(value, **{name: _with(getattr(value, name), rest, new) if rest else new})
