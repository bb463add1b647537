"""The table of rules names every row of the books once, and only tests that there are."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "services" / "games" / "rules" / "rows.md").read_text(encoding="utf-8")
BOOKS = {"C": 16, "X": 23, "G": 11, "H": 17, "M": 9, "R": 15, "V": 9, "B": 9}
ROWS = re.findall(r"^\| ([A-Z]\d+) \| (.+?) \| (.+?) \|(.*)\|$", TABLE, re.M)
KNOWN = {
    name
    for folder in ("rules", "stories")
    for file in (ROOT / "tests" / folder).glob("test_*.py")
    for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.M)
}


def test_every_row_of_every_book_stands_there_once():
    assert [row[0] for row in ROWS] == [f"{book}{n}" for book, count in BOOKS.items() for n in range(1, count + 1)]


@pytest.mark.parametrize("row, where, shown", [(row, where, shown) for row, _, where, shown in ROWS])
def test_a_row_that_is_decided_here_names_tests_that_there_are(row, where, shown):
    named = set(re.findall(r"`(test_\w+)`", shown))
    assert named <= KNOWN
    assert named or not re.match("here|the regulations", where), f"{row} is decided here without a test"
