"""The values of renju: each is announced as a change of a shipped set, and plays to another result than its other readings."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from services.games.rules.boards.fifteen import CENTRE, place
from services.games.rules.boards.renju.openings import Opening, openings
from tests.http.boards import Board
from tests.http.values.play import changed, claim, followed, refused, result, upheld
from tests.rows.marks import plays

DOUBLE_THREE = "h8 a1 g8 c1 i9 e1 i10 g1 i8"
DOUBLE_FOUR = "h8 a1 i8 c1 j8 e1 k5 g1 k6 i1 k7 k1 k8"
OVERLINE = "h8 a1 i8 c1 j8 e1 m8 g1 l8 i1 k8"
KINDS = {"double_three": DOUBLE_THREE, "double_four": DOUBLE_FOUR, "overline": OVERLINE}
ROOM: dict[str, Any] = {"opening": "free", "fifth_moves": 1, "professional": False}
"""A room without swap, fifth stones and named openings (004 1.4: 国标棋室)."""


def room(data: Path, **values: Any) -> AbstractContextManager[Board]:
    return changed(data, "renju", "renju", **{**ROOM, **values})


def seventh_ply(b: Board) -> None:
    """The first three stones of 花月, the swap declined, and White's second."""
    followed(b.moves("h8 h9 h10"), b.step("white", "keep"), b.moves("o1", 4))


# ---------------------------------------------------------------- forbidden moves 禁手


@pytest.mark.parametrize("kind", KINDS)
def test_white_points_out_a_kind_that_is_forbidden(tmp_path: Path, kind: str) -> None:
    """000-A 五子棋, D."""
    with room(tmp_path) as b:
        followed(b.moves(KINDS[kind]))
        assert upheld(claim(b, "forbidden_point", "board", side="white", move=KINDS[kind].split()[-1]))
        assert result(b) == "1-0"


@plays("game.renju.double_three_forbidden", True, False)
def test_a_double_three_is_a_move_like_others_where_nothing_is_forbidden(tmp_path: Path) -> None:
    """004 1.4: 普通棋室不受任何规则限制."""
    _kind_is_allowed(tmp_path, "double_three")


@plays("game.renju.double_four_forbidden", True, False)
def test_a_double_four_is_a_move_like_others_where_three_three_alone_is_forbidden(tmp_path: Path) -> None:
    """004 4: 本游戏采用三三禁手."""
    _kind_is_allowed(tmp_path, "double_four")


def _kind_is_allowed(data: Path, kind: str) -> None:
    moves = KINDS[kind]
    for forbidden, says in ((True, "1-0"), (False, None)):
        folder = data / str(forbidden)
        folder.mkdir()
        with room(folder, **{f"{kind}_forbidden": forbidden, "forbidden": "loses"}) as b:
            followed(b.moves(moves))
            assert result(b) == says
            if says is None:
                assert followed(b.moves("o15", len(moves.split()) + 1))["events"]


@plays("game.renju.overline_forbidden", True, False)
def test_an_overline_loses_or_wins(tmp_path: Path) -> None:
    """000-A 五子棋, D; 004 4: where three-three alone is forbidden, six in a row hold five."""
    with room(tmp_path, forbidden="loses") as b, room(_other(tmp_path), overline_forbidden=False) as c:
        ends = [followed(one.moves(OVERLINE))["events"][-1]["data"]["termination"] for one in (b, c)]
        assert ends == ["forbidden_move", "five"]
        assert (result(b), result(c)) == ("1-0", "0-1")


def _other(data: Path) -> Path:
    (data / "other").mkdir()
    return data / "other"


@pytest.mark.parametrize(
    ("value", "says"),
    [
        pytest.param("claimed", (None, None), marks=plays("game.renju.forbidden", "claimed")),
        pytest.param("loses", ("1-0", None), marks=plays("game.renju.forbidden", "loses")),
        pytest.param("illegal", (None, "illegal-move"), marks=plays("game.renju.forbidden", "illegal")),
    ],
)
def test_a_forbidden_stone_waits_for_white_loses_at_once_or_is_not_played(
    tmp_path: Path, value: str, says: tuple[str | None, str | None]
) -> None:
    """000-A 五子棋, H; 000-E 2; 004 1.4: 走禁手就输, 禁手不能落子."""
    with room(tmp_path, forbidden=value) as b:
        *before, stone = DOUBLE_THREE.split()
        followed(b.moves(" ".join(before)))
        answer = b.moves(stone, 9)
        if answer.status_code == 409:
            code, article = refused(answer)
            assert article == "004 1.4: 禁手不能落子; 000-A 五子棋, D, 8 三三禁手"
            followed(b.moves("o15", 9))
        else:
            code = None
        assert (result(b), code) == says


