"""The columns of records: a word that stands in none of them, or in two, is refused, as the same word cut would be misread."""

import re
from typing import NamedTuple

from shared.core.language.messages import say
from shared.trf.model.columns import TrfError
from shared.trf.model.model import Record


class Columns(NamedTuple):
    """Of a record its ``fields`` (first and last column, from 1), and the first column of the ``numbers`` after them, or of
    ``points`` in five columns each (0: none)."""

    fields: tuple[tuple[int, int], ...]
    numbers: int = 0
    points: int = 0

    def hold(self, first: int, last: int) -> bool:
        """Whether a word of these columns stands within one of them."""
        if any(start <= first and last <= end for start, end in self.fields) or 0 < self.numbers <= first:
            return True
        return 0 < self.points <= first and (first - self.points) % 5 + last - first < 5


_ENDS_260 = 16
"""The last column of the first number after the rounds of a 260; a further one ends five columns on."""
_OF_BOTH = {
    "240": Columns(((5, 5), (6, 9)), 11),
    "260": Columns(((5, 7), (9, 11)), 13),
}
_PLAYERS = _OF_BOTH | {
    "250": Columns(((5, 8), (10, 13), (15, 17), (19, 21), (23, 26), (28, 31))),
    "XXA": Columns(((5, 8),), points=10),
}
_TEAMS = _OF_BOTH | {
    "300": Columns(((5, 7), (9, 11), (13, 15)), 17),
    "320": Columns(((5, 8), (10, 13)), 15),
    "330": Columns(((5, 6), (8, 10), (12, 14), (16, 18))),
}


def check_columns(record: Record, *, of_teams: bool, file: str) -> None:
    """Raises `TrfError` for the first word that is cut by a column of the record, or by the blank after its code."""
    text = record.text.rstrip()
    if text[3:4].strip():
        raise TrfError(file, record.line, 4, say("{text} is in a column that must be blank", text=repr(text[3])))
    columns = (_TEAMS if of_teams else _PLAYERS).get(text[:3])
    for match in re.finditer(r"\S+", text[4:]):
        first, last = match.start() + 5, match.end() + 4
        if columns is not None and not columns.hold(first, last):
            raise TrfError(
                file, record.line, first, say("{text} is outside the columns of this record", text=repr(match[0]))
            )
    if text[:3] == "260" and not (text[4:7].strip() and text[8:11].strip()):
        _no_round(record, text, file)


def _no_round(record: Record, text: str, file: str) -> None:
    """Refuses a 260 without one of its rounds where what comes next may be that round, moved: it ends where no number ends."""
    found = re.search(r"\S+", text[11:])
    if text[4:11].strip() and found is not None and (11 + found.end() - _ENDS_260) % 5:
        detail = say(
            "ambiguous value {text}: it may be a round number or the first player of the list", text=repr(found[0])
        )
        raise TrfError(file, record.line, 12 + found.start(), detail)
