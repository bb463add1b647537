"""Rows of renju 连珠 (R): openings, five, forbidden moves, ends."""

from pathlib import Path
from typing import Any

import pytest

from tests.http.boards import Board, G, board
from tests.http.rows.answers import claim, code, followed, result, rule, rulings
from tests.http.rows.five import FAR, THREE_THREE, end, full_board
from tests.rows.marks import row

BOTH = ("renju", "campus")
FOUR_FOUR = ("h8", "g8", "f8", "e9", "e10", "e11", "e8")
OVERLINE = ("h8", "g8", "i8", "k8", "l8", "j8")
FOUR_THREE = ("h8", "g8", "i9", "f8", "i10", "i8")
"""四三: a four on the rank and a three on the file."""
FIVE_TOO = ("h8", "g8", "f8", "e8", "i9", "i10", "i8")
"""The last stone makes five, and with it two threes."""


def rows(number: str, *cases: Any, sets: tuple[str, ...] = BOTH) -> list[Any]:
    return [pytest.param(name, *case, marks=row(number, under=name)) for name in sets for case in cases]


def renju(b: Board, *black: str) -> Any:
    """Black's stones in turn with White's far away, no swap, the fifth stone the one that is kept; the last answer."""
    first, second, fifth, *rest = black
    followed(b.moves(f"{first} {FAR[0]} {second} {FAR[1]}"))
    followed(b.step("black", "offer_fifth", fifth, "o15"), b.step("white", "choose_fifth", fifth))
    moves = [stone for pair in zip(FAR[2:], rest, strict=False) for stone in pair]
    return followed(b.moves(" ".join(moves), 6)) if moves else None


@pytest.mark.parametrize("regulations", rows("R1", ()))
def test_black_begins_on_the_centre_and_they_alternate(tmp_path: Path, regulations: str) -> None:
    with board(tmp_path, "renju", regulations) as b:
        refused = b.moves("h9")
        assert code(refused) == (409, "illegal-move") and "天元" in refused.json["detail"]
        followed(b.moves("h8"))
        assert b.get().json["to_move"] == "white"
        assert b.call("POST", f"{G}/moves", {"ply": 2, "moves": [{"move": "h9", "side": "black"}]}).status_code == 409


@pytest.mark.parametrize(("regulations", "stones", "ends"), rows("R2", (("h8", "i9", "j10", "k11", "g7"), True)))
def test_five_black_stones_win(tmp_path: Path, regulations: str, stones: tuple[str, ...], ends: bool) -> None:
    with board(tmp_path, "renju", regulations) as b:
        assert end(renju(b, *stones))[0] == "five" and result(b) == "0-1"


@pytest.mark.parametrize("regulations", rows("R2", ()))
def test_six_win_for_white_and_not_for_black(tmp_path: Path, regulations: str) -> None:
    """长连."""
    for name in ("white", "black"):
        (tmp_path / name).mkdir()
    with board(tmp_path / "white", "renju", regulations) as b:
        followed(b.moves("h8 h9 g8 b1"))
        followed(b.step("black", "offer_fifth", "o15", "o1"), b.step("white", "choose_fifth", "o15"))
        ended = followed(b.moves("c1 m13 e1 m11 f1 l9 g1 n9 d1", 6))
        assert end(ended)[0] == "five" and result(b) == "1-0"
    with board(tmp_path / "black", "renju", regulations) as b:
        renju(b, *OVERLINE)
        assert result(b) is None


@pytest.mark.parametrize(
    ("regulations", "stones", "kind"),
    rows("R3", (THREE_THREE, "三三"), (FOUR_FOUR, "四四"), (OVERLINE, "长连"), (FOUR_THREE, None)),
)
def test_three_three_four_four_and_the_overline_are_forbidden_and_four_three_is_not(
    tmp_path: Path, regulations: str, stones: tuple[str, ...], kind: str | None
) -> None:
    with board(tmp_path, "renju", regulations) as b:
        renju(b, *stones)
        assert result(b) is None
        answer = claim(b, "forbidden_point", "player", side="white", move=stones[-1])
        assert answer["state"] == ("upheld" if kind else "denied")
        assert result(b) == ("1-0" if kind else None)


