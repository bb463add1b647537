"""The values of Go: handicap, komi, board and void moves, each announced as a change of the campus event's Go."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from services.games.rules.boards.go.board import handicap_points, vertex
from tests.http.boards import Board, G, T, board
from tests.http.values.play import changed, claim, followed, refused, result, rulings
from tests.rows.marks import plays

SGF = "application/x-go-sgf"
STARS = {
    2: "D4 Q16",
    3: "D4 D16 Q16",
    4: "D4 D16 Q4 Q16",
    5: "D4 D16 K10 Q4 Q16",
    6: "D4 D10 D16 Q4 Q10 Q16",
    7: "D4 D10 D16 K10 Q4 Q10 Q16",
    8: "D4 D10 D16 K4 K16 Q4 Q10 Q16",
    9: "D4 D10 D16 K4 K10 K16 Q4 Q10 Q16",
}
"""The fixed handicaps of nineteen lines, as the Go Text Protocol places them."""
WALLS = [(f"F{row}", f"E{row}") for row in range(1, 10)]


def event(data: Path, **values: Any) -> AbstractContextManager[Board]:
    return changed(data, "go-campus", "go", **values)


def other(data: Path) -> Path:
    (data / "other").mkdir(exist_ok=True)
    return data / "other"


def stones(b: Board) -> set[str]:
    """The vertices of Black's stones, as the position's text has them."""
    rows = b.get().json["fen"].split()[0].split("/")
    size = len(rows)
    return {
        f"{'ABCDEFGHJKLMNOPQRST'[x]}{size - y}"
        for y, row in enumerate(rows)
        for x, mark in enumerate(row)
        if mark == "X"
    }


def counted(b: Board, dead: str = "") -> str | None:
    """The result once both sides have passed and call the same stones dead."""
    for _ in range(2):
        followed(b.step(b.get().json["to_move"], "dead", *dead.split()))
    return result(b)


# ---------------------------------------------------------------- handicap 让子


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=plays("game.go.handicap", n), id=f"{n} stones") for n in range(2, 10)]
)
def test_handicap_stones_stand_on_the_star_points_and_white_begins(tmp_path: Path, number: int) -> None:
    with event(tmp_path, handicap=number, komi_quarter_zi=0) as b:
        assert (stones(b), b.get().json["to_move"]) == (set(STARS[number].split()), "white")
        assert b.call("GET", "/games/T.1.1", None, None).text.count('class="stone"') == number
        assert refused(b.moves(STARS[number].split()[0])) == ("illegal-move", "000-A 围棋, 行棋 2")
        followed(b.moves("C3 C16"))
        assert b.get().json["to_move"] == "white"
        file = b.get("/sheet", Accept=SGF).text.replace("\n", "")
        assert f"HA[{number}]" in file and "AB[" in file and file.index(";W[") < file.index(";B[")


@plays("game.go.handicap", 0)
def test_without_a_handicap_black_begins_on_an_empty_board(tmp_path: Path) -> None:
    with board(tmp_path, "go", "go-campus") as b:
        assert (stones(b), b.get().json["to_move"]) == (set(), "black")
        followed(b.moves("D4"))
        assert "HA[" not in b.get("/sheet", Accept=SGF).text.replace("\n", "")


@pytest.mark.parametrize("size", [9, 13, 19])
@pytest.mark.parametrize("number", range(2, 10))
def test_the_stones_of_a_handicap_are_as_many_as_it_says_and_lie_alike_on_every_board(size: int, number: int) -> None:
    points = [divmod(point, size) for point in handicap_points(number, size)]
    assert len(set(points)) == number
    if number != 3:
        assert {(size - 1 - row, size - 1 - column) for row, column in points} == set(points), "turned by 180 degrees"
    assert [vertex(point, 19) for point in sorted(handicap_points(number, 19))] == sorted(
        STARS[number].split(), key=lambda name: (int(name[1:]), name)
    )


@pytest.mark.parametrize("number", [1, 10, -2])
def test_a_handicap_that_there_is_not_is_refused_with_those_that_there_are(tmp_path: Path, number: int) -> None:
    with event(tmp_path) as b:
        cup = {"id": "U", "name": "Cup", "game": "go", "format": "swiss", "rounds": 3, "regulations": "go-campus"}
        answer = b.call("POST", "/v1/tournaments", cup | {"changes": {"game.go.handicap": number}}, "chief_arbiter")
        (why,) = answer.json["errors"]["changes"]["game.go.handicap"]
        assert answer.status_code in (403, 422) and why.startswith("must be 0 or 2 or 3 or") and "让子" in why


def test_a_file_of_a_handicap_game_is_read_back_and_one_without_its_stones_is_not(tmp_path: Path) -> None:
    with event(tmp_path, handicap=2) as b, event(other(tmp_path), handicap=2) as c, event(other(other(tmp_path))) as d:
        followed(b.moves("C3 C16 R4"))
        file = b.get("/sheet", Accept=SGF).text.replace("\n", "")
        followed(c.file(file, SGF))
        assert c.get().json["fen"] == b.get().json["fen"]
        for one, content, why in ((d, file, "set up a position"), (c, "(;GM[1]SZ[19];W[cc])", "2 handicap stones")):
            answer = one.file(content, SGF)
            assert answer.status_code in (403, 422) and why in answer.json["detail"]


@plays("game.go.komi_quarter_zi", 15, 20)
@pytest.mark.parametrize(("komi", "notation"), [(15, "0-1"), (20, "1-0")])
def test_the_komi_decides_a_counted_handicap_game(tmp_path: Path, komi: int, notation: str) -> None:
    """000-A 围棋, 贴子: Black has 45 of 81 points, 4 1/2 more than half; the handicap stone on G7 is dead."""
    values = {"size": 9, "handicap": 2}
    with (
        event(tmp_path, komi_quarter_zi=komi, **values) as b,
        event(other(tmp_path), komi_quarter_zi={15: 20, 20: 15}[komi], **values) as c,
    ):
        for one in (b, c):
            followed(one.moves(" ".join(point for pair in WALLS for point in pair) + " PASS PASS"))
        assert counted(b, "G7") == notation
        assert counted(c, "G7") != notation


@plays("game.go.size", 9, 13, 19)
def test_boards_of_nine_thirteen_and_nineteen_lines(tmp_path: Path) -> None:
    for size, last, beyond in ((9, "J9", "K10"), (13, "N13", "O14"), (19, "T19", "T20")):
        (tmp_path / str(size)).mkdir()
        with event(tmp_path / str(size), size=size) as b:
            assert refused(b.moves(beyond))[0] == "illegal-move"
            followed(b.moves(last))
            assert f"SZ[{size}]" in b.get("/sheet", Accept=SGF).text.replace("\n", "")


# ---------------------------------------------------------------- void moves, repeated positions, colours


@plays("game.go.loses_turn", True, False)
@plays("game.go.ko_warns", True, False)
def test_a_ko_taken_back_costs_the_turn_and_a_warning_or_the_turn_or_nothing(tmp_path: Path) -> None:
    """000-A 围棋, 行棋 4, 5."""
    shape = "D5 E5 C4 F4 D3 E3 K10 D4 E4"
    ends = []
    for n, values in enumerate(({}, {"ko_warns": False}, {"loses_turn": False})):
        (tmp_path / str(n)).mkdir()
        with event(tmp_path / str(n), **values) as b:
            followed(b.moves(shape))
            before = b.get().json["to_move"]
            followed(claim(b, "illegal_move", side="black", move="D4"))
            ends.append((b.get().json["to_move"] != before, rulings(b)))
    assert ends == [(True, [("ko_without_a_threat", "warn")]), (True, []), (False, [])]


@plays("game.go.positional_superko", True, False)
def test_a_position_that_comes_again_is_refused_by_superko_alone(tmp_path: Path) -> None:
    with event(tmp_path, size=9, positional_superko=True) as b, event(other(tmp_path), size=9) as c:
        for one in (b, c):
            followed(one.moves("B3 B1 A4 B2 A2 J9 A1 A3"))
        assert refused(b.moves("A2", 9))[0] == "illegal-move"
        followed(c.moves("A2", 9))


@plays("game.go.colours_until", 10, 4)
def test_colours_are_put_right_up_to_the_move_that_is_announced(tmp_path: Path) -> None:
    """000-A 围棋, 行棋 1: 第10手之前(含)."""
    ten = "D4 Q16 D16 Q4 C10 R10 K4 K16 K10 C3"
    correct = {"side": "black", "step": "correct_colours", "values": []}
    with board(tmp_path, "go", "go-campus") as b, event(other(tmp_path), colours_until=4) as c:
        followed(b.moves(ten), c.moves(" ".join(ten.split()[:5])))
        assert refused(c.call("POST", f"{G}/steps", correct, "arbiter")) == ("illegal-step", "000-A 围棋, 行棋 1")
        followed(b.call("POST", f"{G}/steps", correct, "arbiter"))
        assert b.get().json["facts"]["black"] == "white"


# ---------------------------------------------------------------- 悔棋 and 散乱 under the shipped set


def test_a_stone_moved_after_the_hand_left_it_goes_back_with_a_warning(tmp_path: Path) -> None:
    """000-A 围棋, 行棋 2."""
    with board(tmp_path, "go", "go-campus") as b:
        followed(b.moves("Q16 D4"))
        body = {"player": 1, "round": 1, "infraction": "taking_back", "facts": {"opponent_moved": True}}
        assert b.call("POST", f"{T}/rulings", body, "arbiter").status_code == 409, "pointed out too late"
        followed(b.call("POST", f"{T}/rulings", body | {"facts": {"opponent_moved": False}}, "arbiter"))
        assert rulings(b) == [("taking_back", "warn")]
        followed(b.call("POST", f"{G}/take-back", {"to_ply": 1, "reason": "takes_back"}, "arbiter"), b.moves("D4", 2))


def test_a_scattered_board_is_replayed_drawn_or_lost_for_both_or_for_who_did_it(tmp_path: Path) -> None:
    """000-A 围棋, 行棋 3."""
    for n, (way, notation) in enumerate((("replay", None), ("1/2-1/2", "1/2-1/2"), ("0-0", "0-0"), ("by", "0-1"))):
        (tmp_path / str(n)).mkdir()
        with board(tmp_path / str(n), "go", "go-campus") as b:
            followed(b.moves("Q16 D4"))
            if way == "replay":
                again = {"to_ply": 0, "reason": "scattered"}
                followed(b.call("POST", f"{G}/take-back", again, "arbiter"), b.moves("Q16 D4 D16"))
            elif way == "by":
                body = {"player": 1, "round": 1, "infraction": "scattering_the_board", "facts": {"by": 1}}
                followed(b.call("POST", f"{T}/rulings", body, "chief_arbiter"))
            else:
                body = {"result": way, "infraction": "scattering_the_board", "reason": "nobody knows the moves"}
                followed(b.call("POST", f"{G}/decision", body, "chief_arbiter"))
            assert result(b) == notation
