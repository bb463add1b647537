"""Go: captures, ko, forbidden points, superko, counting, and how a game ends (000-A 围棋; G rows)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.rules.boards.go.area import Area, count, winner
from services.games.rules.boards.go.board import LARGEST, Board, Point, point_of, vertex
from services.games.rules.boards.go.position import (
    KO,
    KOMI,
    NO_RESUMPTION,
    PLACING,
    SEKI,
    SUICIDE,
    SUPERKO,
    GoPosition,
)
from services.games.rules.boards.port.position import End, IllegalMove, LegalMove
from services.games.rules.boards.registry import default_rules
from tests.builders import why


def a_game(*moves: str, size: int = 9, **rules) -> GoPosition:
    position = GoPosition(replace(default_rules("go"), size=size, **rules))
    for move in moves:
        assert isinstance(position.play(move), LegalMove), move
    return position


KO_SHAPE = ("C4", "F4", "D3", "E3", "D5", "E5", "E4", "D4")
"""White's D4 has just taken E4 in a ko."""


# ---------------------------------------------------------------- legality


def test_a_stone_without_liberties_is_taken():
    position = a_game("A1", "B1", "J9", "A2")
    assert position.text().endswith("/O......../.O....... b")


def test_black_has_the_first_move_and_sides_alternate():
    assert a_game().to_move() == "black"
    assert a_game("E5").to_move() == "white"
    assert a_game("E5", "PASS").to_move() == "black"


def test_an_occupied_point_is_refused():
    assert why(a_game("E5").play("E5")) == ("there is a stone on E5", PLACING)


def test_a_ko_is_not_taken_back_at_once():
    """行棋 4."""
    assert why(a_game(*KO_SHAPE).play("E4")) == ("E4 takes back a ko at once; a move elsewhere must come first", KO)


def test_a_ko_is_taken_back_after_a_threat_was_answered():
    assert isinstance(a_game(*KO_SHAPE, "A9", "B9").play("E4"), LegalMove)


def test_taking_two_stones_back_is_no_ko():
    """A throw-in: the stone that took one stands in a group, which is taken whole."""
    position = a_game("A3", "A4", "B1", "B2", "J9", "B3", "J8", "A1", "A2")
    assert isinstance(position.play("A1"), LegalMove)
    assert position.text().endswith("/O......../.O......./.O......./OX....... b")


def test_a_pass_and_an_answer_elsewhere_lift_the_ko():
    position = a_game(*KO_SHAPE, "PASS", "A9")
    assert isinstance(position.play("E4"), LegalMove)


def test_a_stone_on_a_forbidden_point_is_refused():
    """行棋 5: 禁着点."""
    position = a_game("A2", "J9", "B1", "J8", "E5")
    assert why(position.play("A1")) == ("A1 is a forbidden point: the stone would have no liberty", SUICIDE)


def test_filling_the_last_liberty_is_allowed_where_it_takes():
    position = a_game("A2", "A3", "B1", "B2", "E5", "C1", "J9")
    assert isinstance(position.play("A1"), LegalMove)
    assert position.text().split("/")[-1].startswith("O.O")


def test_a_void_ko_capture_costs_the_turn_and_a_warning():
    """行棋 4: 判提劫之手无效,弃权一次并警告一次."""
    assert a_game(*KO_SHAPE).lost_turn("E4") == KO


def test_a_void_stone_on_a_forbidden_point_costs_the_turn_without_a_warning():
    """行棋 5: 判着手无效,弃权一次."""
    assert a_game("A2", "J9", "B1", "J8", "E5").lost_turn("A1") == SUICIDE


@pytest.mark.parametrize("move", ["E5", "D4", "nonsense", "A1"])
def test_no_other_move_costs_a_turn(move):
    assert a_game("E5").lost_turn(move) is None


def test_a_void_move_costs_nothing_where_the_regulations_say_so():
    assert a_game(*KO_SHAPE, loses_turn=False).lost_turn("E4") is None


def test_positional_superko_holds_only_where_the_regulations_say_so():
    """No text has one. White has taken two stones; taking one back brings the position after move 4 again."""
    sending_two = ("B3", "B1", "A2", "B2", "A1", "A3")
    by_simple_ko = a_game(*sending_two, size=3, positional_superko=False)
    by_superko = a_game(*sending_two, size=3, positional_superko=True)
    assert by_simple_ko.play("A2") == LegalMove("A2")
    assert why(by_superko.play("A2")) == ("a stone on A2 repeats an earlier position", SUPERKO)


# ---------------------------------------------------------------- the end


def the_end(*moves: str, **rules) -> GoPosition:
    return a_game(*moves, "PASS", "PASS", **rules)


def test_after_both_passed_no_move_resumes_the_game():
    """终局 (2)."""
    refused = the_end("E5", "C3").play("D4")
    assert why(refused) == ("both sides have confirmed the end, so a move cannot resume the game", NO_RESUMPTION)
    assert the_end("E5", "C3").play("PASS") == refused


