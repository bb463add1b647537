"""A sheet of players in a workbook (XLSX): the values of its first visible sheet, row by row, and invalid cells."""

import re
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from io import BytesIO
from typing import Any

from services.pairing.entries.entry_sheet import MOST_COLUMNS, MOST_ROWS, BadSheet, even_rows
from shared.core.language.messages import say

MOST_UNPACKED = 8_000_000
"""Limit of bytes in all parts of a workbook: 2,000 rows of 40 cells take five million."""
MOST_RATIO = 200
"""Limit of the ratio of unpacked to packed size, for a part of more than a million bytes."""
MOST_PARTS = 500
_MARK = b"PK\x03\x04"
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]{1,3})([0-9]{1,7}):[A-Z]{1,3}([0-9]{1,7})"')
_UNREADABLE = (KeyError, ValueError, TypeError, AttributeError, IndexError, SyntaxError, OSError, zipfile.BadZipFile)
"""The exceptions that openpyxl raises for missing or foreign parts. `SyntaxError` is that of XML."""


def is_workbook(content: bytes) -> bool:
    """Return whether a file is a zip, as a workbook is."""
    return content.startswith(_MARK)


def cells_of_workbook(content: bytes) -> tuple[list[list[str]], str]:
    """Return the cells of the first visible sheet, without empty rows, and its title. All rows have the same length.

    Only values are read, for formulas the last computed ones. In merged cells, each row has the value in the first column.
    Raises `BadSheet` for an invalid or too large workbook, and, with the place, for a formula with an error or without a
    value.
    """
    import openpyxl  # takes longer than a start should

    parts = _parts(content)
    try:
        values, formulas = (
            openpyxl.load_workbook(BytesIO(content), read_only=True, data_only=data_only, keep_links=False)
            for data_only in (True, False)
        )
        sheet = next((one for one in values.worksheets if one.sheet_state == "visible"), None)
        if sheet is None:
            raise BadSheet(say("the workbook shows no sheet"))
        path = sheet._worksheet_path  # read-only sheets do not list merged cells
        merged = _merged(parts[path.lstrip("/")])
        return even_rows(list(_rows(sheet, formulas[sheet.title], merged))), sheet.title
    except _UNREADABLE as problem:
        raise BadSheet(say("unreadable workbook: save it again as XLSX, or copy its cells and paste them")) from problem


def _parts(content: bytes) -> dict[str, bytes]:
    """Return the XML parts by their paths. At most the stated size of a part is unpacked."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_PARTS or sum(one.file_size for one in entries) > MOST_UNPACKED:
                raise BadSheet(
                    say("the workbook is larger than {most} bytes: keep only the list in it", most=MOST_UNPACKED)
                )
            if any(one.file_size > max(1_000_000, MOST_RATIO * one.compress_size) for one in entries):
                raise BadSheet(say("the workbook has an unusual compression: save it again"))
            if any(one.flag_bits & 1 for one in entries):
                raise BadSheet(say("the workbook is locked by a password"))
            parts = {one.filename: archive.read(one) for one in entries if one.filename.endswith((".xml", ".rels"))}
    except _UNREADABLE as problem:
        raise BadSheet(say("unreadable workbook: save it again as XLSX, or copy its cells and paste them")) from problem
    if any(b"<!DOCTYPE" in part.replace(b"\x00", b"") for part in parts.values()):
        raise BadSheet(say("the workbook has an unusual compression: save it again"))
    return parts


def _column(letters: str) -> int:
    """Return the place of a column, from 0 for A."""
    place = 0
    for letter in letters:
        place = place * 26 + ord(letter) - ord("A") + 1
    return place - 1


def _merged(sheet: bytes) -> dict[int, list[tuple[int, int]]]:
    """Return the merged cells that span rows: by their first row, their first column (from 0) and their last row."""
    merged: dict[int, list[tuple[int, int]]] = {}
    for letters, first, last in _MERGED.findall(sheet):
        column = _column(letters.decode())
        if int(first) < int(last) and column < MOST_COLUMNS:
            merged.setdefault(int(first), []).append((column, int(last)))
    return merged


def _rows(values: Any, formulas: Any, merged: dict[int, list[tuple[int, int]]]) -> Iterator[list[str]]:
    """Yield the rows that are not empty, as text. A value of merged cells counts for each of their rows."""
    values.reset_dimensions()
    formulas.reset_dimensions()
    count = 0
    above: dict[int, tuple[str, int]] = {}
    for number, (row, told) in enumerate(zip(values.iter_rows(), formulas.iter_rows(), strict=True), 1):
        cells = [_text(cell, formula) for cell, formula in zip(row, told, strict=True)]
        while cells and not cells[-1]:
            cells.pop()
        for column, last in merged.get(number, ()):
            above[column] = cells[column] if column < len(cells) else "", last
        if not cells:
            continue
        for column, (value, last) in above.items():
            if number <= last and value:
                cells += [""] * (column + 1 - len(cells))
                cells[column] = cells[column] or value
        count += 1
        if count > MOST_ROWS + 1:
            raise BadSheet(say("more than {most} rows: send them in parts", most=MOST_ROWS))
        if len(cells) > MOST_COLUMNS:
            raise BadSheet(say("more than {most} columns", most=MOST_COLUMNS))
        yield cells


def _text(cell: Any, formula: Any) -> str:
    value = cell.value
    if cell.data_type == "e":
        place = {"row": cell.row, "cell": cell.coordinate, "value": str(value)}
        raise BadSheet(say("row {row}: the cell {cell} has the error {value}", **place))
    if value is None and formula.data_type == "f":
        place = {"row": formula.row, "cell": formula.coordinate}
        raise BadSheet(
            say("row {row}: the formula of the cell {cell} was not computed; save the workbook once", **place)
        )
    if isinstance(value, datetime | date):
        return value.isoformat()[:10]
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else " ".join(str(value).split())
