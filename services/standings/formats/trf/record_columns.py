"""The columns of records: a word that stands in none of them, or in two, is refused, as the same word cut would be misread."""

import re
from typing import NamedTuple

from services.standings.formats.trf.model import Record, TrfError
from shared.core.messages import say


class Columns(NamedTuple):
    """Of a record its ``fields`` (first and last column, from 1), and the first column of the numbers after them (0: none)."""

    fields: tuple[tuple[int, int], ...]
    numbers: int = 0


_PLAYERS = {
    "240": Columns(((5, 5), (6, 9)), 11),
    "250": Columns(((5, 8), (10, 13), (15, 17), (19, 21), (23, 26), (28, 31))),
    "260": Columns(((5, 7), (9, 11)), 13),
}
_TEAMS = {
    "240": Columns(((5, 5), (6, 9)), 11),
    "260": Columns(((5, 7), (9, 11)), 13),
    "300": Columns(((5, 7), (9, 11), (13, 15)), 17),
    "320": Columns(((5, 8), (10, 13)), 15),
    "330": Columns(((5, 6), (8, 10), (12, 14), (16, 18))),
}


def check_columns(record: Record, *, of_teams: bool, file: str) -> None:
    """Raises `TrfError` for the first word that is cut by a column of the record, or by the blank after its code."""
    text = record.text.rstrip()
    if text[3:4].strip():
        raise TrfError(file, record.line, 4, say("{text} where a column is blank", text=repr(text[3])))
    columns = (_TEAMS if of_teams else _PLAYERS).get(text[:3])
    for match in re.finditer(r"\S+", text[4:]) if columns is not None else ():
        first, last = match.start() + 5, match.end() + 4
        within = any(start <= first and last <= end for start, end in columns.fields)
        if not within and not 0 < columns.numbers <= first:
            raise TrfError(file, record.line, first, say("{text} stands in none of its columns", text=repr(match[0])))
