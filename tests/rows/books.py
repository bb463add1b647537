"""The rows of the books, from `rows.toml`."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import msgspec

FILE = Path(__file__).parent / "rows.toml"


@dataclass(frozen=True, slots=True)
class Row:
    """``rule`` in English, a word of it in ``chinese``, the ``text`` that has it; ``undecided``: why nothing is decided by it."""

    rule: str
    chinese: str
    text: str
    undecided: str | None = None


@dataclass(frozen=True, slots=True)
class Book:
    """Rows are numbered by the ``letter`` and their place, from 1."""

    letter: str
    title: str
    rows: tuple[Row, ...]
    note: str | None = None

    @property
    def numbered(self) -> list[tuple[str, Row]]:
        """Number and row."""
        return [(f"{self.letter}{n}", row) for n, row in enumerate(self.rows, 1)]


@dataclass(frozen=True, slots=True)
class _Books:
    books: tuple[Book, ...]


def books() -> tuple[Book, ...]:
    """Every book, in the order of the file."""
    text = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return msgspec.convert(text, _Books).books
