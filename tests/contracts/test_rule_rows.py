"""Every row of the books is proved over HTTP under a shipped set, or says why nothing is decided by it; the table is made of
the proofs."""

import pytest

from shared.regulations import names
from tests.rows.books import books
from tests.rows.marks import JUDGE
from tests.rows.proofs import COLLECTING, Proof, collected
from tests.rows.table import FILE, render

pytestmark = COLLECTING
ROWS = dict(row for book in books() for row in book.numbered)


@pytest.fixture(scope="module")
def proofs() -> list[Proof]:
    """As pytest would run them now."""
    return collected()


def test_the_table_is_what_make_docs_writes(proofs: list[Proof]) -> None:
    assert FILE.read_text(encoding="utf-8") == render(proofs), "make docs"


def test_a_row_is_proved_or_says_why_nothing_is_decided_by_it(proofs: list[Proof]) -> None:
    proved = {proof.claim for proof in proofs if proof.under is not None}
    undecided = {number for number, row in ROWS.items() if row.undecided}
    assert {*ROWS} - proved - undecided == set(), "rows without a proof"
    assert proved & undecided == set(), "rows that are proved and said not to be decided"


def test_a_proof_names_a_row_and_a_shipped_set_and_is_run(proofs: list[Proof]) -> None:
    of_rows = [proof for proof in proofs if proof.under is not None]
    assert {proof.claim for proof in of_rows} <= {*ROWS}
    assert {proof.under for proof in of_rows} <= {*names(), JUDGE}
    assert [proof for proof in proofs if not proof.runs] == [], "skipped, or let fail"


def test_a_row_without_a_proof_says_so_in_the_table() -> None:
    proof = Proof("test_it", "tests/http/test_it.py", "X1", "campus", (), runs=True)
    table = render([proof]).splitlines()
    (first,) = [line for line in table if line.startswith("| X1 ")]
    assert first.endswith("| campus | [`test_it`](../../../tests/http/test_it.py) |")
    (programs,) = [line for line in table if line.startswith("| R15 ")]
    assert programs.endswith("|  | not decided: it describes some programs, and is not a rule |")
