"""Columns and metadata of the tables. A migration never changes, so neither do the columns that it uses."""

from typing import Any

from sqlalchemy import BigInteger, Column, Integer, LargeBinary, MetaData, Table, Text
from sqlalchemy.schema import SchemaItem

NUMBER = BigInteger().with_variant(Integer, "sqlite")
"""64 bits in every database. SQLite assigns numbers only to INTEGER keys."""
ORDERED_TEXT = Text().with_variant(Text(collation="C"), "postgresql")
"""Text that is ordered by its bytes, whatever the language of the database, also in an index."""
_METADATA = MetaData()


def table(name: str, *items: SchemaItem, **options: Any) -> Table:
    """Return a table of a service's database."""
    return Table(name, _METADATA, *items, **options)


def required(kind: Any, *names: str) -> list[Column[Any]]:
    """Return columns of one type that always have a value."""
    return [Column(name, kind, nullable=False) for name in names]


def line_columns() -> list[Column[Any]]:
    """Return the columns of a table of lines: bytes as committed, and what finds them."""
    return [
        Column("pos", NUMBER, primary_key=True, autoincrement=True),
        *required(Text, "stream"),
        *required(NUMBER, "seq"),
        *required(Text, "source"),
        *required(NUMBER, "sourceseq"),
        *required(Text, "command"),
        *required(Integer, "n"),
        *required(LargeBinary, "line"),
    ]
