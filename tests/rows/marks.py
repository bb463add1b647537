"""Marks of tests that play over HTTP what a book says, or the difference that a value of regulations makes.

@row("X14", under="xiangqi-1999")                    # a row of rows.toml, under a set of regulations as it is shipped
@plays("game.renju.forbidden", "claimed", "loses")   # values of regulations, by their path; ``*`` stands for any row
"""

import pytest

from shared.core.rulebook.regulations import Value

JUDGE = "judge"
"""What a row is proved under that no set decides: the judge answers it to anybody (``/v1/judge``)."""


def row(number: str, *, under: str) -> pytest.MarkDecorator:
    """The test plays this row of the books through the API, in a tournament announced ``under`` this shipped set without a
    change, or asks the `JUDGE`."""
    return pytest.mark.row(number, under=under)


def plays(path: str, *values: Value | None) -> pytest.MarkDecorator:
    """The test plays the value at this path of the regulations, each of these ``values`` in a tournament of its own."""
    return pytest.mark.plays(path, *values)
