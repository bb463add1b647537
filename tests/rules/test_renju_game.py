"""Renju as it is played: openings, swap, fifth stones, claims of forbidden stones, ends (000-A 五子棋, 004; R rows)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.rules.boards.fifteen import ALL, CENTRE, Point, name, place, point_of
from services.games.rules.boards.port.position import End, IllegalMove, LegalMove
from services.games.rules.boards.registry import default_rules
from services.games.rules.boards.renju.openings import SYMMETRIES, opening_by_name, opening_of, openings, turn
from services.games.rules.boards.renju.phases import AGREED, CENTRE_FIRST, FIFTH, SWAP
from services.games.rules.boards.renju.position import CLAIM, DRAW, FIVE, OVERLINE_CLAIM, RenjuPosition
from tests.builders import why

STONES_ALONE = {"opening": "free", "fifth_moves": 1}
FAR = ("a1", "c1", "e1", "g1", "a15", "c15", "e15", "g15", "i15", "k15")
"""Where White plays when it does not matter."""


def a_game(*moves: str, **rules) -> RenjuPosition:
    position = RenjuPosition(replace(default_rules("renju"), **(rules or STONES_ALONE)))
    for move in moves:
        assert isinstance(position.play(move), LegalMove), move
    return position


def black_plays(*stones: str, **rules) -> RenjuPosition:
    """Black's stones, White far away, Black's last one just played."""
    moves = [move for pair in zip(stones, FAR, strict=False) for move in pair][: 2 * len(stones) - 1]
    return a_game(*moves, **STONES_ALONE, **rules)


THREE_THREE = ("h8", "g8", "i9", "i10", "i8")
FOUR_FOUR = ("h8", "g8", "f8", "e9", "e10", "e11", "e8")
OVERLINE = ("h8", "g8", "i8", "k8", "l8", "j8")


# ---------------------------------------------------------------- A, B, E, 2.E


def test_the_first_stone_goes_to_the_centre():
    refused = a_game().play("h9")
    assert why(refused) == ("Black's first stone must be on the centre (天元, h8)", CENTRE_FIRST)


def test_black_wins_with_five_and_the_row_is_told():
    position = black_plays("h8", "i9", "j10", "k11", "g7")
    assert position.end() == End("five", "black", FIVE)
    assert position.five() == ["g7", "h8", "i9", "j10", "k11"]


def test_white_wins_with_six():
    moves = ("h8", "a1", "o15", "b1", "n15", "c1", "m12", "e1", "l15", "f1", "k13", "d1")
    assert a_game(*moves).end() == End("five", "white", FIVE)


def test_an_overline_is_no_five_for_black():
    assert black_plays(*OVERLINE).end() is None


def test_a_full_board_is_a_draw():
    """E."""
    dark = [p for p in ALL if (place(p)[0] + 2 * place(p)[1]) % 4 in (0, 1) and p != CENTRE]
    light = [p for p in ALL if p not in dark and p != CENTRE]
    assert (len(dark), len(light)) == (112, 112)
    position = a_game("h8", *(name(p) for pair in zip(light, dark, strict=True) for p in pair))
    assert position.end() == End("full_board", None, DRAW)


def test_a_stone_goes_on_an_empty_point_of_the_board():
    position = a_game("h8")
    assert isinstance(position.play("h8"), IllegalMove)
    assert isinstance(position.play("p1"), IllegalMove)
    assert isinstance(position.play(""), IllegalMove)
    assert isinstance(position.play("h9 h10"), IllegalMove)


def test_a_pass_is_a_ply_and_none_is_in_the_opening():
    """000-C 2."""
    assert isinstance(a_game("h8").play("pass"), IllegalMove)
    position = black_plays("h8", "g8", "f8")
    assert position.play("pass") == LegalMove("pass")
    assert position.to_move() == "black"
    assert isinstance(black_plays("h8", "g8", "f8", pass_allowed=False).play("pass"), IllegalMove)


# ---------------------------------------------------------------- H, I: claims


@pytest.mark.parametrize("stones, kind", [(THREE_THREE, "double_three"), (FOUR_FOUR, "double_four")])
def test_a_forbidden_stone_ends_nothing_until_white_points_it_out(stones, kind):
    position = black_plays(*stones)
    assert position.end() is None
    assert [foul.kind for foul in position.claimable()] == [kind]
    end = position.claim(stones[-1])
    assert isinstance(end, End) and (end.termination, end.winner) == ("forbidden_move", "white")
    assert end.article.startswith(CLAIM)


@pytest.mark.parametrize("stones", [THREE_THREE, FOUR_FOUR])
@pytest.mark.parametrize("answer", ["o1", "pass"])
def test_a_white_move_in_answer_is_too_late(stones, answer):
    """H: 若白方…继续应子,则不能判黑方负."""
    position = black_plays(*stones)
    position.play(answer)
    assert position.claimable() == ()
    assert why(position.claim(stones[-1])) == (
        f"{stones[-1]}: White has answered it, so it cannot lose any more",
        CLAIM,
    )


def test_an_overline_is_pointed_out_any_time_before_the_end():
    """I."""
    position = black_plays(*OVERLINE)
    for move in ("o1", "o3", "o5", "o7"):
        position.play(move)
    end = position.claim("j8")
    assert isinstance(end, End) and end.winner == "white" and end.article.startswith(OVERLINE_CLAIM)


def test_where_the_regulations_make_no_exception_an_overline_lapses_too():
    """004 3.2 (6), 000-E 5."""
    position = black_plays(*OVERLINE, overline_any_time=False)
    assert len(position.claimable()) == 1
    position.play("o1")
    assert isinstance(position.claim("j8"), IllegalMove)


def test_nothing_is_pointed_out_after_the_end():
    """I: 只要是在终局前."""
    position = black_plays(*OVERLINE)
    for move in ("o1", "h7", "o3", "h6", "o5", "h5", "o7", "h4"):
        position.play(move)
    assert position.end() == End("five", "black", FIVE)
    assert position.claimable() == () and isinstance(position.claim("j8"), IllegalMove)


def test_a_stone_that_was_allowed_when_played_is_no_foul():
    position = black_plays("h8", "g8", "i9")
    refused = position.claim("i9")
    assert isinstance(refused, IllegalMove) and "does not have a stone of Black that was forbidden" in str(
        refused.reason
    )


def test_five_and_forbidden_at_once_wins():
    """G."""
    position = black_plays("h8", "g8", "f8", "e8", "i9", "i10", "i8")
    assert position.end() == End("five", "black", FIVE) and position.claimable() == ()


def test_where_the_regulations_say_so_a_forbidden_stone_loses_at_once():
    """000-E 2; 001 has the same for its own game."""
    end = black_plays(*THREE_THREE, forbidden="loses").end()
    assert end is not None and (end.termination, end.winner) == ("forbidden_move", "white")


def test_white_has_no_forbidden_stones():
    """C."""
    moves = ("h8", "d3", "o15", "c3", "n13", "e4", "m11", "e5", "o9", "e3")
    position = a_game(*moves)
    assert position.end() is None and position.claimable() == ()


# ---------------------------------------------------------------- J: the swap


def swapping(*moves: str, **rules) -> RenjuPosition:
    return a_game(*moves, opening="swap", **({"fifth_moves": 1} | rules))


def test_after_a_swap_the_seats_hold_each_others_stones():
    """2.C."""
    position = swapping("h8", "h9", "i9")
    assert position.to_move() == "white"
    assert position.play("swap") == LegalMove("swap")
    assert position.to_move() == "black", "whose stones are white now"
    assert [position.holder(colour) for colour in ("black", "white")] == ["white", "black"]
    assert position.text().endswith("w~")


def test_the_fourth_stone_declines_the_swap():
    position = swapping("h8", "h9", "i9", "h7")
    assert position.holder("black") == "black"
    assert why(position.play("swap")) == (
        "White must swap after Black's second stone and before White's first stone",
        SWAP,
    )


@pytest.mark.parametrize("moves", [(), ("h8",), ("h8", "h9"), ("h8", "h9", "i9", "swap")])
def test_there_is_one_moment_for_the_swap(moves):
    assert isinstance(swapping(*moves).play("swap"), IllegalMove)


def test_without_the_swap_in_the_regulations_nobody_swaps():
    assert isinstance(a_game("h8", "h9", "i9").play("swap"), IllegalMove)


def test_after_a_swap_five_black_stones_win_for_the_seat_that_holds_them():
    moves = ("h8", "a1", "i9", "swap", "c1", "j10", "e1", "k11", "g1", "g7")
    assert swapping(*moves).end() == End("five", "white", FIVE)


def test_after_a_swap_the_seat_with_the_white_stones_points_out():
    moves = ("h8", "a1", "g8", "swap", "c1", "i9", "e1", "i10", "g1", "i8")
    end = swapping(*moves).claim("i8")
    assert isinstance(end, End) and end.winner == "black"


# ---------------------------------------------------------------- J: two fifth stones


def offering(*moves: str, **rules) -> RenjuPosition:
    return a_game("h8", "h9", "i9", "h7", *moves, opening="swap", **({"fifth_moves": 2} | rules))


def test_black_offers_two_fifth_stones_and_white_keeps_one():
    """2.D; 000-C 2: the offered stones are one ply."""
    position = offering()
    assert position.to_move() == "black"
    assert position.play("G6 j10") == LegalMove("g6 j10")
    assert position.to_move() == "white"
    assert position.play("j10") == LegalMove("j10")
    assert position.to_move() == "white", "the sixth stone is his too"
    assert isinstance(position.play("g6"), LegalMove), "the other one was taken off"


@pytest.mark.parametrize("offer", ["g6", "g6 g6", "g6 j10 k11"])
def test_as_many_different_points_are_offered_as_the_regulations_say(offer):
    assert why(offering().play(offer)) == ("exactly 2 different points must be offered for the fifth stone", FIFTH)


def test_white_keeps_one_that_was_offered():
    assert why(offering("g6 j10").play("k11")) == ("g6 and j10 are offered", FIFTH)


def test_more_fifth_stones_where_the_regulations_say_so():
    assert offering(fifth_moves=3).play("g6 j10 k11") == LegalMove("g6 j10 k11")


def test_symmetric_points_count_as_one_only_where_the_regulations_say_so():
    """The text excludes none; the RIF does."""
    column = ("h8", "h9", "h10", "h7")  # its mirror is the column itself
    free = a_game(*column, opening="swap", fifth_moves=2)
    strict = a_game(*column, opening="swap", fifth_moves=2, symmetric_fifths=False)
    assert free.play("g9 i9") == LegalMove("g9 i9")
    refused = strict.play("g9 i9")
    assert isinstance(refused, IllegalMove) and "same point of a symmetric position" in str(refused.reason)
    assert isinstance(strict.play("g9 i10"), LegalMove)


# ---------------------------------------------------------------- 004: the 26 openings, agreed and professional


def test_there_are_thirteen_direct_and_thirteen_indirect_openings():
    kinds = [opening.kind for opening in openings()]
    assert (kinds.count("direct"), kinds.count("indirect")) == (13, 13)
    assert len({opening.name for opening in openings()}) == 26


@pytest.mark.parametrize(
    "written, second, third, relation",
    [
        ("花月", "h9", "i9", "连"),
        ("浦月", "i9", "i7", "连"),
        ("寒星", "h9", "h10", "间"),
        ("溪月", "h9", "i10", "桂"),
        ("瑞星", "h9", "h6", "间"),
        ("明星", "i9", "h6", "间"),
        ("名月", "i9", "g6", "桂"),
        ("彗星", "i9", "f6", "间"),
        ("游星", "h9", "j6", "间"),
    ],
)
def test_an_opening_is_known_by_its_third_stone(written, second, third, relation):
    found = opening_of(point(second), point(third))
    assert found is not None and (found.name, found.relation) == (written, relation)


def test_moons_are_adjacent_or_a_knights_move_apart_and_stars_leave_a_gap():
    for opening in openings():
        assert (opening.relation == "间") == opening.name.endswith("星"), opening


@given(st.sampled_from(openings()), st.sampled_from(SYMMETRIES))
def test_an_opening_keeps_its_name_whichever_way_the_board_is_turned(opening, symmetry):
    second = (0, 1) if opening.kind == "direct" else (1, 1)
    found = opening_of(seen(turn(symmetry, second)), seen(turn(symmetry, opening.third)))
    assert found == opening


def test_stones_elsewhere_make_no_opening():
    assert opening_of(point("h10"), point("h9")) is None
    assert opening_of(point("h9"), point("k9")) is None


def test_the_two_openings_that_professionals_do_not_play():
    assert [opening.name for opening in openings() if opening.barred] == ["游星", "彗星"]
    assert opening_by_name("慧星") == opening_by_name("彗星")
    professional = {**STONES_ALONE, "professional": True}
    refused = a_game("h8", "h9", **professional).play("j6")
    assert isinstance(refused, IllegalMove) and "游星 is not allowed" in str(refused.reason)
    assert isinstance(a_game("h8", "h9", **professional).play("i9"), LegalMove)
    assert isinstance(a_game("h8", **professional).play("h10"), IllegalMove)
    assert isinstance(a_game("h8", "h9", **professional).play("l9"), IllegalMove)
    assert isinstance(a_game("h8", "h9").play("j6"), LegalMove)


def agreed(*moves: str, **rules) -> RenjuPosition:
    return a_game(*moves, opening="agreed", **({"fifth_moves": 1} | rules))


def test_an_agreed_opening_is_named_first_and_then_played():
    """004 3.2 (1): 指定打法."""
    assert isinstance(agreed().play("h8"), IllegalMove)
    position = agreed("opening 浦月", "h8")
    assert isinstance(position.play("h9"), IllegalMove), "浦月 is an indirect opening"
    assert position.play("g9") == LegalMove("g9")
    assert why(position.play("h9")) == ("these stones make 云月, not 浦月", AGREED)
    assert position.play("g7") == LegalMove("g7")
    opening = position.opening()
    assert opening is not None and opening.name == "浦月"


def test_an_agreed_opening_is_one_of_the_named():
    assert why(agreed().play("opening 花星")) == ("unknown opening 花星", AGREED)
    assert isinstance(agreed(professional=True).play("opening 彗星"), IllegalMove)
    assert isinstance(a_game().play("opening 花月"), IllegalMove)


def test_an_agreed_opening_has_no_swap():
    assert isinstance(agreed("opening 浦月", "h8", "g9", "g7").play("swap"), IllegalMove)


def test_a_fork_goes_its_own_way():
    position = black_plays(*THREE_THREE)
    fork = position.fork()
    fork.play("o1")
    assert position.claimable() and not fork.claimable()
    assert position.text() != fork.text()


def point(written: str) -> Point:
    found = point_of(written)
    assert found is not None
    return found


def seen(vector: tuple[int, int]) -> Point:
    """The point that lies so from the centre."""
    column, row = place(CENTRE)
    return next(p for p in ALL if place(p) == (column + vector[0], row + vector[1]))
