"""Renju's forbidden points: the text's own kinds and exceptions, and another program's reading (000-A 五子棋 C, D, G, 8, 9)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from renju.check_forbid import get_foul_type

from services.games.rules.boards.fifteen import ALL, CENTRE, LINES, POINTS, Point, Stones, name, place, point_of
from services.games.rules.boards.renju.forbidden import forbidden_points, reading
from shared.core.terms import Side
from tests.sampling import POSITIONS, at_least


def stones(black: str, white: str = "") -> Stones:
    made = Stones()
    sides: tuple[tuple[Side, str], ...] = (("black", black), ("white", white))
    for side, points in sides:
        for point in points.split():
            made.put(side, at(point))
    return made


def at(written: str) -> Point:
    point = point_of(written)
    assert point is not None
    return point


@pytest.mark.parametrize(
    "what, black, white, point, found",
    [
        ("两个活三: row and column", "f8 g8 h9 h10", "", "h8", "double_three"),
        ("活三 with a gap counts", "e8 g8 h9 h11", "", "h8", "double_three"),
        ("one three is blocked at one end", "f8 g8 h9 h10", "e8", "h8", None),
        ("下止: room for a four, but for no straight one (图1.11)", "f8 g8 h9 h10", "d8 j8", "h8", None),
        ("六腐: either straight four would become six (图1.10)", "d8 g8 i8 l8 h9 h10", "", "h8", None),
        ("the edge blocks like a stone", "a7 a6 b8 c8", "", "a8", None),
        ("two fours on two lines", "e8 f8 g8 h9 h10 h11", "", "h8", "double_four"),
        ("活四 is one four", "e8 f8 g8", "", "h8", None),
        ("two fours on one line, B.BBB.B", "e8 g8 i8 k8", "", "h8", "double_four"),
        ("two fours on one line, 扁担阵 BB.BB.BB", "d8 e8 g8 j8 k8", "", "h8", "double_four"),
        ("four and three: how Black wins (C)", "e8 f8 g8 h9 h10", "d8", "h8", None),
        ("四三三 (D)", "e8 f8 g8 h9 h10 i9 j10", "d8", "h8", "double_three"),
        ("四四三 (D)", "e8 f8 g8 h9 h10 h11 i9 j10", "d8 h12", "h8", "double_four"),
        ("six in a row", "e8 f8 g8 i8 j8", "", "h8", "overline"),
        ("eight in a row", "d8 e8 f8 g8 i8 j8 k8", "", "h8", "overline"),
        ("five and 四四 at once: five (G)", "d8 e8 f8 g8 h9 h10 h11 i9 j10 k11", "", "h8", "five"),
        ("five and overline at once: five (G)", "d8 e8 f8 g8 h9 h10 h11 h7 h6", "", "h8", "five"),
    ],
)
def test_a_point_is_forbidden_as_the_text_says(what, black, white, point, found):
    assert reading(stones(black, white), "black", at(point)) == found, what


def test_a_three_whose_key_point_is_a_double_four_is_dead():
    """图1.12: the column could only become a straight four on h10, where Black would make four-four."""
    alive = "f8 g8 h9 h11"
    assert reading(stones(alive), "black", at("h8")) == "double_three"
    four_four_on_h10 = f"{alive} e10 f10 g10 i11 j12 k13"
    board = stones(four_four_on_h10, "d10 l14")
    assert reading(board, "black", at("h8")) is None
    board.put("black", at("h8"))
    assert reading(board, "black", at("h10")) == "double_four"


@pytest.mark.parametrize(
    ("what", "black", "white", "forbidden", "found"),
    [
        ("三三 where 四四 alone is forbidden", "f8 g8 h9 h10", "", {"double_four"}, None),
        ("四四 where 三三 alone is", "e8 f8 g8 h9 h10 h11", "", {"double_three"}, None),
        ("四四三 where 三三 alone is", "e8 f8 g8 h9 h10 i9 j10", "d8", {"double_three"}, "double_three"),
        ("长连 where it is allowed is a five", "e8 f8 g8 i8 j8", "", {"double_three", "double_four"}, "five"),
        ("六腐 is a three where six are a five", "d8 g8 i8 l8 h9 h10", "", {"double_three"}, "double_three"),
        ("and a four with a stone beyond is one", "e8 f8 g8 j8 h9 h10 h11", "", {"double_four"}, "double_four"),
        ("which would make six where they are forbidden", "e8 f8 g8 j8 h9 h10 h11", "d8", {"double_four", "overline"}, None),
        ("nothing is forbidden", "e8 f8 g8 h9 h10 h11 i9 j10", "", set(), None),
    ],
)  # fmt: skip
def test_a_kind_that_is_allowed_is_none_and_changes_what_threes_and_fours_are(what, black, white, forbidden, found):
    """004 4: 本游戏采用三三禁手; 004 1.4: 普通棋室."""
    assert reading(stones(black, white), "black", at("h8"), frozenset(forbidden)) == found, what


def test_a_three_whose_key_point_is_an_allowed_double_four_is_alive():
    board = stones("f8 g8 h9 h11 e10 f10 g10 i11 j12 k13", "d10 l14")
    assert reading(board, "black", at("h8"), frozenset({"double_three"})) == "double_three"
    assert reading(board, "black", at("h8")) is None


def test_white_has_no_forbidden_point_in_renju_but_its_reading_is_the_mirror():
    board = stones("", "f8 g8 h9 h10")
    assert reading(board, "white", at("h8")) == "double_three"
    assert reading(board, "black", at("h8")) is None


@pytest.mark.parametrize(
    "row, overline, wins",
    [("e8 f8 g8 i8", False, True), ("d8 e8 f8 g8 i8", False, False), ("d8 e8 f8 g8 i8", True, True)],
)
def test_black_wins_with_exactly_five_and_white_with_more(row, overline, wins):
    """B, 长连."""
    board = stones(row + " h8")
    assert (board.five(at("h8"), overline) is not None) == wins


@given(st.sampled_from(ALL), st.integers(0, 7))
def test_reading_changes_nothing(point, seed):
    rng = random.Random(seed)
    board = crowded(rng, 40)
    if board.at(point) is None:
        before = board.text()
        reading(board, "black", point)
        assert board.text() == before


def crowded(rng: random.Random, most: int) -> Stones:
    """Stones thrown onto the middle of a board: two to one Black's or so, as shapes need."""
    board, share = Stones(), rng.choice((0.5, 0.6, 0.75))
    middle = [p for p in ALL if all(2 <= n < LINES - 2 for n in place(p))]
    area = middle if rng.random() < 0.7 else list(ALL)
    for point in rng.sample(area, rng.randrange(8, most)):
        board.put("black" if rng.random() < share else "white", point)
    return board


