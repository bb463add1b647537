"""CSV that a spreadsheet opens as it is meant: UTF-8 with its mark, numbers as numbers, and no cell that is a formula."""

import csv
import unicodedata
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import TypeAlias

Cell: TypeAlias = str | int | float | None

MARK = b"\xef\xbb\xbf"
"""By which Excel and WPS take a file for UTF-8."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_UNSEEN = {"Zs", "Zl", "Zp", "Cc", "Cf"}


def safe(text: str) -> str:
    """A text that a spreadsheet would take for a formula, marked as text (OWASP, CSV Injection)."""
    seen = next((n for n, c in enumerate(text) if unicodedata.category(c) not in _UNSEEN), len(text))
    return f"'{text}" if text.startswith(_FORMULA) or text[seen:].startswith(_FORMULA) else text


def spreadsheet(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """A table as CSV (RFC 4180); what is not known is an empty cell, also at the end: all rows are equally long (2, 4)."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow([safe(name) for name in head])
    for row in rows:
        cells = [_cell(value) for value in row]
        writer.writerow(cells + [""] * (len(head) - len(cells)))
    return MARK + out.getvalue().encode()


def _cell(value: Cell) -> int | float | str:
    if value is None:
        return ""
    if isinstance(value, str):
        return safe(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value
