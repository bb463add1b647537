"""From bytes to lines whose columns can be cut: encodings, line ends, and what a column counts."""

import unicodedata
from typing import Literal

from services.standings.formats.trf.model import NewLine, TrfError
from shared.core.messages import say

Measure = Literal["characters", "bytes", "cells"]
FILLER = "\x00"
"""Fills the further columns of a character that takes more than one; never in a file itself."""


def decode(data: bytes, file: str) -> tuple[list[str], str, NewLine]:
    """Lines without their ends, the encoding, and the line end that the file uses.

    UTF-8 where it is UTF-8, else Latin-1, in which every byte is a character. A NUL is no text.
    """
    encoding = "utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        encoding, text = "latin-1", data.decode("latin-1")
    newline: NewLine = "\r\n" if "\r\n" in text else "\n" if "\n" in text or "\r" not in text else "\r"
    lines = [line.removesuffix("\r") for line in text.split("\r" if newline == "\r" else "\n")]
    for number, line in enumerate(lines, 1):
        if FILLER in line:
            raise TrfError(file, number, line.index(FILLER) + 1, say("not a text file (it holds a NUL)"))
    return lines, encoding, newline


def measures(lines: list[str], encoding: str) -> tuple[Measure, ...]:
    """The measures by which columns may be counted in this file, the usual way first; the others matter only beyond ASCII."""
    if encoding == "latin-1" or all(map(str.isascii, lines)):
        return ("characters",)
    return ("characters", "bytes", "cells")


def spread(line: str, measure: Measure) -> str:
    """The line with one character a column, wide ones followed by fillers."""
    if measure == "characters" or line.isascii():
        return line
    return "".join(c + FILLER * (_width(c, measure) - 1) for c in line)


def gather(field: str) -> str:
    """The text of a field cut from a spread line, without padding."""
    return field.replace(FILLER, "").strip()


def pad(text: str, columns: int, measure: Measure) -> str:
    """Text filled with blanks up to that many columns; a longer one is cut."""
    while len(spread(text, measure)) > columns:
        text = text[:-1]
    return text + " " * (columns - len(spread(text, measure)))


def _width(character: str, measure: Measure) -> int:
    if measure == "bytes":
        return len(character.encode())
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