KINDS = {0: None, 1: "double_three", 2: "double_four", 3: "overline"}


def test_positions_agree_with_another_program():
    """A point of each, of every second a forbidden one if it has any; a five is none of its fouls."""
    rng, found = random.Random(20261121), dict.fromkeys(KINDS.values(), 0)
    for n in range(POSITIONS):
        board = crowded(rng, 60)
        forbidden = forbidden_points(board, "black")[0] if n % 2 else {}
        empty = [p for p in ALL if board.at(p) is None]
        kind = rng.choice(sorted(set(forbidden.values()))) if forbidden else None
        point = at(rng.choice([p for p, k in forbidden.items() if k == kind])) if kind else rng.choice(empty)
        read = reading(board, "black", point)
        ours = None if read == "five" else read
        assert KINDS[get_foul_type(grid(board), *place(point))] == ours, (board.text(), name(point))
        found[ours] += 1
    assert all(count > at_least(300) for count in found.values()), found


def test_whole_boards_agree_with_another_program():
    rng = random.Random(4)
    for _ in range(30):
        board = crowded(rng, 60)
        forbidden, _ = forbidden_points(board, "black")
        theirs = {name(p): KINDS[get_foul_type(grid(board), *place(p))] for p in ALL if board.at(p) is None}
        assert forbidden == {p: kind for p, kind in theirs.items() if kind is not None}


def grid(board: Stones) -> list[list[int]]:
    """The board as the other program takes it."""
    marks: dict[Side | None, int] = {None: 0, "black": 1, "white": 2}
    columns = [[0] * LINES for _ in range(LINES)]
    for point in ALL:
        column, row = place(point)
        columns[column][row] = marks[board.at(point)]
    return columns


def test_points_are_named_from_a1_to_o15():
    assert (name(ALL[0]), name(CENTRE), name(ALL[-1]), len(ALL)) == ("a1", "h8", "o15", POINTS)
    assert [point_of(wrong) for wrong in ("p1", "a0", "a16", "", "8h", "h88")] == [None] * 6
    assert all(point_of(name(p).upper()) == p for p in ALL)