def test_one_pass_is_no_end():
    position = a_game("E5", "PASS", "D4", "PASS")
    assert isinstance(position.play("C3"), LegalMove)


def test_dead_stones_are_called_only_after_the_passes():
    assert why(a_game("E5").play("dead")) == (
        "dead stones can be listed only after both sides have passed or confirmed the end",
        SEKI,
    )


def test_what_both_call_dead_is_taken_off():
    position = the_end("E5", "A1")
    assert position.play("dead A1") == LegalMove("dead A1")
    assert position.end() is None
    assert position.play("dead a1") == LegalMove("dead A1")
    assert position.end() == End("counted", "black", KOMI)


def test_a_stone_names_its_group():
    position = the_end("E5", "A1", "PASS", "A2")
    assert position.play("dead A1") == LegalMove("dead A1 A2")


def test_what_only_one_side_calls_dead_is_disputed_and_shared_as_seki():
    """终局 (1): 尚有可争之点,其归属按双活处理."""
    agreed, disputed = the_end("E5", "A1"), the_end("E5", "A1")
    for said in ("dead A1", "dead A1"):
        agreed.play(said)
    for said in ("dead A1", "dead"):
        disputed.play(said)
    assert agreed.end() == End("counted", "black", KOMI)
    assert disputed.end() == End("counted", "white", KOMI), "1 and 1, the rest shared: the komi decides"


def test_nothing_follows_the_second_list():
    position = the_end("E5", "A1")
    position.play("dead")
    position.play("dead")
    assert isinstance(position.play("dead"), IllegalMove)


def test_there_must_be_a_stone_to_be_dead():
    assert why(the_end("E5").play("dead C3")) == ("C3 is empty", SEKI)


# ---------------------------------------------------------------- counting


def test_black_needs_more_than_184_and_a_quarter_on_19_lines():
    """贴子: 黑贴子3又3/4子."""
    komi = default_rules("go").komi_quarter_zi
    assert Area(184, 177, 0).margin_quarters(komi) == -1
    assert Area(185, 176, 0).margin_quarters(komi) == 3
    assert Area(184, 176, 1).margin_quarters(komi) == 1
    assert [winner(m) for m in (-1, 3, 0)] == ["white", "black", None]


def walls(size: int = 5) -> Board:
    """Black on column B, White on column D: A is black, E is white, C is shared."""
    board = Board(size)
    for row in range(1, size + 1):
        board.play("black", at(f"B{row}", size))
        board.play("white", at(f"D{row}", size))
    return board


def at(name: str, size: int) -> Point:
    point = point_of(name, size)
    assert point is not None
    return point


def test_area_is_stones_and_what_they_alone_surround():
    assert count(walls(), frozenset()) == Area(10, 10, 5)


def test_a_dead_stone_becomes_area():
    board = walls()
    board.play("white", at("A3", 5))
    assert count(board, frozenset()) == Area(5, 11, 9)
    assert count(board, frozenset({at("A3", 5)})) == Area(10, 10, 5)


def test_a_disputed_point_shares_its_region():
    assert count(walls(), frozenset(), disputed=frozenset({at("A1", 5)})) == Area(5, 10, 10)


def test_a_disputed_stone_stays_on():
    board = walls()
    board.play("white", at("A3", 5))
    a3 = frozenset({at("A3", 5)})
    assert count(board, a3, disputed=a3) == count(board, frozenset())


# ---------------------------------------------------------------- colours and vertices


def test_wrong_colours_are_put_right_up_to_move_ten():
    """行棋 1: 第10手之前(含)."""
    moves = ("A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "B9")
    assert a_game(*moves).colours_correctable()
    assert not a_game(*moves, "C9").colours_correctable()


@pytest.mark.parametrize("name, size", [("I5", 9), ("K1", 9), ("A10", 9), ("A0", 19), ("U1", 19), ("", 9), ("5E", 9)])
def test_what_names_no_vertex_is_refused(name, size):
    assert point_of(name, size) is None
    assert isinstance(a_game(size=size).play(name), IllegalMove)


@given(st.integers(2, LARGEST).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n * n - 1))))
def test_every_point_has_one_vertex(sized):
    size, point = sized
    assert point_of(vertex(Point(point), size).lower(), size) == point


@pytest.mark.parametrize("size", [9, 13, 19])
def test_a_board_has_as_many_lines_as_the_regulations_say(size):
    corner = {9: "J9", 13: "N13", 19: "T19"}[size]
    assert a_game(size=size).play(corner) == LegalMove(corner)


def test_a_fork_goes_its_own_way():
    position = a_game(*KO_SHAPE)
    fork = position.fork()
    fork.play("A9")
    assert position.to_move() == "black" and isinstance(position.play("E4"), IllegalMove)