@plays("game.renju.overline_any_time", True, False)
@pytest.mark.parametrize("any_time", [True, False])
def test_an_overline_is_pointed_out_after_the_answer_or_too_late(tmp_path: Path, any_time: bool) -> None:
    """000-A 五子棋, I; 004 3.2 (6)."""
    other = {True: False, False: True}[any_time]
    with room(tmp_path, overline_any_time=any_time) as b, room(_other(tmp_path), overline_any_time=other) as c:
        said = []
        for one in (b, c):
            followed(one.moves(OVERLINE + " o15"))
            said.append(upheld(claim(one, "forbidden_point", "board", side="white", move="k8")))
        assert said == [any_time, other]


# ---------------------------------------------------------------- openings 开局


def stones(opening: Opening) -> str:
    """The three stones as the table of openings lays them."""
    column, row = place(CENTRE)
    second = (0, 1) if opening.kind == "direct" else (1, 1)
    points = [(column, row), *((column + x, row + y) for x, y in (second, opening.third))]
    return " ".join(f"{'abcdefghijklmno'[x]}{y + 1}" for x, y in points)


NAMED = [opening for opening in openings() if not opening.barred]


@pytest.mark.parametrize(
    "opening", [pytest.param(one, id=one.name, marks=plays("game.renju.opening", one.name)) for one in NAMED]
)
def test_an_opening_that_is_announced_is_played_and_no_other(tmp_path: Path, opening: Opening) -> None:
    """004 3.2 (1): 比赛双方按照约定好的开局进行对弈."""
    other = next(one for one in NAMED if one.kind == opening.kind and one != opening)
    with changed(tmp_path, "renju", "renju", opening=opening.name) as b:
        *first, third = stones(opening).split()
        followed(b.moves(" ".join(first)))
        assert refused(b.moves(stones(other).split()[-1], 3)) == ("illegal-move", "004 3.2 (1)")
        followed(b.moves(third, 3))
        assert b.get().json["facts"]["opening"] == opening.name
        assert refused(b.step("white", "swap"))[0] == "illegal-step", "an announced opening has no swap"


def test_twenty_four_openings_can_be_announced() -> None:
    """004 line 516: 26, without 游星 and 彗星."""
    assert len(NAMED) == 24


def test_an_opening_that_professionals_bar_is_not_announced(tmp_path: Path) -> None:
    with room(tmp_path) as b:
        cup = {"id": "U", "name": "Cup", "game": "renju", "format": "swiss", "rounds": 3, "regulations": "renju"}
        changes = {"game.renju.opening": "彗星"}
        answer = b.call("POST", "/v1/tournaments", cup | {"changes": changes}, "chief_arbiter")
        (why,) = answer.json["errors"]["changes"]["game.renju.opening"]
        assert answer.status_code == 422 and "斜月" in why and "004 3.2 (1)" in why


@plays("game.renju.opening", "agreed")
def test_an_opening_that_the_sides_agree_on_is_named_by_black_and_played(tmp_path: Path) -> None:
    """004 3.2 (1): 指定打法."""
    with changed(tmp_path, "renju", "renju", opening="agreed") as b:
        assert refused(b.moves("h8"))[0] == "illegal-move"
        assert refused(b.step("black", "opening", "彗星"))[0] == "illegal-step"
        followed(b.step("black", "opening", "花月"), b.moves("h8 h9"))
        assert refused(b.moves("h11", 3)) == ("illegal-move", "004 3.2 (1)")
        followed(b.moves("i9", 3))
        assert b.get().json["facts"]["opening"] == "花月"


@plays("game.renju.opening", "swap", "free")
def test_a_room_without_a_swap_refuses_it(tmp_path: Path) -> None:
    """000-A 五子棋, J; 004 1.4: 国标棋室."""
    with changed(tmp_path, "renju", "renju", opening="free") as b, changed(_other(tmp_path), "renju", "renju") as c:
        followed(b.moves("h8 h9 h10"), c.moves("h8 h9 h10"))
        assert refused(b.step("white", "swap"))[0] == "illegal-step"
        followed(c.step("white", "swap"))
        assert c.get().json["facts"]["black"] == "white"


