"""The tables of rows that a set of regulations has beside its infractions, each row in words."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from services.standings.descriptions.words import commas, control
from shared.core.language.messages import Message, say
from shared.core.readings.vocabulary import GAMES, display_name
from shared.core.rulebook.regulations import Regulations
from shared.core.terms import TimeControl
from shared.regulations.value_names import value_names
from shared.web.value_words import value_name, value_words

POWERS = "rulebook.authority"
"""The table that has a place of its own on the page."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row in words, and its article where it has one."""

    words: Message
    article: str | None


@dataclass(frozen=True, slots=True)
class Table:
    """The rows at a ``path``."""

    path: str
    title: Message
    rows: tuple[Row, ...]


def tables_of(one: Regulations) -> tuple[Table, ...]:
    """Every table of rows that the set has, but for the powers."""
    found = (
        ("leaving.formats", one.leaving.formats),
        ("ranking.orders", one.ranking.orders),
        ("game.times", one.game.times),
        ("game.offers", one.game.offers),
        ("game.schemes", one.game.schemes),
        ("rulebook.findings", one.rulebook.findings),
    )
    return tuple(
        Table(path, value_name(path), tuple(Row(_words(one, path, row), row.article) for row in rows))
        for path, rows in found
        if rows
    )


def _words(one: Regulations, path: str, row: Any) -> Message:
    if isinstance(row, TimeControl):
        return say("{game}: {time}", game=display_name(GAMES, row.game), time=control(row))
    return commas(list(_columns(one, path, row)))


def _columns(one: Regulations, path: str, row: Any) -> Iterator[Message]:
    """What the row says: the name of each column, and its value where it is more than whether."""
    for column in (field.name for field in fields(row)):
        value, at = getattr(row, column), f"{path}.{column}"
        if at not in value_names() or value in ((), 0, None):
            continue
        name = value_name(at)
        yield name if value is True else say("{name}: {value}", name=name, value=value_words(one, at, value))
