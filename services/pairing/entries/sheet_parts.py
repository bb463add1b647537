"""The parts of a sheet of players: title rows, header, columns, players and signatures."""

import re
from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import normalize

from services.pairing.entries.entry_columns import BY_NAME, COLUMNS, IGNORED, UNNAMED

_GUESSED = ("sex", "federation", "birth_year", "rating", "fide_id", "title", "name", "club")
"""The order in which columns without a header are recognised."""
_HEADER_WITHIN = 12
"""Number of first rows among which a header is looked for: the title of the list and its particulars are above it."""
_SIGNED = re.compile(
    r"(填表人|填报人|制表|领队|教练|联系人|联系电话|电话|备注|说明|注|合计|共计|总计|单位盖章|盖章|日期|填表日期)(签字|签名)?[::(].*|合计|共计|总计|(单位)?盖章"
)


def _plain(header: str) -> str:
    """Return a heading without case, width, spaces, marks and what is in brackets: 姓名 of ``姓 名（中文）:``."""
    return re.sub(r"\(.*?\)|[\s:._-]", "", normalize("NFKC", header).lower())


_BY_HEADER = {_plain(header): column.name for column in COLUMNS for header in column.headers}


def headed(header: str) -> str:
    """Return the column with this heading, or `UNNAMED`."""
    return _BY_HEADER.get(_plain(header), UNNAMED)


class Recognised(NamedTuple):
    """The parts of a sheet. ``columns``: the content of each column. ``ignored``: the unknown headings that have cells."""

    head: bool
    rows: list[list[str]]
    columns: list[str]
    above: list[str]
    """The rows above the header, such as the title of the list, each as one text."""
    below: list[str]
    """The rows below the list that are not of a player, such as signatures."""
    ignored: list[str]


def recognised(rows: list[list[str]]) -> Recognised:
    """Return the rows of a sheet from its header to its last player, and the content of each column.

    The header is the first row with a heading of names, or with two headings; if more such rows follow it, the last of
    them. A column is known by its heading, else by the form of its cells. No content occurs twice. A column without a cell, or
    with an unknown heading, is ignored; without a header, an unknown one is `UNNAMED`.
    """
    place = _header_place(rows)
    above = rows[: place or 0]
    rows = rows[place or 0 :]
    head, columns, ignored = place is not None, list[str](), list[str]()
    for n, title in enumerate(rows[0]):
        cells = [row[n] for row in rows[1 if head else 0 :] if row[n]]
        name = headed(title) if head else _guess(cells, columns) if cells else IGNORED
        if head and title and name == UNNAMED:
            name = IGNORED
            ignored += [title] if cells else []
        elif not cells and name == UNNAMED:
            name = IGNORED
        columns.append(UNNAMED if name in columns and name != IGNORED else name)
    rows, below = _without_signatures(rows, columns, 1 if head else 0)
    return Recognised(head, rows, columns, _as_lines(above), _as_lines(below), ignored)


def _header_place(rows: Sequence[Sequence[str]]) -> int | None:
    """Return the place of the header, or None."""
    found = [{headed(cell) for cell in row} - {UNNAMED} for row in rows[:_HEADER_WITHIN]]
    headers = ["name" in row or len(row) > 1 for row in found]
    if True not in headers:
        return 0 if found[0] else None
    first = headers.index(True)
    return headers.index(False, first) - 1 if False in headers[first:] else len(headers) - 1


def _without_signatures(
    rows: list[list[str]], columns: Sequence[str], first: int
) -> tuple[list[list[str]], list[list[str]]]:
    """Return the rows up to the last player, and those after it: signatures, sums, and numbers of empty rows."""
    name = columns.index("name") if "name" in columns else None
    end = len(rows)
    while end > first + 1:
        cells = [(n, cell) for n, cell in enumerate(rows[end - 1]) if cell]
        numbered = {n for n, _ in cells} <= {n for n, column in enumerate(columns) if column == "id"}
        signed = any(_SIGNED.fullmatch(normalize("NFKC", cell)) for _, cell in cells)
        alone = name is not None and len(columns) > 2 and len(cells) == 1 and cells[0][0] != name
        if not (signed or (name is not None and (numbered or alone))):
            break
        end -= 1
    return rows[:end], rows[end:]


def _as_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    return [" ".join(cell for cell in row if cell) for row in rows]


def _guess(cells: Sequence[str], taken: Sequence[str]) -> str:
    seen = [normalize("NFKC", cell).strip() for cell in cells]
    for name in _GUESSED:
        if name not in taken and all(re.fullmatch(BY_NAME[name].looks, cell) for cell in seen):
            return name
    return UNNAMED
