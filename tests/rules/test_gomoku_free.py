"""Free gomoku 五子棋 (无禁手): the opening, five or more, the count of fours, confirmation (000-B, 000-D; M rows)."""

import random
from dataclasses import replace

import pytest
from renju import RenjuBoard, Rule
from renju.board import BoardStatus

from services.games.rules.boards.fifteen import ALL, CENTRE, name, place
from services.games.rules.boards.first_hand import guess
from services.games.rules.boards.gomoku.position import (
    FIVE,
    FULL,
    OPENING,
    TIME,
    GomokuPosition,
)
from services.games.rules.boards.port.position import End, IllegalMove, LegalMove, LegalStep, Seats
from services.games.rules.boards.registry import default_rules
from services.games.rules.play.claims.resignation import resignation_stands
from shared.core.terms import Seconds
from tests.builders import why

FREE = {"centre_start": False, "own_half": False}


def a_game(*moves: str, **rules) -> GomokuPosition:
    position = GomokuPosition(replace(default_rules("gomoku"), **rules))
    for move in moves:
        assert isinstance(position.play(move), LegalMove), move
    return position


def test_the_first_stone_goes_to_the_centre():
    """000-B 2: 第一颗子必须落在天元上."""
    refused = a_game().play("h9")
    assert why(refused) == ("Black's first stone must be on the centre (h8)", OPENING)
    assert a_game(centre_start=False).play("h9") == LegalMove("h9")


@pytest.mark.parametrize("stone, allowed", [("h9", True), ("a15", True), ("h7", False), ("a1", False), ("i8", False)])
def test_whites_first_stone_stays_on_his_own_half(stone, allowed):
    """000-B 2: 白棋第一手应在天元为界自己一侧布子."""
    assert isinstance(a_game("h8").play(stone), LegalMove) == allowed
    assert isinstance(a_game("h8", own_half=False).play(stone), LegalMove)


def test_from_the_third_stone_on_any_empty_point_will_do():
    assert isinstance(a_game("h8", "h9").play("a1"), LegalMove)
    assert isinstance(a_game("h8", "h9").play("h9"), IllegalMove)
    assert isinstance(a_game("h8", "h9").play("z9"), IllegalMove)


@pytest.mark.parametrize(
    "row",
    [
        ("h8", "i8", "j8", "k8", "l8"),
        ("h8", "h7", "h6", "h5", "h4"),
        ("h8", "i9", "j10", "k11", "l12"),
        ("h8", "i7", "j6", "k5", "l4"),
    ],
)
def test_five_in_any_direction_win(row):
    """000-B 5: 横向、竖向、斜向."""
    others = ("a15", "c15", "e15", "g15")
    position = a_game(*(m for pair in zip(row[:4], others, strict=True) for m in pair), row[4])
    assert position.end() == End("five", "black", FIVE)
    assert sorted(position.five()) == sorted(row)


SIX = ("h8", "a15", "i8", "c15", "j8", "e15", "l8", "g15", "m8", "i15", "k8")


def test_six_win_as_five_do():
    """000-D ㈡(1)."""
    assert a_game(*SIX).end() == End("five", "black", FIVE)


def test_where_five_alone_wins_six_do_not():
    """000-B 5: 五个棋子."""
    assert a_game(*SIX, overline_wins=False).end() is None


def test_nothing_is_forbidden():
    """000-B 1: three-three and four-four are moves like others."""
    three_three = ("h8", "a15", "g8", "c15", "i9", "e15", "i10", "g15", "i8")
    assert a_game(*three_three).end() is None


def test_a_full_board_is_a_draw():
    """000-D ㈡(2)."""
    dark = [p for p in ALL if (place(p)[0] + 2 * place(p)[1]) % 4 in (0, 1) and p != CENTRE]
    light = [p for p in ALL if p not in dark and p != CENTRE]
    light.sort(key=lambda p: -place(p)[1])
    position = a_game("h8", *(name(p) for pair in zip(light, dark, strict=True) for p in pair))
    assert position.end() == End("full_board", None, FULL)


