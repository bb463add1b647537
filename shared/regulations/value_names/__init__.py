"""What people call the values of regulations and the tables of rows in them: one row of the files here for each path."""

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
        """The words for a value; None where it is a number, or a member of a set that has its own words."""
        if isinstance(value, str):
            return self.words.get(value)
        return self.words.get("") if value == () else None


@dataclass(frozen=True, slots=True)
class ValueNames:
    """What a file here holds."""

    values: tuple[ValueName, ...]


@cache
def value_names() -> Mapping[str, ValueName]:
    """Every row, by its path. Raises `TomlError`, also for a path that stands twice."""
    return rows_by_path(__package__, ValueNames)


def value_texts() -> Iterator[str]:
    """The English texts of all rows."""
    for row in value_names().values():
        yield from (row.name, *row.words.values())
