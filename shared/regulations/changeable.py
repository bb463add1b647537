"""The values that an organiser may set, by their paths: their bounds and their readings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from shared.core.language.messages import Message, either, say
from shared.core.rulebook.effects import FactRule
from shared.core.rulebook.game_rules import RULES, GameRules, OfferRule
from shared.core.rulebook.regulations import AuthorityRule, FindingRule, InfractionRule, LadderRule, Regulations, Value
from shared.regulations.typed_toml import rows_by_path

_FILES = "shared.regulations.changes"


@dataclass(frozen=True, slots=True)
class Reading:
    """A value that a text gives, and where."""

    value: Value
    source: str


@dataclass(frozen=True, slots=True)
class Changeable:
    """A value that an organiser may set: a number from ``least`` to ``most``, or one of the ``choices`` or ``readings``.

    With ``members``, the value is a list of some of them, in their order.
    ``article``: the article that leaves it to the organiser, or gives the bounds.
    """

    path: str
    article: str
    unit: str | None = None
    least: int | None = None
    most: int | None = None
    choices: tuple[Value, ...] = ()
    readings: tuple[Reading, ...] = ()
    members: tuple[str, ...] = ()

    @property
    def bounds(self) -> Message:
        """The accepted values, in words."""
        if self.members:
            return say("a list of some of {members}, each once and in this order", members=words(self.members))
        if self.least is None or self.most is None:
            return either(words(value) for value in self.values)
        if self.unit is None:
            return say("{least} to {most}", least=self.least, most=self.most)
        return say("{least} to {most} {unit}", least=self.least, most=self.most, unit=Message(self.unit))

    @property
    def values(self) -> list[Value]:
        """The accepted values, if the row has no bounds."""
        return list(dict.fromkeys((*self.choices, *(reading.value for reading in self.readings))))

    def takes(self, value: Value) -> bool:
        """Whether the value is within the bounds, and of their type."""
        if self.members:
            return isinstance(value, tuple) and value == tuple(one for one in self.members if one in value)
        if self.least is not None and self.most is not None:
            return type(value) is int and self.least <= value <= self.most
        return any(type(value) is type(one) and value == one for one in self.values)


@dataclass(frozen=True, slots=True)
class ChangeableValues:
    """A file of `changes`: values that texts leave to the organiser, or that have two interpretations.

    An organiser may set no other value. If no text gives a value, its source marks Arbiter's default.
    """

    values: tuple[Changeable, ...]


@cache
def changeable() -> Mapping[str, Changeable]:
    """Return every value that an organiser may set, by its path, from the files in `changes`.

    Raises `TomlError`, also for a repeated path.
    """
    return rows_by_path(_FILES, ChangeableValues)


def changeable_in(regulations: Regulations) -> tuple[Changeable, ...]:
    """Those of them that a set has."""
    return tuple(row for row in changeable().values() if value_at(regulations, row.path) is not None)


_ROW_NAMES: dict[type, Callable[[Any], str]] = {
    InfractionRule: lambda row: row.name,
    LadderRule: lambda row: row.rule,
    AuthorityRule: lambda row: row.act,
    FindingRule: lambda row: row.name or row.finding,
    OfferRule: lambda row: row.game,
    FactRule: lambda row: row.name,
}
"""The name of a row in a path, for each type of row with values that an organiser may set."""


def value_at(regulations: Regulations, path: str) -> Any:
    """Return the value at a path, or None if the ruleset has none."""
    value: Any = regulations
    for name in path.split("."):
        value = member(value, name)
    return value


def member(value: Any, name: str) -> Any:
    """Return a field, the rules of a game or a row by its name, or None."""
    if isinstance(value, tuple):
        return next((row for row in value if row_name(row) == name), None)
    if isinstance(value, GameRules) and name in RULES:
        return value.rules.get(name)
    return getattr(value, name, None)


def row_name(row: Any) -> str | None:
    """Return the name of a row in a path, or None if rows of its type have none."""
    name = _ROW_NAMES.get(type(row))
    return None if name is None else name(row)


def words(value: Value) -> str:
    """Return a value as text for a sentence: true, 40, swap, [xiangqi, chess]."""
    if isinstance(value, tuple):
        return "[" + ", ".join(value) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)
