"""The parts of rulesets, one TOML file each, and the tables of a ruleset merged with its parts.

A ruleset lists its parts and contains its own values. Common values of several rulesets are in exactly one part.
"""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from shared.regulations.typed_toml import TomlError, toml_tables

KEYS: dict[str, tuple[str, ...]] = {
    "leaving.formats": ("formats",),
    "ranking.orders": ("formats", "of"),
    "game.times": ("game",),
    "game.schemes": ("game", "article"),
    "game.offers": ("game",),
    "rulebook.infractions": ("name",),
    "rulebook.ladder": ("rule",),
    "rulebook.findings": ("name",),
    "rulebook.authority": ("act",),
}
"""The arrays of tables of a ruleset, and the keys that identify a row. Two rows of a ruleset never have the same keys."""


@cache
def part_texts() -> Mapping[str, str]:
    """Return the texts of the shipped parts, by name."""
    found = (file for file in files(__package__).iterdir() if file.name.endswith(".toml"))
    return {file.name.removesuffix(".toml"): file.read_text(encoding="utf-8") for file in found}


def with_parts(tables: dict[str, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    """Return the tables of a ruleset merged with those of its parts, from ``texts`` by name.

    A value of the ruleset replaces that of a part, and a row changes the part's row of the same key. Raises `TomlError` for
    an unknown part, a value in two parts, and a value that repeats a part.
    """
    named = tables.get("parts", [])
    if not isinstance(named, list) or not all(isinstance(name, str) for name in named):
        raise TomlError("parts: a list of names")
    whole: dict[str, Any] = {}
    for number, name in enumerate(named):
        if name in named[:number]:
            raise TomlError(f"parts: {name!r} stands twice")
        if name not in texts:
            raise TomlError(f"parts: there are {', '.join(sorted(texts))}, not {name!r}")
        part = _tables(texts[name], f"parts/{name}.toml")
        for path, _ in _shared(whole, part):
            raise TomlError(f"parts: {path} is in {name!r} and in another part")
        whole = _merged(whole, part)
    own = {key: value for key, value in tables.items() if key != "parts"}
    for path, same in _shared(whole, own):
        if same:
            raise TomlError(f"{path}: a part says this already")
    return _merged(whole, own)


_tables = lru_cache(maxsize=128)(toml_tables)
"""The tables of a part, parsed once for all rulesets that list it. They are never changed: merging makes new ones."""


def _merged(under: dict[str, Any], over: dict[str, Any], path: str = "") -> dict[str, Any]:
    """Return tables with those of ``over`` in their place, key by key and row by row."""
    return under | {k: _value(under[k], v, _below(path, k)) if k in under else v for k, v in over.items()}


def _value(under: Any, over: Any, path: str) -> Any:
    if isinstance(under, dict) and isinstance(over, dict):
        return _merged(under, over, path)
    if path in KEYS and isinstance(under, list) and isinstance(over, list):
        rows, others = _rows(under, path), _rows(over, path)
        return [row | others.get(key, {}) for key, row in rows.items()] + [
            row for key, row in others.items() if key not in rows
        ]
    return over


def _shared(under: Any, over: Any, path: str = "") -> Iterator[tuple[str, bool]]:
    """Yield the path of each value in both, in tables and in rows of the same key, and whether the values are equal."""
    if isinstance(under, dict) and isinstance(over, dict):
        for key in (key for key in over if key in under):
            yield from _shared(under[key], over[key], _below(path, key))
    elif path in KEYS and isinstance(under, list) and isinstance(over, list):
        rows = _rows(under, path)
        for key, row in _rows(over, path).items():
            other = rows.get(key, {})
            for name in sorted(row.keys() & other.keys() - {*KEYS[path], "finding"}):
                yield f"{path} ({key[0]}): {name}", row[name] == other[name]
    else:
        yield path, under == over


def _below(path: str, key: str) -> str:
    return f"{path}.{key}".lstrip(".")


def _rows(rows: list[Any], path: str) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return rows by their key. Raises `TomlError` if two rows have the same key."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            raise TomlError(f"{path}[{number}]: a table is expected")
        key = tuple(_hashable(row.get(name)) for name in _key(path, row))
        if key in found:
            raise TomlError(f"{path}: two rows have the {KEYS[path][0]} {key[0]!r}")
        found[key] = row
    return found


def _key(path: str, row: dict[str, Any]) -> tuple[str, ...]:
    """Return the keys that identify a row. A finding that is the only one of its kind needs no name."""
    return ("finding",) if path == "rulebook.findings" and "name" not in row else KEYS[path]


def _hashable(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)