@pytest.mark.parametrize("regulations", rows("R3", ()))
def test_white_has_no_forbidden_moves(tmp_path: Path, regulations: str) -> None:
    with board(tmp_path, "renju", regulations) as b:
        followed(b.moves("h8 h9 g8 c3"))
        followed(b.step("black", "offer_fifth", "o15", "o1"), b.step("white", "choose_fifth", "o15"))
        followed(b.moves("d3 n13 e4 m11 e5 l9 e3", 6))
        answer = b.call("POST", f"{G}/claims", {"claim": "forbidden_point", "side": "black", "move": "e3"}, "player")
        assert answer.status_code == 409 and result(b) is None


@pytest.mark.parametrize("regulations", rows("R4", ()))
def test_five_and_forbidden_at_once_wins(tmp_path: Path, regulations: str) -> None:
    with board(tmp_path, "renju", regulations) as b:
        assert end(renju(b, *FIVE_TOO))[0] == "five" and result(b) == "0-1"


@pytest.mark.parametrize(("regulations", "answered"), rows("R5", (False,), (True,)))
def test_a_forbidden_move_is_pointed_out_before_it_is_answered_or_never(
    tmp_path: Path, regulations: str, answered: bool
) -> None:
    with board(tmp_path, "renju", regulations) as b:
        renju(b, *THREE_THREE)
        if answered:
            followed(b.moves("o1", 10))
        told = claim(b, "forbidden_point", "player", side="white", move="i8")
        assert "五子棋, H" in told["article"] and result(b) == (None if answered else "1-0")


@pytest.mark.parametrize("regulations", rows("R6", (), sets=("campus",)))
def test_an_overline_is_pointed_out_any_time_before_the_end(tmp_path: Path, regulations: str) -> None:
    with board(tmp_path, "renju", regulations) as b:
        renju(b, *OVERLINE)
        followed(b.moves("o1 o3 o5 o7", 12))
        told = claim(b, "forbidden_point", "player", side="white", move="j8")
        assert "五子棋, I" in told["article"] and result(b) == "1-0"


@row("R7", under="renju")
@pytest.mark.parametrize(
    ("black", "white", "point", "kind"),
    [
        ("f8 g8 h9 h10", "", "h8", "double_three"),
        ("e8 g8 h9 h11", "", "h8", "double_three"),
        ("f8 g8 h9 h10", "e8", "h8", None),
        ("f8 g8 h9 h11 e10 f10 g10 i11 j12 k13", "", "h8", None),
    ],
    ids=["two threes", "a three with a gap", "a blocked three 眠三", "a three whose key point is 四四"],
)
def test_a_three_is_open_where_it_can_become_an_open_four(
    tmp_path: Path, black: str, white: str, point: str, kind: str | None
) -> None:
    with board(tmp_path, "renju", "renju") as b:
        renju(b, "h8", "g8", "i9")
        question = {"id": 1, "game": "renju", "ask": "forbidden", "black": black.split(), "white": white.split()}
        answer = b.call("POST", "/v1/judge", question, None).json["answer"]
        assert answer["forbidden"].get(point) == kind


@pytest.mark.parametrize("regulations", rows("R8", ()))
def test_after_the_third_stone_white_may_swap(tmp_path: Path, regulations: str) -> None:
    """三手交换: the seats hold each other's stones."""
    with board(tmp_path, "renju", regulations) as b:
        followed(b.moves("h8 h9"))
        assert code(b.step("white", "swap")) == (409, "illegal-step")
        followed(b.moves("i9", 3), b.step("white", "swap"))
        assert b.get().json["to_move"] == "black"


