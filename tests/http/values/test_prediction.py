"""The values of prediction gomoku 预判: each is announced as a change of the campus event's, and plays to another result."""

from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.http.boards import Board, G, T, board
from tests.http.values.play import changed, followed, refused, result, rulings
from tests.rows.marks import plays

SALTS = {"black": "0123456789abcdef", "white": "fedcba9876543210"}
HOUR = {"periods": [{"seconds": 3600}], "flag": "claimed"}
OPENING = "h8 a1 c1 e1"
TEN = "a1 c8 o15 d8", "a15 e8 o1 f8 h1 g8"
"""White has five at ply 10, and both predict it."""
WHITE_DOUBLE_THREE = "a1 h8 o15 g8", "a15 i9 o1 i10 c13 i8"
"""White's i8 at ply 10 makes two threes."""


def event(data: Path, conditions: Any = None, **values: Any) -> AbstractContextManager[Board]:
    return changed(data, "campus", "prediction", conditions=conditions, **values)


def other(data: Path) -> Path:
    (data / "other").mkdir()
    return data / "other"


def predicted(b: Board, one: str, two: str) -> None:
    """Both predictions sealed and shown, the first player's first."""
    said = {"black": one, "white": two}
    for side, prediction in said.items():
        followed(b.step(side, "seal", sha256((SALTS[side] + prediction).encode()).hexdigest()))
    for side, prediction in said.items():
        followed(b.step(side, "reveal", SALTS[side], prediction))


def played(b: Board, game: tuple[str, str], prediction: str) -> str | None:
    """The result of a game that both predict alike."""
    followed(b.moves(game[0]))
    predicted(b, prediction, prediction)
    followed(b.moves(game[1], 5))
    return result(b)


@plays("game.prediction.both_forbidden", True, False)
def test_whites_forbidden_stone_loses_or_is_a_move_like_others(tmp_path: Path) -> None:
    """001 第三条 4: 双方都有禁手; 000-A 五子棋, C: 白棋无禁手."""
    with event(tmp_path) as b, event(other(tmp_path), both_forbidden=False) as c:
        assert played(b, WHITE_DOUBLE_THREE, "白子42手") in ("1-0", "0-1")
        assert played(c, WHITE_DOUBLE_THREE, "白子42手") is None


@plays("game.prediction.share_of_time", 5, 4)
def test_a_fifth_or_a_quarter_of_the_time_may_be_spent_on_a_prediction(tmp_path: Path) -> None:
    """001 第三条 3(3): 五分之一为宜,或由棋赛的竞赛规则确定."""
    with event(tmp_path, {"time": HOUR}) as b, event(other(tmp_path), {"time": HOUR}, share_of_time=4) as c:
        for one in (b, c):
            followed(one.moves(OPENING))
            followed(one.step("black", "seal", "0" * 64, "721"))
        assert (result(b), rulings(b)) == ("1-0", [("flag", "set_marks")])
        assert (result(c), rulings(c)) == (None, [])


@plays("game.prediction.pass_allowed", True, False)
def test_a_side_may_pass_after_the_opening_or_must_place_a_stone(tmp_path: Path) -> None:
    """001 第二条 3: 允许任何一方放弃下子权; in the opening nobody may (第三条 2)."""
    with event(tmp_path) as b, event(other(tmp_path), pass_allowed=False) as c:
        for one in (b, c):
            followed(one.moves("h8 a1 c1"))
            assert refused(one.moves("pass", 4)) == ("illegal-move", "001 第三条 2")
            followed(one.moves("e1", 4))
            predicted(one, "黑子13手", "黑子15手")
        followed(b.moves("pass", 5))
        assert refused(c.moves("pass", 5)) == ("illegal-move", "001 第二条 3-4")


@plays("game.prediction.at_limit", "draw", "win")
def test_five_exactly_at_the_limit_draws_or_wins(tmp_path: Path) -> None:
    """001 例1, 例4; 第三条 3(2): 小于等于."""
    with event(tmp_path) as b, event(other(tmp_path), at_limit="win") as c:
        assert (played(b, TEN, "白子10手"), played(c, TEN, "白子10手")) == ("1/2-1/2", "1-0")


@plays("game.prediction.draw_predictable", True, False)
def test_a_draw_is_predicted_or_the_game_must_be_decisive(tmp_path: Path) -> None:
    """001 第三条 3(2): 必须分胜负的棋局不能预判为和棋."""
    with event(tmp_path) as b, event(other(tmp_path), draw_predictable=False) as c:
        for one in (b, c):
            followed(one.moves(OPENING))
        predicted(b, "和", "和")
        assert refused(c.step("black", "seal", "0" * 64))[0] == "illegal-step", "nothing is agreed on that decides"
        followed(c.call("POST", f"{G}/steps", {"side": "black", "step": "criterion", "values": ["black"]}, "arbiter"))
        for side, salt in SALTS.items():
            followed(c.step(side, "seal", sha256((salt + "和").encode()).hexdigest()))
        assert refused(c.step("black", "reveal", SALTS["black"], "和")) == ("illegal-step", "001 第三条 3(2)")


def test_a_stone_moved_after_it_was_set_down_loses_by_the_texts_own_set(tmp_path: Path) -> None:
    """001 第二条 4: 落定后移动棋子视为悔棋,判负."""
    with board(tmp_path, "prediction", "prediction") as b:
        followed(b.moves(OPENING))
        body = {"player": 2, "round": 1, "infraction": "taking_back"}
        seen = b.call("POST", f"{T}/rulings", body, "board")
        assert seen.status_code == 403, "no device convicts"
        followed(b.call("POST", f"{T}/rulings", body, "arbiter"))
        assert (result(b), rulings(b)) == ("1-0", [("taking_back", "set_marks")])
        assert refused(b.moves("i8", 5))[0] == "game-over"


@pytest.mark.parametrize("share", [0, 21, "5"])
def test_a_share_outside_its_bounds_is_refused_with_them(tmp_path: Path, share: Any) -> None:
    with event(tmp_path) as b:
        cup = {"id": "U", "name": "Cup", "game": "prediction", "format": "swiss", "rounds": 3, "regulations": "campus"}
        changes = {"game.prediction.share_of_time": share}
        answer = b.call("POST", "/v1/tournaments", cup | {"changes": changes}, "chief_arbiter")
        (why,) = answer.json["errors"]["changes"]["game.prediction.share_of_time"]
        assert (answer.status_code, why[:15]) == (422, "must be 1 to 20")
        assert "001 第三条 3(3)" in why