def test_when_the_time_is_up_more_fours_win_and_as_many_draw():
    """000-B 8: 以双方棋子4连子的个数来判定胜负."""
    four_to_none = a_game("h8", "a15", "i8", "c15", "j8", "e15", "k8", "g15")
    assert four_to_none.fours("black") == 1 and four_to_none.fours("white") == 0
    assert four_to_none.at_time() == End("fours", "black", TIME)
    assert a_game("h8", "a15").at_time() == End("fours", None, TIME)


def test_four_with_a_gap_are_no_four_and_each_direction_counts_once():
    position = a_game("h8", "a15", "i8", "c15", "j8", "e15", "l8", "g15")
    assert position.fours("black") == 0
    assert a_game(*SIX, overline_wins=False).fours("black") == 0


@pytest.mark.parametrize(
    ("rule", "side", "values", "black"),
    [
        ("white_grabs", "black", ("odd", "7"), "black"),
        ("white_grabs", "black", ("even", "7"), "white"),
        ("white_grabs", "black", ("even", "8"), "black"),
        ("white_grabs", "black", ("odd", "8"), "white"),
        ("either_grabs", "white", ("odd", "7"), "white"),
        ("either_grabs", "white", ("even", "7"), "black"),
        ("either_grabs", "black", ("odd", "7"), "black"),
        ("both_grab", "white", ("7", "4"), "white"),
        ("both_grab", "black", ("4", "7"), "white"),
        ("both_grab", "black", ("7", "7"), "black"),
        ("both_grab", "black", ("3", "9"), "black"),
    ],
)
def test_a_guess_gives_black_to_a_seat(rule, side, values, black):
    """000-B 3; 000-E 五子棋, 1: 猜对的一方执黑子; 004 3.2: 大数减小数,单数双方交换,偶数不换."""
    step, seats = guess(rule, Seats(), side, values)
    assert (step, seats.holder("black")) == (LegalStep(values), black)


@pytest.mark.parametrize(
    ("rule", "side", "values", "why", "article"),
    [
        ("as_paired", "black", ("odd", "7"), "the pairing assigns them", "house"),
        ("white_grabs", "white", ("odd", "7"), "only black may do this", "000-B 3"),
        ("white_grabs", "black", ("odd", "0"), "at least 1", "000-B 3"),
        ("either_grabs", "black", ("7",), "odd or even", "000-E 五子棋, 1"),
        ("both_grab", "black", ("odd", "7"), "Black's stones and that of White's", "004 3.2"),
        ("both_grab", "black", ("7", "226"), "each at least 1", "004 3.2"),
    ],
)
def test_another_guess_is_refused_with_what_would_be_taken(rule, side, values, why, article):
    refused = guess(rule, Seats(), side, values)
    assert isinstance(refused, IllegalMove) and why in str(refused.reason) and refused.article.startswith(article)


@pytest.mark.parametrize("waited, stands", [(0, True), (10, True), (11, False), (None, False)])
def test_a_resignation_is_confirmed_within_ten_seconds_or_void(waited, stands):
    """000-D ㈢(1)."""
    seconds = None if waited is None else Seconds(waited)
    assert resignation_stands(seconds, default_rules("gomoku").resignation_confirmed) == stands
    assert resignation_stands(seconds, Seconds(0))


def test_a_fork_goes_its_own_way():
    position = a_game("h8", "h9")
    fork = position.fork()
    fork.play("a1")
    assert position.play("a1") == LegalMove("a1") and position.text() == fork.text()


@pytest.mark.parametrize("overline_wins, rule", [(True, Rule.FREESTYLE), (False, Rule.STANDARD)])
def test_ten_thousand_positions_each_end_as_in_another_program(overline_wins, rule):
    rng, positions = random.Random(5), 0
    ends = {BoardStatus.ONGOING: None, BoardStatus.BLACK_WIN: "black", BoardStatus.WHITE_WIN: "white"}
    while positions < 10_000:
        ours, theirs = a_game(**FREE, overline_wins=overline_wins), RenjuBoard(rule=rule)
        corner = rng.randrange(5, 8)
        order = [p for p in ALL if all(corner <= n < corner + 8 for n in place(p))]
        rng.shuffle(order)
        for point in order:
            ours.play(name(point))
            status, _ = theirs.play_move(*place(point))
            end = ours.end()
            assert ends[status] == (None if end is None else end.winner)
            positions += 1
            if end is not None:
                break
