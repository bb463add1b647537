"""Printed names of the values and tables of rulesets: one row in the files of this folder for each path."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from shared.core.rulebook.regulations import Value
from shared.regulations.typed_toml import rows_by_path


@dataclass(frozen=True, slots=True)
class ValueName:
    """The ``name`` of the value at a path, and the ``words`` of each word that may stand there; "" is an empty list. A column of
    a table of rows has the path of the table before its own name."""

    path: str
    name: str
    words: dict[str, str] = field(default_factory=dict)

    def word(self, value: Value) -> str | None:
        """Return the words for a value, or None for a number or a member of a set with its own words."""
        if isinstance(value, str):
            return self.words.get(value)
        return self.words.get("") if value == () else None


@dataclass(frozen=True, slots=True)
class ValueNames:
    """The content of a file."""

    values: tuple[ValueName, ...]


@cache
def value_names() -> Mapping[str, ValueName]:
    """Return every row by its path. Raises `TomlError`, also for a repeated path."""
    return rows_by_path(__package__, ValueNames)


def value_texts() -> Iterator[str]:
    """Yield the English texts of all rows."""
    for row in value_names().values():
        yield from (row.name, *row.words.values())
