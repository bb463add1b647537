"""A test that is marked as the proof of a row or of a value has played it over HTTP, or fails."""

import subprocess
import sys
from pathlib import Path

import pytest

from shared.regulations import load
from tests.http.boards import board
from tests.http.calls import pair_by_hand
from tests.rows.marks import JUDGE, plays, row
from tests.rows.values import values_at
from tests.rows.witness import Witness

ROOT = Path(__file__).parents[2]
IDLE = "a0a1 a9a8 a1a0 a8a9"


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    """Of a game of xiangqi with two moves, of a question to the judge, and of an announcement with a change."""
    with Witness() as seen, board(tmp_path, "xiangqi", "xiangqi-1999") as b:
        b.moves(IDLE)
        b.call("POST", "/v1/judge", {"id": 1, "game": "chess", "ask": "replay", "moves": ["e4"]}, None)
        other = {"id": "U", "name": "Cup", "game": "renju", "format": "swiss", "rounds": 3, "regulations": "renju"}
        pair_by_hand(b.call, other | {"changes": {"game.renju.forbidden": "loses"}})
    return seen


@pytest.mark.parametrize(
    ("mark", "complaint"),
    [
        (row("X1", under="xiangqi-1999"), None),
        (row("B1", under=JUDGE), None),
        (row("X1", under="xiangqi-2099"), "row X1: xiangqi-2099 is no shipped set"),
        (row("X1", under="campus"), "row X1: no tournament had campus as it is shipped, but judge, xiangqi-1999"),
        (row("R5", under="renju"), "row R5: no tournament had renju as it is shipped, but judge, xiangqi-1999"),
        (plays("game.xiangqi.natural_limit_rounds", 60), None),
        (plays("game.renju.forbidden", "loses"), None),
        (plays("rulebook.ladder.*.scope", "game"), None),
        (plays("rulebook.ladder.third_foul.draws", False), None),
        (plays("game.renju.forbidden"), "game.renju.forbidden: no value is named"),
        (plays("game.renju.forbidden", "claimed"), "game.renju.forbidden: ['claimed'] stood in no tournament, but ['loses']"),
        (plays("game.renju.symmetric_fifths", 1), "game.renju.symmetric_fifths: [1] stood in no tournament, but [True]"),
        (plays("game.chess.flag_needs", "loses"), "game.chess.flag_needs: ['loses'] stood in no tournament, but []"),
    ],
)  # fmt: skip
def test_a_claim_is_compared_with_what_was_announced_and_sent(
    witness: Witness, mark: pytest.MarkDecorator, complaint: str | None
) -> None:
    assert witness.complaints([mark.mark]) == ([] if complaint is None else [complaint])


def test_an_announcement_alone_proves_no_row() -> None:
    seen = Witness()
    claim = [row("X1", under="campus").mark]
    assert seen.complaints(claim) == ["row X1: no tournament had campus as it is shipped, but none"]
    seen.adopted.append(load("campus"))
    assert seen.complaints(claim) == ["row X1: nothing was sent but what announces a tournament"]


def test_a_marked_test_that_does_not_go_over_http_fails(tmp_path: Path) -> None:
    file = tmp_path / "test_from_inside.py"
    file.write_text(
        "from tests.rows.marks import plays, row\n"
        "@row('X1', under='campus')\n"
        "def test_a_row_from_inside(): ...\n"
        "@plays('game.renju.forbidden', 'claimed')\n"
        "def test_a_value_from_inside(): ...\n"
    )
    command = (sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider", str(file))
    run = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    assert "2 failed" in run.stdout.splitlines()[-1], run.stdout


def test_a_path_finds_rows_by_their_key_and_all_of_them() -> None:
    question = {"rules": {"ace_or_eleven": False}}
    assert values_at(question, "rules.ace_or_eleven") == values_at(question, "*.ace_or_eleven") == [False]
    assert values_at(question, "rules.packs") == []
