"""A sheet of players, pasted or sent as a file: its text, in any encoding, and its cells."""

import csv
import re
from io import StringIO

from shared.core.language.charset import Candidate, Encoding, Undecided, decode
from shared.core.language.messages import Message, say

MOST_ROWS = 2_000
MOST_COLUMNS = 40
_BOM = "\ufeff"
_SEPARATOR = re.compile(r'"?sep=(?P<separator>[,;\t|])"?[^\S\n]*\r?\n(?P<rest>.*)', re.IGNORECASE | re.DOTALL)


class BadSheet(Exception):
    """An invalid sheet. ``why`` states the error and its place."""

    def __init__(self, why: Message) -> None:
        super().__init__(str(why))
        self.why = why


class BadEncoding(BadSheet):
    """A file with an unclear encoding, or with bytes that are not in the stated one. ``candidates``: the choices."""

    def __init__(self, why: Message, candidates: tuple[Candidate, ...]) -> None:
        super().__init__(why)
        self.candidates = candidates


def text_of(content: bytes, told: Encoding | None = None) -> tuple[str, str]:
    """Return the text of a file and its encoding: by its BOM, as stated, UTF-8, or GB18030 if it is Chinese.

    Raises `BadSheet`.
    """
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise BadSheet(say("the file is an old workbook (XLS) or is locked: save it as XLSX or CSV without a password"))
    try:
        text, encoding = decode(content, told)
    except Undecided as problem:
        why = say("line {line}: {why}", line=problem.line, why=problem.why)
        raise BadEncoding(why, problem.candidates) from problem
    if "\x00" in text:
        raise BadSheet(say("the file is not text: save it as CSV in UTF-8"))
    return text, encoding.name.partition(" ")[0].upper()


def cells_of(text: str) -> list[list[str]]:
    """Return the cells by row, without empty rows. All rows have the same length. Raises `BadSheet`.

    The separator is that of a first line ``sep=;``, which Excel reads and which is not a row. Without one, it is the tab if
    the text has one, or else the comma or semicolon, whichever the first row has more of.
    """
    stated = _SEPARATOR.match(text.removeprefix(_BOM))
    text = text.removeprefix(_BOM) if stated is None else stated["rest"]
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = stated["separator"] if stated is not None else "\t" if "\t" in text else max(",;", key=first.count)
    rows: list[list[str]] = []
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append([cell.strip() for cell in row])
            if len(rows) > MOST_ROWS + 1:
                raise BadSheet(say("more than {most} rows: send them in parts", most=MOST_ROWS))
    except csv.Error as problem:
        detail = say("line {line}: quotation marks do not close, or a cell is too long", line=reader.line_num)
        raise BadSheet(detail) from problem
    return even_rows(rows)


def even_rows(rows: list[list[str]]) -> list[list[str]]:
    """Return rows that are all equally long. Raises `BadSheet` for an empty list, or for too many columns."""
    if not rows:
        raise BadSheet(say("the file is empty"))
    width = max(map(len, rows))
    if width > MOST_COLUMNS:
        raise BadSheet(say("more than {most} columns", most=MOST_COLUMNS))
    return [row + [""] * (width - len(row)) for row in rows]


def as_text(rows: list[list[str]]) -> str:
    """Return rows as cells separated by tabs, which `cells_of` can read."""
    written = StringIO(newline="")
    csv.writer(written, delimiter="\t", lineterminator="\n").writerows(rows)
    return written.getvalue()
