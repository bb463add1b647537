"""From bytes to lines whose columns can be cut: encodings, line ends, and what a column counts."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from shared.core.language.charset import UTF8, Encoding, Undecided
from shared.core.language.charset import decode as decoded
from shared.core.language.messages import Message, either, in_turn, say, term


class TrfError(Exception):
    """A file that cannot be read; ``line`` and ``column`` count from 1, as FIDE's tables do."""

    def __init__(self, file: str, line: int, column: int, detail: Message) -> None:
        super().__init__(say("{file}:{line}:{column}: {detail}", file=file, line=line, column=column, detail=detail))
        self.file, self.line, self.column, self.detail = file, line, column, detail


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
            raise TrfError(file, number, line.index("\x00") + 1, say("not a text file: it contains a NUL byte"))
    return lines, encoding, newline


def spread(line: str, measure: Measure, encoding: Encoding = UTF8) -> Cells:
    """Return the line by its columns; an ASCII line is returned as it is."""
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
    """Return the line with one character per column. Wide ones are followed by fillers, which `gather` removes."""
    cells = spread(unicodedata.normalize("NFC", line) if measure == "cells" else line, measure, encoding)
    return cells if isinstance(cells, str) else "".join(cell[:1] or FILLER for cell in cells)


def gather(field: Cells) -> str:
    """Return the text of a field cut from a line's columns, without padding."""
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


BLANKS = (4, 9, 14, 48, 53, 57, 69, 80, 85, 90, 91)
"""Columns (from 1) of a 001 record that part its fields."""
_NUMBERS = ((5, 8), (49, 52), (86, 89))
_NAME, _POINTS = (15, 47), (81, 84)
_POINT = 83
"""The decimal point of the points, as ``11.5``."""


class TeamLayout(NamedTuple):
    """A record that holds a name and then numbers: how many columns stand ``before`` the numbers, and which are blank."""

    before: int
    blanks: tuple[int, ...]


TEAMS = {"013": TeamLayout(36, ()), "310": TeamLayout(72, (4, 8, 41, 47, 54, 61, 68, 72, 73))}


def fitting(lines: Sequence[str], encoding: Encoding, file: str) -> tuple[Measure, ...]:
    """The measures by which every line beyond ASCII has its columns where they belong.

    The first of them is enough where no line is. Raises `TrfError` where none fits.
    """
    wide = [
        (n, line) for n, line in enumerate(lines, 1) if not line.isascii() and (line[:3] in TEAMS or line[:3] == "001")
    ]
    if not wide:
        return MEASURES[:1]
    faults = {measure: _first_fault(wide, measure, encoding) for measure in MEASURES}
    fit = tuple(measure for measure, fault in faults.items() if fault is None)
    if fit:
        return fit
    told = [
        say(
            "counted in {measure}, line {line} has {fault}",
            measure=term(measure),
            line=fault[0],
            fault=fault[2],
        )
        for measure, fault in faults.items()
        if fault is not None
    ]
    line, column, _ = faults[MEASURES[0]] or (1, 1, None)
    raise TrfError(file, line, column, say("its columns fit no known layout: {faults}", faults=in_turn(told)))


def ambiguous(file: str, line: int, column: int, readings: Sequence[tuple[Measure, str]]) -> TrfError:
    """A file that two measures fit, which read it otherwise."""
    told = either(say("{text} (in {measure})", text=repr(text), measure=term(measure)) for measure, text in readings)
    return TrfError(file, line, column, say("its columns are ambiguous: {readings}", readings=told))


def _first_fault(
    lines: Sequence[tuple[int, str]], measure: Measure, encoding: Encoding
) -> tuple[int, int, Message] | None:
    for number, line in lines:
        cells = spread(line, measure, encoding)
        for column, fault in _faults(cells, line[:3]):
            return number, column, fault
    return None


def _faults(cells: Cells, code: str) -> Iterator[tuple[int, Message]]:
    if code in TEAMS:
        yield from _team_faults(cells, *TEAMS[code])
        return
    yield from blank_faults(cells, BLANKS)
    name = "".join(cells[_NAME[0] - 1 : _NAME[1]]).strip()
    if "  " in name:
        yield (
            _NAME[0],
            say("{text} contains two spaces in a row, but these columns must contain one name", text=repr(name)),
        )
    for first, last in _NUMBERS:
        field = "".join(cells[first - 1 : last]).strip()
        if field and not (field.isascii() and field.isdigit()):
            yield first, say("{text} is not a number", text=repr(field))
    points = "".join(cells[_POINTS[0] - 1 : _POINTS[1]])
    at = re.search(r"[.,]", points)
    if at is not None and _POINTS[0] + at.start() != _POINT:
        yield (
            _POINTS[0] + at.start(),
            say("the decimal point of the points must be in column {column}", column=_POINT),
        )


def blank_faults(cells: Cells, blanks: Sequence[int]) -> Iterator[tuple[int, Message]]:
    """Yield the columns that should be blank and are not."""
    for column in blanks:
        if column <= len(cells) and cells[column - 1] != " ":
            text = next(cell for cell in reversed(cells[:column]) if cell)
            yield column, say("{text} is in a column that must be blank", text=repr(text))


def _team_faults(cells: Cells, before: int, blanks: Sequence[int]) -> Iterator[tuple[int, Message]]:
    yield from blank_faults(cells, blanks)
    if before < len(cells) and cells[before - 1] != " " and cells[before] != " ":
        yield (
            before,
            say("{text} is in a column that must be blank", text=repr("".join(cells[before - 1 : before + 1]))),
        )
    for match in re.finditer(r"[^\s,/]+", "".join(cell or "\0" for cell in cells[before:])):
        if not (match[0].isascii() and match[0].isdigit()):
            yield before + match.start() + 1, say("{text} is not a number", text=repr(match[0].strip("\0")))
