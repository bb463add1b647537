"""The judge follows the set of regulations that a question names, and its changes: the same question under each reading."""

from pathlib import Path
from typing import Any

import pytest

from tests.http.boards import Board, board
from tests.rows.marks import plays

ANSWER, ILLEGAL = "an answer", "Illegal move"
BARE_QUEEN = {"game": "chess", "ask": "flag_fall", "fen": "4k3/4q3/8/8/8/8/8/4K1N1 w - - 0 1", "flag": "black"}
CHECKS = {"fen": "4k4/8R/9/9/9/9/9/9/4A4/3A1K3 w", "moves": ["i8i9", "e9e8", "i9i8", "e8e9"] * 11}
LIMIT = {"game": "xiangqi", "ask": "natural_limit", "claimant": "red", **CHECKS}
STONES = [["bw"[n % 2], vertex] for n, vertex in enumerate(["B3", "B1", "A2", "B2", "A1", "A3"])]
TAKEN_BACK = {"game": "go", "ask": "move", "size": 3, "moves": STONES, "move": "A2", "to_move": "b"}
EMPTY_BOARD = {"game": "go", "ask": "area", "moves": []}
ONE_STONE = {"game": "go", "ask": "area", "moves": [["b", "A1"]]}


def game_of(*stones: str) -> dict[str, Any]:
    """Black's stones in renju, White's far away, without the steps of an opening."""
    far = ("a1", "c1", "e1", "g1", "a15", "c15", "e15")
    return {
        "game": "renju",
        "ask": "replay",
        "moves": [m for pair in zip(stones, far, strict=False) for m in pair][: 2 * len(stones) - 1],
    }


THREE_THREE = game_of("h8", "g8", "i9", "i10", "i8")
OVERLINE = game_of("h8", "g8", "i8", "k8", "l8", "j8")
ANSWERED = OVERLINE | {"moves": [*OVERLINE["moves"], "g15"]}
FIFTHS = {"game": "renju", "ask": "replay", "moves": ["h8", "h9", "h10", "h7", "g9 i9"]}
SWAPPED = {"game": "renju", "ask": "replay", "moves": ["h8", "h9", "i9", "swap"]}
COMET = {"game": "renju", "ask": "replay", "moves": ["h8", "h9", "j6"]}
SIX = {
    "game": "gomoku",
    "ask": "replay",
    "moves": ["h8", "a15", "i8", "c15", "j8", "e15", "l8", "g15", "m8", "i15", "k8"],
}
BEYOND = {"game": "gomoku", "ask": "replay", "moves": ["h8", "h7"]}
AT_LIMIT = {
    "game": "prediction",
    "ask": "verdict",
    "first": "白子42手",
    "second": "白子46手",
    "five": "white",
    "ply": 44,
}
DRAW_PREDICTED = {"game": "prediction", "ask": "settle", "first": "和", "second": "黑子43手"}


@pytest.fixture
def judge(tmp_path: Path):
    with board(tmp_path, "xiangqi", "xiangqi-1999") as b:
        yield b


def told(b: Board, question: dict[str, Any], regulations: str, path: str, value: Any) -> Any:
    """The answer by a set with this value, or the title of the question's error."""
    sent = question | {"regulations": regulations, "changes": {path: value}}
    given = b.call("POST", "/v1/judge", sent, None)
    assert given.status_code == 200, given.text
    return given.json["answer"] if "answer" in given.json else given.json["error"]["title"]


def cases(*rows: tuple[Any, ...]) -> Any:
    """Each row a path, a set, a question, what of its answer is compared, and by each value what that is."""
    return pytest.mark.parametrize(
        "path, regulations, question, member, expected",
        [pytest.param(*row, id=f"{row[0]} {row[3]}", marks=plays(row[0], *(v for v, _ in row[4]))) for row in rows],
    )


