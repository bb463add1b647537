"""The contradictions of the texts, and the values of regulations that settle them."""

from dataclasses import dataclass
from functools import cache

from shared.core.rulebook.regulations import Regulations
from shared.regulations.changeable import Reading, changeable, value_at
from shared.regulations.typed_toml import TomlError, read_toml


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A contradiction or gap of the texts. ``paths``: the values that settle it."""

    number: int
    subject: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contradictions:
    """The content of the file in this folder."""

    contradictions: tuple[Contradiction, ...]


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a set settles one value of a contradiction: the readings there are, and those that it takes; none where it has a
    value of its own within the bounds."""

    path: str
    readings: tuple[Reading, ...]
    taken: tuple[Reading, ...]


@cache
def contradictions() -> tuple[Contradiction, ...]:
    """Every contradiction, by its number. Raises `TomlError`, also for a path that no row of `changeable` has."""
    rows = read_toml(__package__, "contradictions.toml", Contradictions).contradictions
    for row in rows:
        for path in row.paths:
            if path not in changeable():
                raise TomlError(
                    f"contradictions.toml: contradictions ({row.number}): paths: no organiser may set {path!r}"
                )
    return rows


def settlements(contradiction: Contradiction, regulations: Regulations) -> tuple[Settlement, ...]:
    """How a set settles it: for each of its values that the set has. None where it has no such game."""
    had = ((path, value_at(regulations, path)) for path in contradiction.paths)
    return tuple(
        Settlement(path, readings, tuple(one for one in readings if one.value == value))
        for path, value in had
        if value is not None
        for readings in (changeable()[path].readings,)
    )
