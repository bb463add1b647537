"""Prediction gomoku 预判: predictions, colours, limits, verdicts and the game around them (001; V rows)."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.rules.boards.port.position import End, IllegalMove, LegalMove
from services.games.rules.boards.prediction.position import OPENING, PredictionPosition
from services.games.rules.boards.prediction.verdict import (
    LIMIT,
    PREDICTING,
    Finish,
    Five,
    Limit,
    Settlement,
    Verdict,
    judge,
    read_prediction,
    resignation_verdict,
    settle,
    write_prediction,
)
from services.games.rules.boards.registry import default_rules
from shared.core.language.messages import Message
from shared.core.terms import Ply
from tests.builders import why


def settled(first: str, second: str) -> Settlement:
    said = read_prediction(first), read_prediction(second)
    assert said[0] is not None and said[1] is not None
    return settle(said[0], said[1])


def verdict(first: str, second: str, how, ply: int, **rules) -> Verdict | str:
    return judge(settled(first, second), Finish(how, Ply(ply)), replace(default_rules("prediction"), **rules))


# ---------------------------------------------------------------- 第三条 3: predictions, colours, limits


@pytest.mark.parametrize(
    "said, meant",
    [
        ("白子42手", Five("white", Ply(42))),
        ("黑棋43手", Five("black", Ply(43))),
        ("白子42手(形成五连)", Five("white", Ply(42))),
        ("白子42手(形成五连)", Five("white", Ply(42))),
        ("和", "draw"),
        ("白子0手", None),
        ("42手", None),
        ("红子42手", None),
        ("", None),
    ],
)
def test_a_prediction_is_a_colour_and_a_count_or_a_draw(said, meant):
    assert read_prediction(said) == meant


@pytest.mark.parametrize(
    "first, second, colour, limit, must_win",
    [
        ("白子42手", "白子46手", "white", Limit("white", Fraction(44)), None),  # 例1
        ("白子46手", "白子42手", "black", Limit("white", Fraction(44)), None),
        ("白子42手", "黑子43手", "white", None, None),  # 例2
        ("黑子43手", "白子42手", "black", None, None),
        ("和", "黑子43手", "white", None, "black"),  # 例3
        ("黑子43手", "和", "black", None, "black"),
        ("白子42手", "和", "white", None, "white"),
        ("白子42手", "白子42手", "black", Limit("white", Fraction(42)), None),  # 例4: the first player has black
        ("和", "和", "black", None, None),
        ("白子42手", "白子44手", "white", Limit("white", Fraction(43)), None),
        ("黑子41手", "黑子44手", "black", Limit("black", Fraction(85, 2)), None),
    ],
)
def test_two_predictions_settle_colours_and_limit(first, second, colour, limit, must_win):
    assert settled(first, second) == Settlement(colour, limit, must_win)


@given(st.sampled_from(["黑子", "白子"]), st.integers(1, 225), st.sampled_from(["黑子", "白子"]), st.integers(1, 225))
def test_whoever_is_asked_first_each_has_the_colour_that_he_thinks_better(one, n, two, m):
    """3(1), for predictions that differ."""
    first, second = f"{one}{n}手", f"{two}{m}手"
    if first != second:
        straight, crossed = settled(first, second), settled(second, first)
        assert {straight.first, crossed.first} == {"black", "white"}
        assert straight.limit == crossed.limit
        assert (straight.limit is None) == (one != two)


@given(st.sampled_from(["black", "white"]), st.integers(1, 999))
def test_a_prediction_is_read_as_it_is_written(colour, plies):
    said = Five(colour, Ply(plies))
    assert read_prediction(write_prediction(said)) == said


# ---------------------------------------------------------------- 第三条 5: verdicts

WHITE_44 = ("白子42手", "白子46手")
WHITE_42 = ("白子42手", "白子42手")
OPEN = ("白子42手", "黑子43手")
BLACK_MUST = ("和", "黑子43手")
WHITE_MUST = ("白子42手", "和")


@pytest.mark.parametrize(
    "predictions, how, ply, winner, string",
    [
        (WHITE_44, "white", 42, "white", "白42手/白44手胜"),  # 例1
        (WHITE_44, "white", 44, None, "白44手/白44手和"),
        (WHITE_44, "black", 41, "black", "黑41手/白44手胜"),
        (WHITE_44, "draw", 30, "black", "黑30手/白44手胜"),
        (WHITE_42, "white", 40, "white", "白40手/白42手胜"),  # 例5
        (WHITE_42, "white", 42, None, "白42手/白42手和"),
        (WHITE_42, "black", 41, "black", "黑41手/白42手胜"),
        (WHITE_42, "stopped", 42, "black", "黑42手/白42手胜"),
        (OPEN, "white", 40, "white", "白40手/无限制胜"),  # 例6
        (OPEN, "draw", 205, None, "205手/无限制和"),
        (BLACK_MUST, "white", 40, "white", "白40手/黑无限制胜"),  # 例7
        (BLACK_MUST, "draw", 205, "white", "白205手/黑无限制胜"),
        (BLACK_MUST, "black", 43, "black", "黑43手/黑无限制胜"),
        (WHITE_MUST, "draw", 205, "black", "黑205手/白无限制胜"),
    ],
)
def test_the_verdict_is_told_as_in_the_examples(predictions, how, ply, winner, string):
    assert verdict(*predictions, how, ply) == Verdict(winner, string)


def test_by_the_articles_words_five_at_the_limit_wins():
    """3(2) says 小于等于, the examples say a draw: the regulations choose."""
    assert verdict(*WHITE_42, "white", 42, at_limit="win") == Verdict("white", "白42手/白42手胜")


def test_a_mean_between_two_plies_is_met_by_neither():
    odd = ("黑子41手", "黑子44手")
    assert verdict(*odd, "black", 42) == Verdict("black", "黑42手/黑42.5手胜")
    assert verdict(*odd, "stopped", 42) == Verdict("white", "白42手/黑42.5手胜")


@pytest.mark.parametrize(
    "predictions, how, ply",
    [(WHITE_44, "white", 46), (WHITE_44, "stopped", 40), (OPEN, "stopped", 40), (BLACK_MUST, "stopped", 40)],
)
def test_a_game_that_cannot_have_ended_so_has_no_verdict(predictions, how, ply):
    assert isinstance(verdict(*predictions, how, ply), Message)


def test_a_resignation_is_told_as_a_win_in_mid_game():
    assert resignation_verdict("white") == Verdict("white", "白中盘胜")


# ---------------------------------------------------------------- the game


def a_game(*moves: str, **rules) -> PredictionPosition:
    position = PredictionPosition(replace(default_rules("prediction"), **rules))
    for move in moves:
        assert isinstance(position.play(move), LegalMove), move
    return position


FOUR = ("h8", "a1", "h9", "a3")


def test_the_first_player_places_black_1_and_white_4_and_the_second_the_others():
    """第三条 2."""
    seats = [a_game(*FOUR[:n]).to_move() for n in range(4)]
    assert seats == ["black", "white", "white", "black"]


def test_the_opening_is_free_and_has_no_pass():
    assert isinstance(a_game().play("a1"), LegalMove)
    assert why(a_game("h8").play("pass")) == ("passing is not allowed in the opening", OPENING)


def test_both_predictions_are_shown_together_after_the_fourth_stone():
    position = a_game(*FOUR)
    assert why(position.play("白子42手")) == (
        "give both predictions together, such as 白子42手 黑子43手, or 和",
        PREDICTING,
    )
    assert isinstance(position.play("h7"), IllegalMove)
    assert position.play("白子42手(形成五连) 黑棋43手") == LegalMove("白子42手 黑子43手")


def test_from_the_fifth_stone_black_begins_and_the_colours_are_the_settled_ones():
    """第三条 4."""
    first_is_white = a_game(*FOUR, "白子42手 黑子43手")
    assert first_is_white.to_move() == "white", "the second player's seat has the black stones"
    first_is_black = a_game(*FOUR, "黑子43手 白子42手")
    assert first_is_black.to_move() == "black"


def test_a_draw_may_not_be_predicted_where_the_game_must_be_decisive():
    """3(2): 必须分胜负的棋局不能预判为和棋."""
    refused = a_game(*FOUR, draw_predictable=False).play("和 黑子43手")
    assert why(refused) == ("和 must not be predicted, because this game must be decisive", LIMIT)
    assert isinstance(a_game(*FOUR).play("和 黑子43手"), LegalMove)


def test_passes_count_as_plies():
    """第二条 3."""
    position = a_game(*FOUR, "白子6手 白子6手", "pass", "pass")
    end = position.end()
    assert end is not None and (end.termination, end.winner) == ("limit", "black")
    assert position.verdict() == Verdict("black", "黑6手/白6手胜")


def test_five_by_the_limit_wins_for_the_seat_that_has_the_colour():
    stones = ("i8", "o1", "j8", "o3", "k8", "o5", "l8")
    position = a_game("h8", "a1", "h9", "a3", "黑子20手 黑子30手", *stones)
    assert position.end().winner == "black"
    assert position.five() == ["h8", "i8", "j8", "k8", "l8"]
    assert position.verdict() == Verdict("black", "黑11手/黑25手胜")
    assert isinstance(position.play("o7"), IllegalMove)


THREE_THREE = ("h8", "a1", "g8", "a3", "白子42手 黑子43手")


def test_blacks_forbidden_stone_loses_at_once():
    """第三条 4: 双方都有禁手,落子成禁立即判负."""
    position = a_game(*THREE_THREE, "i9", "c1", "i10", "e1", "i8")
    end = position.end()
    assert end is not None and (end.termination, end.winner) == ("forbidden_move", "black")
    assert position.verdict() is None


def test_whites_forbidden_stone_loses_at_once_too():
    moves = ("a1", "h8", "a3", "g8", "黑子43手 白子42手", "c1", "i9", "e1", "i10", "g1", "i8")
    end = a_game(*moves).end()
    assert end is not None and (end.termination, end.winner) == ("forbidden_move", "black")
    assert a_game(*moves, both_forbidden=False).end() is None


def test_six_are_no_five_for_either_side():
    moves = ("a1", "h8", "a3", "g8", "黑子43手 白子42手", "c1", "i8", "e1", "k8", "g1", "l8", "i1", "j8")
    six = a_game(*moves)
    assert six.end().termination == "forbidden_move" and six.five() is None
    assert a_game(*moves, both_forbidden=False).end().termination == "five"


def test_a_fork_goes_its_own_way():
    position = a_game(*FOUR, "白子42手 黑子43手")
    fork = position.fork()
    fork.play("h7")
    assert position.text() != fork.text() and isinstance(position.play("h7"), LegalMove)


def test_the_end_is_a_seats():
    end = a_game(*FOUR, "白子6手 白子6手", "h7", "h6").end()
    assert isinstance(end, End) and end.winner == "black"
