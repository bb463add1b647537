"""Writes the table of rules from the marks of the tests: `python -m tests.rows.table`, which `make docs` runs."""

from collections.abc import Iterable
from pathlib import Path

from tests.rows.books import Book, Row, books
from tests.rows.proofs import ROOT, Proof, collected

FILE = ROOT / "services" / "games" / "rules" / "rows.md"
HEAD = """\
# Rules, row by row

`make docs` writes this page from the marks of tests and from `tests/rows/rows.toml`. Do not edit it by hand.

This table lists every rule of the rule texts by which Arbiter judges, and the tests that play it over HTTP. Each test plays in a
tournament with an unchanged shipped ruleset, and fails if it did not. 000-A to 000-F are the campus event's texts, 001 prediction
gomoku, 002-X 象棋竞赛规则 of 1999, 003 an introduction to xiangqi, 004 renju.
"""


def render(proofs: Iterable[Proof]) -> str:
    """The table as it is to be."""
    of_rows = [proof for proof in proofs if proof.under is not None]
    return "\n".join([HEAD, *(_section(book, of_rows) for book in books())])


def _section(book: Book, proofs: list[Proof]) -> str:
    lines = [f"## {book.title}", ""]
    if book.note:
        lines += [book.note, ""]
    lines += ["| row | rule | text | proved under | by |", "|---|---|---|---|---|"]
    lines += [_line(number, row, [p for p in proofs if p.claim == number]) for number, row in book.numbered]
    return "\n".join(lines) + "\n"


def _line(number: str, row: Row, proofs: list[Proof]) -> str:
    rule = f"{row.rule} {row.chinese}".strip()
    sets = ", ".join(sorted({str(proof.under) for proof in proofs}))
    tests = ", ".join(dict.fromkeys(_link(proof) for proof in proofs))
    return f"| {number} | {rule} | {row.text} | {sets} | {tests or f'not decided: {row.undecided}'} |"


def _link(proof: Proof) -> str:
    up = Path(*[".."] * len(FILE.parent.relative_to(ROOT).parts))
    return f"[`{proof.test}`]({(up / proof.file).as_posix()})"


if __name__ == "__main__":
    FILE.write_text(render(collected()), encoding="utf-8")