@plays("game.renju.fifth_moves", 1, 2, 3)
def test_one_two_or_three_fifth_stones(tmp_path: Path) -> None:
    """000-A 五子棋, J: 五手两打; 000-C: 五手N打."""
    points = ("g7", "j10", "d4")
    for number in (1, 2, 3):
        (tmp_path / str(number)).mkdir()
        with changed(tmp_path / str(number), "renju", "renju", fifth_moves=number) as b:
            seventh_ply(b)
            if number == 1:
                followed(b.moves("g7", 5))
                continue
            assert refused(b.moves("g7", 5))[0] == "illegal-move"
            assert refused(b.step("black", "offer_fifth", *points[: number - 1]))[0] == "illegal-step"
            followed(b.step("black", "offer_fifth", *points[:number]), b.step("white", "choose_fifth", "j10"))


@plays("game.renju.symmetric_fifths", True, False)
def test_two_fifth_stones_that_mirror_each_other(tmp_path: Path) -> None:
    """000-A 五子棋, J excludes none; the other reading is the house's."""
    with (
        changed(tmp_path, "renju", "renju", symmetric_fifths=False) as b,
        changed(_other(tmp_path), "renju", "renju") as c,
    ):
        for one in (b, c):
            followed(one.moves("h8 h9 h10"), one.step("white", "keep"), one.moves("h12", 4))
        assert refused(b.step("black", "offer_fifth", "g7", "i7"))[0] == "illegal-step"
        followed(c.step("black", "offer_fifth", "g7", "i7"))


@plays("game.renju.professional", True, False)
def test_stones_that_make_no_named_opening(tmp_path: Path) -> None:
    """004 line 516."""
    with (
        changed(tmp_path, "renju", "renju", professional=False) as b,
        changed(_other(tmp_path), "renju", "renju") as c,
    ):
        followed(b.moves("h8 a1"))
        assert refused(c.moves("h8 a1")) == ("illegal-move", "004 line 516")


@plays("game.renju.pass_allowed", True, False)
def test_a_pass_is_a_move_or_none(tmp_path: Path) -> None:
    """000-C 第二条 1: 棋手行使pass权视同一着; 000-A 五子棋, A."""
    with room(tmp_path, pass_allowed=False) as b, room(_other(tmp_path)) as c:
        followed(b.moves("h8 a1 g8 c1 i9"), c.moves("h8 a1 g8 c1 i9 pass pass"))
        assert refused(b.moves("pass", 6)) == ("illegal-move", "000-C 2")


# ---------------------------------------------------------------- the first hand 先后手


@pytest.mark.parametrize(
    ("value", "side", "values", "black"),
    [
        pytest.param("white_grabs", "black", ("odd", "4"), "white", marks=plays("game.renju.first_hand", "white_grabs")),
        pytest.param("either_grabs", "white", ("odd", "5"), "white", marks=plays("game.renju.first_hand", "either_grabs")),
        pytest.param("both_grab", "black", ("7", "4"), "white", marks=plays("game.renju.first_hand", "both_grab")),
        pytest.param("both_grab", "black", ("7", "5"), "black", marks=plays("game.renju.first_hand", "both_grab")),
        pytest.param("as_paired", "black", ("odd", "5"), None, marks=plays("game.renju.first_hand", "as_paired")),
    ],
)  # fmt: skip
def test_a_guess_and_forbidden_moves_in_one_game(
    tmp_path: Path, value: str, side: str, values: tuple[str, ...], black: str | None
) -> None:
    """000-E 五子棋, 1 and 2: 猜子, and 黑棋禁手判负; 000-B 3; 004 3.2."""
    with room(tmp_path, first_hand=value, forbidden="loses") as b:
        guessed = b.step(side, "guess", *values)
        if black is None:
            assert refused(guessed) == ("illegal-step", "house: colours are as they were paired")
            return
        followed(guessed)
        assert b.get().json["facts"]["black"] == black
        assert refused(b.step(side, "guess", *values))[0] == "illegal-step", "it is guessed for once"
        followed(b.moves(DOUBLE_THREE))
        assert result(b) == ("0-1" if black == "white" else "1-0"), "who has Black loses by the forbidden stone"


def test_a_guess_then_a_swap_gives_the_seats_their_colours_back(tmp_path: Path) -> None:
    """004 3.2: 猜先, then 三手可交换."""
    with changed(tmp_path, "renju", "renju", first_hand="either_grabs") as b:
        followed(b.step("black", "guess", "odd", "4"), b.moves("h8 h9 h10"))
        assert b.get().json["facts"]["black"] == "white"
        followed(b.step("black", "swap"))
        assert b.get().json["facts"]["black"] == "black"