@pytest.mark.parametrize("regulations", rows("R9", ()))
def test_black_offers_two_fifth_stones_and_white_keeps_one(tmp_path: Path, regulations: str) -> None:
    """五手两打; R13: the stones offered are one move."""
    with board(tmp_path, "renju", regulations) as b:
        followed(b.moves("h8 h9 i9 a1"))
        assert b.step("black", "offer_fifth", "g7").status_code == 409
        followed(b.step("black", "offer_fifth", "g7", "j10"))
        assert b.step("white", "choose_fifth", "o15").status_code == 409
        followed(b.step("white", "choose_fifth", "j10"))
        assert b.get().json["ply"] == 5


@row("R10", under="renju")
@pytest.mark.parametrize(("second", "barred"), [("h9", "游星"), ("i9", "彗星")], ids=["direct 直指", "indirect 斜指"])
def test_the_named_openings_are_played_but_for_two(tmp_path: Path, second: str, barred: str) -> None:
    """004: 26 openings, as many as there are third stones on 25 points that no mirror makes equal."""
    third = [f"{file}{rank}" for file in "fghij" for rank in range(6, 11) if f"{file}{rank}" not in ("h8", second)]
    refused = []
    with board(tmp_path, "renju", "renju") as b:
        followed(b.moves(f"h8 {second}"))
        assert "these stones do not form a named opening" in b.moves("h4", 3).json["detail"]
        for stone in third:
            answer = b.moves(stone, 3)
            if answer.status_code == 201:
                followed(b.call("POST", f"{G}/take-back", {"to_ply": 2, "reason": "misrecorded"}, "arbiter"))
            else:
                refused.append(answer.json["detail"])
        assert 1 <= len(refused) <= 2 and all(barred in detail for detail in refused)
    (tmp_path / "campus").mkdir()
    with board(tmp_path / "campus", "renju") as b:
        followed(b.moves(f"h8 {second} h4"))


@pytest.mark.parametrize("regulations", rows("R12", ()))
@pytest.mark.parametrize("infraction", ["removing_stones", "leaving_the_game"])
def test_lifting_a_stone_and_leaving_lose(tmp_path: Path, regulations: str, infraction: str) -> None:
    with board(tmp_path, "renju", regulations) as b:
        followed(b.moves("h8 h9 i9"))
        rule(b, 2, infraction)
        assert result(b) == "1-0" and rulings(b)[0][1] == "set_marks"


@pytest.mark.parametrize("regulations", rows("R13", ()))
def test_a_pass_is_a_move_and_none_is_in_the_opening(tmp_path: Path, regulations: str) -> None:
    with board(tmp_path, "renju", regulations) as b:
        followed(b.moves("h8"))
        assert code(b.moves("pass", 2)) == (409, "illegal-move")
        followed(b.moves(f"{FAR[0]} g8 {FAR[1]}", 2))
        followed(b.step("black", "offer_fifth", "f9", "o15"), b.step("white", "choose_fifth", "f9"), b.moves("pass", 6))
        assert (b.get().json["ply"], b.get().json["to_move"]) == (6, "black")


@row("R13", under="campus")
def test_a_full_board_is_drawn_in_renju(tmp_path: Path) -> None:
    stones = full_board().split()
    with board(tmp_path, "renju") as b:
        followed(b.moves(" ".join(stones[:4])), b.step("black", "offer_fifth", stones[4], stones[6]))
        followed(b.step("white", "choose_fifth", stones[4]))
        assert end(followed(b.moves(" ".join(stones[5:]), 6)))[0] == "full_board" and result(b) == "1/2-1/2"


@pytest.mark.parametrize("regulations", rows("R14", ()))
@pytest.mark.parametrize("how", ["flag", "agreement"])
def test_a_flag_loses_and_an_agreement_draws(tmp_path: Path, regulations: str, how: str) -> None:
    with board(tmp_path, "renju", regulations) as b:
        followed(b.moves("h8 h9 i9"))
        if how == "flag":
            claim(b, "flag", side="black")
        else:
            followed(b.call("POST", f"{G}/end", {"termination": "agreement"}, "arbiter"))
        assert result(b) == ("0-1" if how == "flag" else "1/2-1/2")