@cases(
    ("game.chess.flag_needs", "campus", BARE_QUEEN, "winner", [("more_than_king", "white"), ("possible_mate", None)]),
    ("game.xiangqi.natural_limit_rounds", "campus", LIMIT, "valid", [(10, True), (11, False)]),
    ("game.xiangqi.own_checks_counted", "xiangqi-1999", LIMIT, "rounds", [(10, 10), (60, 22), (0, 0)]),
    ("game.go.positional_superko", "go-campus", TAKEN_BACK, "verdict", [(False, "legal"), (True, "superko")]),
    ("game.go.komi_quarter_zi", "campus", EMPTY_BOARD, "margin_zi", [(15, -3.75), (0, 0.0), (29, -7.25)]),
    ("game.go.size", "go-campus", ONE_STONE, "black", [(9, 81), (13, 169), (19, 361)]),
    ("game.renju.forbidden", "campus", THREE_THREE, "end", [("claimed", None), ("loses", "forbidden_move")]),
    ("game.renju.overline_any_time", "campus", ANSWERED, "claimable", [(True, ["j8"]), (False, [])]),
    ("game.renju.symmetric_fifths", "renju", FIFTHS, None, [(True, ANSWER), (False, ILLEGAL)]),
    ("game.renju.fifth_moves", "renju", FIFTHS, None, [(2, ANSWER), (3, ILLEGAL)]),
    ("game.renju.opening", "campus", SWAPPED, None, [("swap", ANSWER), ("free", ILLEGAL), ("agreed", ILLEGAL)]),
    ("game.renju.professional", "renju", COMET, None, [(False, ANSWER), (True, ILLEGAL)]),
    ("game.gomoku.overline_wins", "gomoku-campus", SIX, "end", [(True, "five"), (False, None)]),
    ("game.gomoku.own_half", "gomoku-campus", BEYOND, None, [(False, ANSWER), (True, ILLEGAL)]),
    ("game.prediction.at_limit", "campus", AT_LIMIT, "string", [("draw", "白44手/白44手和"), ("win", "白44手/白44手胜")]),
    ("game.prediction.draw_predictable", "campus", DRAW_PREDICTED, "limit", [(True, None), (False, "Draw predicted")]),
)  # fmt: skip
def test_the_same_question_under_each_reading(judge: Board, path, regulations, question, member, expected):
    given = [told(judge, question, regulations, path, value) for value, _ in expected]
    assert [_compared(one, member) for one in given] == [one for _, one in expected]


def _compared(given: Any, member: str | None) -> Any:
    if isinstance(given, str):
        return given
    value = given if member is None else given[member]
    if member == "end":
        return value and value["termination"]
    if member == "claimable":
        return [foul["point"] for foul in value]
    return ANSWER if member is None and "end" in given else value


def test_a_verdict_that_would_be_a_draw_asks_for_a_criterion_where_none_may_be_predicted(judge: Board):
    """001 第三条 3(2), after 例4."""
    decisive = ("campus", "game.prediction.draw_predictable", False)
    assert told(judge, AT_LIMIT, *decisive) == "Missing field"
    assert told(judge, AT_LIMIT | {"decisive": "black"}, *decisive)["winner"] == "black"


@pytest.mark.parametrize(
    "regulations, changes, where, detail",
    [
        ("laws", {}, "regulations", "regulations is one of campus, "),
        ("renju", {}, "regulations", "renju has no xiangqi; those that have are campus, "),
        ("campus", {"game.xiangqi.natural_limit_rounds": 61}, "changes.game.xiangqi.natural_limit_rounds",
         "game.xiangqi.natural_limit_rounds: takes 1 to 60 rounds (002-X 4.2.4"),
        ("campus", {"game.xiangqi.horses": 2}, "changes.game.xiangqi.horses", "game.xiangqi.horses: no organiser sets this"),
        ("campus", {"rulebook.lateness.limit": 60}, "changes.rulebook.lateness.limit",
         "rulebook.lateness.limit: of xiangqi the judge reads game.xiangqi alone"),
        (None, {"game.xiangqi.natural_limit_rounds": 50}, "regulations", "changes are of a set of regulations"),
    ],
)  # fmt: skip
def test_what_is_no_set_for_the_game_or_no_change_of_it_is_the_questions_error(
    judge: Board, regulations, changes, where, detail
):
    asked = LIMIT | {"changes": changes} | ({} if regulations is None else {"regulations": regulations})
    error = judge.call("POST", "/v1/judge", asked, None).json["error"]
    assert (error["where"], error["detail"][: len(detail)]) == (where, detail)


def test_a_set_without_changes_is_followed_as_it_is_shipped(judge: Board):
    """002-X 4.2.4: 60; 000-A 2, 和 4: 40."""
    quiet = LIMIT | {"fen": "4k4/9/9/9/9/9/9/8R/4A4/3A1K3 w", "moves": ["i2i3", "e9e8", "i3i2", "e8e9"] * 20}
    asked = [quiet | {"regulations": name} for name in ("campus", "xiangqi-1999")] + [quiet]
    given = judge.call("POST", "/v1/judge", asked, None).json
    assert [one["answer"]["valid"] for one in given] == [True, False, False]
