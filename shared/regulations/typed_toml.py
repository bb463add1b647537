"""TOML files as values of a type: no key that the type does not know, no value of another type."""

import re
import tomllib
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from importlib.resources import files
from typing import Any, TypeVar

import msgspec

from shared.wire.event_data import UNCLEAN, unclean_at

T = TypeVar("T")

_LABELS = ("name", "rule", "finding", "act", "id", "number", "path")
"""Keys by which people know the row of an array of tables."""


class TomlError(ValueError):
    """A rejected TOML file, as one line with file, table and key."""


class TomlSyntaxError(TomlError):
    """A file that is not TOML, or contains invalid text."""


def read_toml(package: str, file: str, type: type[T]) -> T:
    """Return the value of a TOML file of a package. Raises `TomlError`."""
    return parse_toml(files(package).joinpath(file).read_text(encoding="utf-8"), file, type)


def toml_files(package: str) -> list[str]:
    """Return the names of the TOML files of a package, sorted."""
    return sorted(file.name for file in files(package).iterdir() if file.name.endswith(".toml"))


def rows_by_path(package: str, type: type[Any]) -> dict[str, Any]:
    """Return the ``values`` of all TOML files of a package by path. Raises `TomlError`, also for a path that occurs twice."""
    rows: dict[str, Any] = {}
    for file in toml_files(package):
        for row in read_toml(package, file, type).values:
            if row.path in rows:
                raise TomlError(f"{file}: values ({row.path}): the path stands twice")
            rows[row.path] = row
    return rows


def parse_toml(
    text: str, file: str, type: type[T], arrange: Callable[[dict[str, Any]], dict[str, Any]] | None = None
) -> T:
    """Return the value of a TOML text. Raises `TomlError`.

    ``file``: its name in errors. ``arrange``: moves tables of the file to their places in the type.
    """
    tables = toml_tables(text, file)
    try:
        tables = tables if arrange is None else arrange(tables)
    except TomlError as error:
        raise TomlError(f"{file}: {error}") from error
    try:
        value = msgspec.convert(tables, type, strict=True)
    except msgspec.ValidationError as error:
        raise TomlError(f"{file}: {error}{_row_of(tables, str(error))}") from error
    # The value is converted back: a key that is missing then was ignored.
    for problem in _dropped(tables, msgspec.to_builtins(value), ""):
        raise TomlError(f"{file}: {problem}")
    return value


def toml_tables(text: str, file: str) -> dict[str, Any]:
    """Return the unchecked tables of a TOML text. Raises `TomlSyntaxError`."""
    try:
        tables = tomllib.loads(text)
        unclean = unclean_at(tables)
    except tomllib.TOMLDecodeError as error:
        raise TomlSyntaxError(f"{file}: {error}") from error
    except RecursionError as error:
        raise TomlSyntaxError(f"{file}: its tables are nested too deep") from error
    if unclean is not None:
        raise TomlSyntaxError(f"{file}: {'.'.join(unclean) or 'the top table'} {UNCLEAN}")
    return tables


def _dropped(given: Any, read: Any, table: str) -> Iterator[str]:
    """Yield a sentence for each key of ``given`` that ``read`` lacks, also in nested tables and arrays of tables."""
    if isinstance(given, dict):
        for key, value in given.items():
            if key not in read:
                known = get_close_matches(key, read, n=1)
                hint = f"; is {known[0]!r} meant?" if known else ""
                yield f"{table or 'the top table'} has an unknown key {key!r}{hint}"
            else:
                yield from _dropped(value, read[key], f"{table}.{key}".lstrip("."))
    elif isinstance(given, list):
        for number, (one, other) in enumerate(zip(given, read, strict=True)):
            yield from _dropped(one, other, f"{table}[{number}]{_label(one)}")


def _row_of(tables: dict[str, Any], error: str) -> str:
    """Return the name of the innermost row on the path of an error of msgspec (``$.rulebook.infractions[6].article``)."""
    label, at = "", tables
    for key, number in re.findall(r"\.(\w+)|\[(\d+)\]", error.rpartition("`$")[2]):
        try:
            at = at[key] if key else at[int(number)]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            break
        label = _label(at) or label
    return label


def _label(row: Any) -> str:
    """By what name a row is known, in brackets; empty for one without a name."""
    name = next((row[key] for key in _LABELS if key in row), None) if isinstance(row, dict) else None
    return "" if name is None else f" ({name})"
