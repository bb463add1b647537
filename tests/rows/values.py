"""Paths of regulations: the values at one, and those that there may be by the types."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from shared.core.rulebook.game_rules import RULES, GameRules

_KEYS = ("name", "rule", "act", "finding", "game", "article")


def values_at(value: Any, path: str) -> list[Any]:
    """Every value at the path, in regulations or in a question to the judge: of a table of rows those of the row with that
    key, or of all (``*``). Of a list of words each counts, and all of them together."""
    if not path:
        return [value, *value] if isinstance(value, tuple) and not any(map(is_dataclass, value)) else [value]
    name, _, rest = path.partition(".")
    return [found for below in _below(value, name) for found in values_at(below, rest)]


def _below(value: Any, name: str) -> Iterator[Any]:
    if isinstance(value, tuple):
        yield from (row for row in value if name in ("*", *(getattr(row, key, None) for key in _KEYS)))
    elif isinstance(value, GameRules) and name in value.rules:
        yield value.rules[name]
    elif isinstance(value, Mapping):
        yield from value.values() if name == "*" else [value[name]] if name in value else []
    elif hasattr(value, name):
        yield getattr(value, name)


def leaves(kind: type, at: str = "") -> Iterator[tuple[str, tuple[Any, ...] | None]]:
    """Every path that regulations may have by their types, and the values that there are: of a bool and of words; None: any
    number or text."""
    hints = get_type_hints(kind)
    for field in fields(kind):
        yield from _leaves(hints[field.name], f"{at}.{field.name}".strip("."))


def _leaves(hint: Any, at: str) -> Iterator[tuple[str, tuple[Any, ...] | None]]:
    hint = getattr(hint, "__supertype__", hint)
    if is_dataclass(hint):
        assert isinstance(hint, type)
        yield from leaves(hint, at)
    elif get_origin(hint) is Literal:
        yield at, get_args(hint)
    elif hint is bool:
        yield at, (False, True)
    elif get_origin(hint) is tuple:
        inner = get_args(hint)[0]
        yield from _leaves(inner, f"{at}.*" if is_dataclass(inner) else at)
    elif get_origin(hint) is dict:
        yield from _of_mapping(get_args(hint)[1], at)
    elif type(None) in get_args(hint):
        for one in get_args(hint):
            if one is not type(None):
                yield from _leaves(one, at)
    else:
        yield at, None


def _of_mapping(inner: Any, at: str) -> Iterator[tuple[str, tuple[Any, ...] | None]]:
    if at == "game.rules":
        for game, rules in RULES.items():
            yield from leaves(rules, f"game.{game}")
    else:
        yield f"{at}.*", None
