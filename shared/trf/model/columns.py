"""From bytes to lines whose columns can be cut: encodings, line ends, and what a column counts."""

import unicodedata
from collections.abc import Sequence
from typing import Literal

from shared.core.language.charset import UTF8, Encoding, Undecided
from shared.core.language.charset import decode as decoded
from shared.core.language.messages import say
from shared.trf.model.errors import TrfError

NewLine = Literal["\n", "\r\n", "\r"]
Measure = Literal["characters", "bytes", "cells"]
"""What a column of a file holds: a character, a byte of its encoding, or a cell of a terminal (East Asian width)."""

MEASURES: tuple[Measure, ...] = ("characters", "bytes", "cells")
FILLER = "\x00"
"""Stands in the further columns of a wide character; never in a file itself."""
Cells = Sequence[str]
"""A line by its columns: of each the character that begins there; empty where a wide one goes on."""


def decode(data: bytes, file: str, told: Encoding | None = None) -> tuple[list[str], Encoding, NewLine]:
    """Lines without their ends, the encoding (``told`` where bytes do not say it), and the line end that the file uses.

    A file with both kinds of line ends keeps each of its own. `TrfError` where it is no text, or in no encoding that is
    known.
    """
    try:
        text, encoding = decoded(data, told)
    except Undecided as problem:
        raise TrfError(file, problem.line, problem.column, problem.why) from problem
    newline: NewLine = "\n" if "\n" in text or "\r" not in text else "\r"
    if newline == "\n" and text.count("\r\n") == text.count("\n") > 0:
        newline = "\r\n"
    lines = text.split(newline)
    for number, line in enumerate(lines, 1):
        if "\x00" in line:
            raise TrfError(file, number, line.index("\x00") + 1, say("not a text file (it holds a NUL)"))
    return lines, encoding, newline


def spread(line: str, measure: Measure, encoding: Encoding = UTF8) -> Cells:
    """The line by its columns; one of ASCII alone is that already."""
    if line.isascii() or measure == "characters":
        return line
    cells: list[str] = []
    last = 0
    for character in line:
        width = _width(character, measure, encoding)
        if width:
            last = len(cells)
            cells += [character, *[""] * (width - 1)]
        elif cells:
            cells[last] += character
    return cells


def as_columns(line: str, measure: Measure, encoding: Encoding) -> str:
    """The line with one character a column: a wide one is followed by fillers, which `gather` takes out again."""
    cells = spread(unicodedata.normalize("NFC", line) if measure == "cells" else line, measure, encoding)
    return cells if isinstance(cells, str) else "".join(cell[:1] or FILLER for cell in cells)


def gather(field: Cells) -> str:
    """The text of a field cut from a line's columns, without padding."""
    return "".join(field).replace(FILLER, "").strip()


def pad(text: str, columns: int, measure: Measure, encoding: Encoding = UTF8) -> str:
    """Text filled with blanks up to that many columns; a longer one is cut."""
    while (taken := len(spread(text, measure, encoding))) > columns:
        text = text[:-1]
    return text + " " * (columns - taken)


def _width(character: str, measure: Measure, encoding: Encoding) -> int:
    if measure == "characters":
        return 1
    if measure == "bytes":
        # A program that counts the bytes of UTF-16 counts two a letter, which no column survives: it counts those of UTF-8.
        codec = "utf-8" if encoding.codec.startswith("utf-16") else encoding.codec
        return len(character.encode(codec))
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
