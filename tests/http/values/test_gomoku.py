"""The values of free gomoku and its clocks: each reading is announced, and plays to another result than the others."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from services.games.rules.boards.fifteen import ALL, CENTRE, name, place
from tests.http.boards import Board, G, board
from tests.http.values.play import changed, claim, followed, refused, result, rulings, upheld
from tests.rows.marks import plays

SIX = "h8 a15 i8 c15 j8 e15 l8 g15 m8 i15 k8"
FOUR_TO_NONE = "h8 a15 i8 c15 j8 e15 k8 g15"
SECONDS_A_MOVE = {"periods": [], "byo_yomi": 30, "flag": "at_once", "clocks_after": 1800}
"""000-E 3: 半小时后…开始读秒,每步棋限时30秒."""
A_QUARTER_EACH = {"periods": [{"seconds": 900}], "flag": "at_once", "clocks_after": 1800}
"""000-E 3: 开赛后半小时…设立棋钟,每方包干15分钟."""


def event(data: Path, conditions: Any = None, **values: Any) -> AbstractContextManager[Board]:
    return changed(data, "gomoku-campus", "gomoku", conditions=conditions, **values)


def moved(b: Board, ply: int, move: str, clock: int) -> Any:
    return b.call("POST", f"{G}/moves", {"ply": ply, "moves": [{"move": move, "clock": clock}]})


def clocks_up(b: Board, role: Any = "arbiter") -> Any:
    return b.call("POST", f"{G}/steps", {"side": "black", "step": "start_clocks", "values": []}, role)


# ---------------------------------------------------------------- five in a row


@plays("game.gomoku.overline_wins", True, False)
@pytest.mark.parametrize(("wins", "notation"), [(True, "0-1"), (False, None)])
@pytest.mark.parametrize("colour", ["black", "white"])
def test_six_in_a_row_win_or_not_for_either_colour(
    tmp_path: Path, wins: bool, notation: str | None, colour: str
) -> None:
    """000-D ㈡(1): 五个以上; 000-B 5: 五个."""
    (tmp_path / "other").mkdir()
    if colour == "white":
        one, two = SIX.split()[::2], SIX.split()[1::2]
        moves = " ".join(["a1", *(m for pair in zip(one, [*two, "k15"], strict=True) for m in pair)][:-1])
        rows, notation = {"centre_start": False, "own_half": False}, notation and "1-0"
    else:
        moves, rows = SIX, {}
    with event(tmp_path, overline_wins=wins, **rows) as b, event(tmp_path / "other", overline_wins=not wins) as c:
        followed(b.moves(moves), c.moves("h8 h9"))
        assert result(b) == notation


@plays("game.gomoku.centre_start", True, False)
@plays("game.gomoku.own_half", True, False)
def test_the_first_two_stones_go_where_the_event_says(tmp_path: Path) -> None:
    """000-B 2; 000-D asks for nothing."""
    (tmp_path / "other").mkdir()
    with event(tmp_path) as b, event(tmp_path / "other", centre_start=False, own_half=False) as c:
        assert refused(b.moves("a1")) == ("illegal-move", "000-B 2")
        followed(b.moves("h8"))
        assert refused(b.moves("h7", 2)) == ("illegal-move", "000-B 2")
        followed(c.moves("a1 h7"))


def test_a_full_board_is_a_draw(tmp_path: Path) -> None:
    """000-D ㈡(2): 225."""
    dark = [p for p in ALL if (place(p)[0] + 2 * place(p)[1]) % 4 in (0, 1) and p != CENTRE]
    light = sorted((p for p in ALL if p not in dark and p != CENTRE), key=lambda p: -place(p)[1])
    with board(tmp_path, "gomoku", "gomoku-campus") as b:
        ended = followed(b.moves("h8 " + " ".join(name(p) for pair in zip(light, dark, strict=True) for p in pair)))
        assert (result(b), ended["events"][-1]["data"]["article"]) == ("1/2-1/2", "000-D ㈡(2)")


def test_a_pushed_stone_stands_where_it_first_touched(tmp_path: Path) -> None:
    """000-B 6: 以盘面第一落点为准."""
    with board(tmp_path, "gomoku", "gomoku-campus") as b:
        followed(b.moves("h8 h9 i9"))
        followed(b.call("POST", f"{G}/take-back", {"to_ply": 2, "reason": "pushed_stone"}, "arbiter"))
        followed(b.moves("i8", 3))
        assert b.get().json["moves"] == ["h8", "h9", "i8"]
        other = b.call("POST", f"{G}/take-back", {"to_ply": 2, "reason": "takes_back"}, "arbiter")
        assert other.status_code in (409, 422), "a hand moved afterwards is no reason of this text"


@plays("game.gomoku.resignation_confirmed", 10, 0)
def test_a_resignation_is_confirmed_within_ten_seconds_or_counts_at_once(tmp_path: Path) -> None:
    """000-D ㈢(1); 000-B asks for none."""
    (tmp_path / "other").mkdir()
    with event(tmp_path) as b, event(tmp_path / "other", resignation_confirmed=0) as c:
        for one in (b, c):
            followed(one.moves("h8 h9"), claim(one, "resignation", "board", side="white"))
        assert (result(b), result(c)) == (None, "0-1")
        followed(b.step("white", "confirm_resignation", "11"))
        assert result(b) is None
        followed(claim(b, "resignation", "board", side="white"), b.step("white", "confirm_resignation", "10"))
        assert result(b) == "0-1"


# ---------------------------------------------------------------- the first hand 先后手


@pytest.mark.parametrize(
    ("value", "side", "values", "black"),
    [
        pytest.param("white_grabs", "white", ("odd", "5"), None, marks=plays("game.gomoku.first_hand", "white_grabs")),
        pytest.param("white_grabs", "black", ("even", "5"), "white", marks=plays("game.gomoku.first_hand", "white_grabs")),
        pytest.param("either_grabs", "white", ("odd", "5"), "white", marks=plays("game.gomoku.first_hand", "either_grabs")),
        pytest.param("both_grab", "white", ("12", "5"), "white", marks=plays("game.gomoku.first_hand", "both_grab")),
        pytest.param("both_grab", "white", ("11", "5"), "black", marks=plays("game.gomoku.first_hand", "both_grab")),
        pytest.param("both_grab", "white", ("odd", "5"), None, marks=plays("game.gomoku.first_hand", "both_grab")),
        pytest.param("as_paired", "black", ("odd", "5"), None, marks=plays("game.gomoku.first_hand", "as_paired")),
    ],
)  # fmt: skip
def test_who_begins_is_found_in_one_of_three_ways_or_paired(
    tmp_path: Path, value: str, side: str, values: tuple[str, ...], black: str | None
) -> None:
    """000-B 3; 000-E 五子棋, 1; 004 3.2."""
    with event(tmp_path, first_hand=value) as b:
        guessed = b.step(side, "guess", *values)
        if black is None:
            assert refused(guessed)[0] == "illegal-step"
        else:
            followed(guessed)
            assert b.get().json["to_move"] == b.get().json["facts"]["black"] == black


# ---------------------------------------------------------------- the time of a game


@plays("game.gomoku.fours_after", 600, 0)
def test_ten_minutes_decide_by_fours_or_clocks_do(tmp_path: Path) -> None:
    """000-B 8; 000-E 五子棋, 3."""
    (tmp_path / "other").mkdir()
    with event(tmp_path) as b, event(tmp_path / "other", fours_after=0) as c:
        for one in (b, c):
            followed(one.moves(FOUR_TO_NONE))
        assert not upheld(claim(b, "time_up", "board", side="black")), "no player's word ends a game"
        assert upheld(claim(b, "time_up"))
        assert not upheld(claim(c, "time_up"))
        assert (result(b), result(c)) == ("0-1", None)


def test_as_many_fours_draw(tmp_path: Path) -> None:
    """000-B 8: 相等,则判和棋."""
    with event(tmp_path) as b:
        followed(b.moves("h8 h9 i8 i9 j8 j9 k8 k9"))
        assert upheld(claim(b, "time_up"))
        assert result(b) == "1/2-1/2"


def test_half_an_hour_has_no_clocks_then_each_move_has_thirty_seconds(tmp_path: Path) -> None:
    """000-E 五子棋, 3, 预选赛."""
    with event(tmp_path, {"time": SECONDS_A_MOVE}, fours_after=0) as b:
        followed(b.moves("h8 h9"))
        assert b.get().json["clocks"] == {"white": None, "black": None}
        code, _ = refused(moved(b, 3, "i8", 20))
        assert code == "no-clock"
        assert refused(claim(b, "flag", side="white"))[0] == "no-clock"
        assert clocks_up(b, "board").status_code == 403
        followed(clocks_up(b))
        assert b.get().json["clocks"] == {"white": 30, "black": 30}
        assert refused(clocks_up(b))[0] == "clocks-run"
        followed(moved(b, 3, "i8", 4), moved(b, 4, "i9", 12), moved(b, 5, "j8", 9))
        followed(moved(b, 6, "j9", 0))
        assert (result(b), rulings(b)) == ("0-1", [("flag", "set_marks")])


def test_after_half_an_hour_each_side_has_a_quarter_of_an_hour_and_loses_by_the_flag(tmp_path: Path) -> None:
    """000-E 五子棋, 3, 初赛和决赛: 每方包干15分钟,超时判负."""
    with event(tmp_path, {"time": A_QUARTER_EACH}, fours_after=0) as b:
        followed(b.moves("h8 h9 i8"), clocks_up(b))
        assert b.get().json["clocks"] == {"white": 900, "black": 900}
        followed(moved(b, 4, "i9", 600), moved(b, 5, "j8", 900))
        back = {"to_ply": 2, "reason": "agreement"}
        followed(b.call("POST", f"{G}/take-back", back, "arbiter"))
        assert refused(clocks_up(b))[0] == "clocks-run", "the half hour is over, whatever is taken back"
        followed(moved(b, 3, "i8", 500), moved(b, 4, "i9", 700), claim(b, "flag", side="white"))
        assert result(b) == "1-0"


@pytest.mark.parametrize(
    ("time", "article"), [(None, "000-E 3: 每方包干15分钟"), ({"periods": [{"seconds": 60}], "flag": "claimed"}, None)]
)
def test_clocks_that_run_from_the_start_are_not_set_up(tmp_path: Path, time: Any, article: str | None) -> None:
    with event(tmp_path, None if time is None else {"time": time}) as b:
        assert refused(clocks_up(b))[0] == "not-started"
        followed(b.moves("h8"))
        code, cited = refused(clocks_up(b))
        assert code == "clocks-run" and (article is None or cited == article)


@pytest.mark.parametrize(("regulations", "game"), [("gomoku-campus", "gomoku"), ("friendly-wuziqi", "renju")])
@plays("game.schemes.*.byo_yomi", 30)
@plays("game.schemes.*.periods.*.moves", 0)
@plays("game.schemes.*.clocks_after", 1800)
@pytest.mark.parametrize(("scheme", "shown"), [("000-E 3: 预选赛", 30), ("000-E 3: 初赛和决赛", 900)])
def test_an_announcement_names_the_half_hour_without_clocks_by_its_scheme(
    tmp_path: Path, regulations: str, game: str, scheme: str, shown: int
) -> None:
    """000-E 3: the qualifying rounds have seconds a move, those after them a quarter of an hour each."""
    with board(tmp_path, game, regulations, conditions={"time": scheme}) as b:
        followed(b.moves("h8 h9"))
        assert refused(moved(b, 3, "i8", 20))[0] == "no-clock"
        followed(clocks_up(b))
        assert b.get().json["clocks"] == {"white": shown, "black": shown}


def test_000_es_own_set_has_a_guess_forbidden_moves_and_no_swap(tmp_path: Path) -> None:
    """000-E 行棋顺序 1, 判断胜负 2, 5."""
    with board(tmp_path, "renju", "friendly-wuziqi") as b:
        followed(b.step("white", "guess", "odd", "5"))
        assert b.get().json["facts"]["black"] == "white"
        followed(b.moves("h8 a1 g8"))
        assert refused(b.step("white", "swap"))[0] == "illegal-step"
        followed(b.moves("c1 i9 e1 i10 g1 i8", 4))
        assert upheld(claim(b, "forbidden_point", "board", side="black", move="i8"))
        assert result(b) == "0-1"


@pytest.mark.parametrize("seconds", [-1, 86_401, "an hour"])
def test_a_time_without_clocks_has_bounds(tmp_path: Path, seconds: Any) -> None:
    with event(tmp_path) as b:
        cup = {
            "id": "U",
            "name": "Cup",
            "game": "gomoku",
            "format": "swiss",
            "rounds": 3,
            "regulations": "gomoku-campus",
        }
        time = SECONDS_A_MOVE | {"clocks_after": seconds}
        answer = b.call("POST", "/v1/tournaments", cup | {"conditions": {"time": time}}, "chief_arbiter")
        assert answer.status_code == 422 and "clocks_after" in answer.json["errors"]["conditions"]["time"]


def test_start_clocks_names_nothing(tmp_path: Path) -> None:
    with event(tmp_path, {"time": A_QUARTER_EACH}) as b:
        followed(b.moves("h8"))
        answer = b.call("POST", f"{G}/steps", {"side": "black", "step": "start_clocks", "values": ["900"]}, "arbiter")
        assert (answer.status_code, answer.json["type"].rpartition(":")[2]) == (422, "bad-values")


def test_who_comes_late_to_a_game_without_clocks_loses_nothing_from_his_clock(tmp_path: Path) -> None:
    """000-E 五子棋, 3: no clock ran by then."""
    with event(tmp_path, {"time": A_QUARTER_EACH}) as b:
        late = b.call("POST", "/v1/tournaments/T/arrivals", {"player": 2, "round": 1, "late": 300}, "arbiter")
        followed(late, b.moves("h8 h9"), clocks_up(b))
        assert b.get().json["clocks"] == {"white": 900, "black": 900}
