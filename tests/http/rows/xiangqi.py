"""Games of xiangqi that rows are proved by, under the sets that have it."""

from typing import Any

import pytest

from tests.http.boards import Board
from tests.http.rows.answers import followed, result
from tests.rows.marks import row

BOTH = ("campus", "xiangqi-1999")
IDLE = "a0a1 a9a8 a1a0 a8a9 "
CHECKS = "f2f9 i7g9 f9f2 g9i7 "
BEFORE_CHECKS = "b2f2 g9i7 i0i2 e6e5 h2h9 f9e8 "
"""The third of these takes a horse; then Red checks with every move of `CHECKS`."""
CHASES = "f1f4 h7b7 f4f1 b7h7 "
BEFORE_CHASES = "i0i1 b7b4 i1f1 g9i7 "
"""In `CHASES` every black move attacks; Red's are idle."""


def rows(number: str, *cases: Any, sets: tuple[str, ...] = BOTH) -> list[Any]:
    """Each case under each of the sets, marked as a proof of the row."""
    return [pytest.param(name, *case, marks=row(number, under=name)) for name in sets for case in cases]


def told(b: Board, moves: str) -> None:
    """Moves from the start, in batches of those that a request takes."""
    all = moves.split()
    for n in range(0, len(all), 500):
        followed(b.moves(" ".join(all[n : n + 500]), n + 1))


def ended(b: Board, answer: Any, notation: str, by: str, *articles: str) -> None:
    """The game is over with this answer, by this termination and these articles."""
    end = answer["events"][-1]["data"]
    assert (result(b), end["termination"]) == (notation, by)
    assert all(one in end["article"] for one in articles), end["article"]
