"""The rows of a sheet of players, the errors of its cells, and players who are listed twice or already entered."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from marshmallow import RAISE, ValidationError

from services.pairing.entries.entry_columns import BY_NAME, COLUMNS, IGNORED, UNNAMED, BadCell
from services.pairing.entries.entry_schemas import PlayerSchema
from shared.core.language.messages import Message, message_of, say
from shared.web.problem_words import sentences_of

_SCHEMA = PlayerSchema(unknown=RAISE)


@dataclass(frozen=True, slots=True)
class Known:
    """An entered player: the values that identify a double."""

    number: int
    name: str
    club: str
    fide_id: str


@dataclass(slots=True)
class RowRead:
    """A row: its ``number`` in the sheet and its typed ``cells``.

    ``entry`` is the entry as `PlayerSchema` loads it, or None if a cell is wrong. ``wrong`` lists the errors by column.
    ``double`` is the reason why its player is a double, and ``certain`` whether it cannot be a different person.
    """

    number: int
    cells: Sequence[str]
    entry: dict[str, Any] | None = None
    wrong: dict[int, list[str]] = field(default_factory=dict)
    double: Message | None = None
    certain: bool = False


def read_row(number: int, cells: Sequence[str], columns: Sequence[str], game: str) -> RowRead:
    """Return a row with cells of these columns, for a tournament of a game."""
    row, sent = RowRead(number, cells), {}
    places = {name: n for n, name in enumerate(columns)}
    for n, (cell, name) in enumerate(zip(cells, columns, strict=True)):
        if cell and name in BY_NAME:
            try:
                sent[name] = BY_NAME[name].read(cell, game)
            except BadCell as problem:
                row.wrong[n] = list(sentences_of(message_of(problem)))
    try:
        row.entry = _SCHEMA.load(sent)
    except ValidationError as problem:
        assert isinstance(problem.messages, dict)
        for name, told in problem.messages.items():
            row.wrong.setdefault(places.get(name, 0), list(sentences_of(told)))
    if row.wrong:
        row.entry = None
    return row


def columns_wrong(columns: Sequence[str]) -> list[Message]:
    """Return the errors of the columns themselves."""
    wrong = [
        say("column {number}: choose its content, or choose to ignore it", number=n)
        for n, name in enumerate(columns, 1)
        if name == UNNAMED or (name != IGNORED and name not in BY_NAME)
    ]
    for column in COLUMNS:
        if columns.count(column.name) > 1:
            wrong.append(say("{column} is assigned to two columns: assign it to one", column=column.title))
    if "name" not in columns:
        wrong.append(say("the column of the names is missing; assign it"))
    return wrong


def _same_as_entered(club: str, number: int) -> Message:
    if club:
        return say("number {number} is already entered with the same name and club", number=number)
    return say("number {number} is already entered with the same name, without a club", number=number)


def _same_as_row(club: str, number: int) -> Message:
    if club:
        return say("same name and club as row {number}", number=number)
    return say("same name as row {number}, both without a club", number=number)


def mark_doubles(rows: Iterable[RowRead], known: Iterable[Known]) -> None:
    """Mark each row whose player is in a row above or already entered, by FIDE ID, or by name and club."""
    by_fide = {one.fide_id: one for one in known if one.fide_id}
    by_name = {(one.name, one.club): one for one in known}
    above_fide: dict[str, int] = {}
    above_name: dict[tuple[str, str], int] = {}
    for row in rows:
        if row.entry is None:
            continue
        name, fide = (row.entry["name"], row.entry["club"] or ""), row.entry["fide_id"]
        if fide in by_fide:
            row.double, row.certain = (
                say("this FIDE ID is already entered as number {number}", number=by_fide[fide].number),
                True,
            )
        elif fide in above_fide:
            row.double, row.certain = say("same FIDE ID as row {number}", number=above_fide[fide]), True
        elif name in by_name and not (fide and by_name[name].fide_id):
            row.double = _same_as_entered(name[1], by_name[name].number)
        elif name in above_name:
            row.double = _same_as_row(name[1], above_name[name])
        above_name.setdefault(name, row.number)
        if fide:
            above_fide.setdefault(fide, row.number)
