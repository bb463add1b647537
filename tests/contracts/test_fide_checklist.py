"""FIDE's checklist: every question is answered or told as not seen, and every test that an answer names exists."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "deploy" / "docs" / "fide.md").read_text(encoding="utf-8")
ROWS = [line.split("|")[1:-1] for line in PAGE.splitlines() if re.match(r"\| \d", line)]
CHECKLIST = [row for row in ROWS if len(row) == 4]
QUESTIONS = 225


def numbers(text: str) -> set[int]:
    """The numbers of a list with ranges: 16, 19 to 22, 40-46."""
    found: set[int] = set()
    for first, last in re.findall(r"(\d+)(?:(?: to |-)(\d+))?", text):
        found |= set(range(int(first), int(last or first) + 1))
    return found


def test_every_test_that_an_answer_names_exists():
    named = set(re.findall(r"`(test_\w+(?:\.py)?)`", PAGE))
    tests = list((ROOT / "tests").rglob("test_*.py"))
    known = {file.name for file in tests}
    known |= {name for file in tests for name in re.findall(r"def (test_\w+)", file.read_text(encoding="utf-8"))}
    assert named and named - known == set()


def test_every_answer_that_claims_anything_names_its_proof():
    claims = [row for row in CHECKLIST if row[2].strip().startswith(("Yes", "Partly", "Otherwise"))]
    assert len(claims) > 50
    assert [row[0].strip() for row in claims if "`test_" not in row[3]] == []


def test_every_question_is_answered_once():
    answered = sorted(number for row in CHECKLIST for number in numbers(row[0]))
    assert answered == list(range(1, QUESTIONS + 1))


def test_what_was_not_seen_is_said():
    unseen = PAGE.partition("## Text not seen")[2]
    assert "FIDE's own text of every question" in unseen and "wording of `###` lines" in unseen
