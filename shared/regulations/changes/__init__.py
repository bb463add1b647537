"""Regulations with the changes of an organiser."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from shared.core.language.messages import Message, say
from shared.core.rulebook.game_rules import RULES, GameRules
from shared.core.rulebook.regulations import Regulations, Value
from shared.regulations.changeable import changeable, changeable_in, member, row_name, value_at
from shared.regulations.consistency import inconsistencies


class BadChange(ValueError):
    """A change that is not taken: ``path`` and ``why``, which names what would be."""

    def __init__(self, path: str, why: Message) -> None:
        super().__init__(say("{path}: {why}", path=path, why=why))
        self.path, self.why = path, why


def changed(regulations: Regulations, changes: Mapping[str, Value]) -> Regulations:
    """Return the ruleset with these values, each with the source of its interpretation. An equal value is not a change.

    Raises `BadChange` for a path that an organiser may not set or that the ruleset does not have, a value outside its bounds,
    and values that contradict others.
    """
    other = regulations
    for path, value in changes.items():
        other = _changed(regulations, other, path, value)
    for problem in inconsistencies(other):
        raise BadChange(", ".join(changes), say("{text}", text=problem))
    return other


def _changed(shipped: Regulations, other: Regulations, path: str, value: Value) -> Regulations:
    row = changeable().get(path)
    if row is None:
        raise BadChange(
            path,
            say(
                "the organiser cannot change a value of this name; values that can be changed: {changeable_in}",
                changeable_in=tuple(r.path for r in changeable_in(shipped)),
            ),
        )
    was = value_at(shipped, path)
    if was is None:
        raise BadChange(path, say("{name} has no such value", name=shipped.name))
    if not row.takes(value):
        raise BadChange(path, say("must be {bounds} ({article})", bounds=row.bounds, article=row.article))
    if value == was:
        return other
    new: Regulations = with_value(other, path.split("."), value)
    source = next((reading.source for reading in row.readings if reading.value == value), None)
    if source is not None:
        new = _by_article(new, path, source)
    return replace(new, changes={**other.changes, path: value})


def _by_article(regulations: Regulations, path: str, source: str) -> Regulations:
    """Return the ruleset with the source as the article of the value, or of its row."""
    if path in regulations.articles:
        return replace(regulations, articles={**regulations.articles, path: source})
    row = path.split(".")[:-1]
    if row_name(value_at(regulations, ".".join(row))) is None:
        return regulations
    new: Regulations = with_value(regulations, [*row, "article"], source)
    return new


def with_value(value: Any, path: list[str], new: Value) -> Any:
    """Return a copy of a data class, or of rows, with another value at the path."""
    if not path:
        return new
    name, *rest = path
    inner = with_value(member(value, name), rest, new)
    if isinstance(value, tuple):
        return tuple(inner if row_name(row) == name else row for row in value)
    if isinstance(value, GameRules) and name in RULES:
        return replace(value, rules={**value.rules, name: inner})
    return replace(value, **{name: inner})
