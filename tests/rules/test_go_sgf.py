"""Games of stones as SGF: written, read again, and refused where no score sheet could hold them."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf as other_program

from services.games.files import sgf
from services.games.files.sgf import FIVES, SgfMove, UnreadableSgf
from services.games.rules.boards.fifteen import ALL, name
from services.games.rules.boards.go.position import GoPosition
from services.games.rules.boards.port.position import LegalMove
from services.games.rules.boards.registry import default_rules
from shared.core.terms import Seconds

NINE = sgf.go(replace(default_rules("go"), size=9))
MOVES = (SgfMove("D4", Seconds(3_590)), SgfMove("J9", Seconds(3_600)), SgfMove("PASS"), SgfMove("A1"))


def test_a_game_is_read_as_it_was_written():
    assert sgf.read(sgf.write(MOVES, NINE, {"PB": "李 伟", "PW": 'O]"\\'}, {}), NINE) == MOVES


def test_headers_komi_and_result_stand_in_the_root():
    """3 3/4 子 are 7.5 points of SGF's komi."""
    content = sgf.write(MOVES, NINE, {"PB": "李伟", "PW": "A]B\\", "RE": sgf.result("white")}, {})
    root = other_program.Sgf_game.from_bytes(content).get_root()
    assert [root.get(p) for p in ("PB", "PW", "KM", "RU", "SZ", "RE")] == ["李伟", "A]B\\", 7.5, "Chinese", 9, "W+"]
    assert (sgf.result("black"), sgf.result(None)) == ("B+", "0")


def test_what_is_no_move_is_a_comment_where_it_was_said():
    content = sgf.write(MOVES, NINE, {}, {0: ["white: swap"], 4: ["black: dead A1", "white: dead]"]})
    nodes = other_program.Sgf_game.from_bytes(content).get_main_sequence()
    assert [node.get("C") for node in (nodes[0], nodes[4])] == ["white: swap", "black: dead A1\nwhite: dead]"]
    assert sgf.read(content, NINE) == MOVES


@given(st.integers(0, 50), st.sampled_from([9, 13, 19]))
def test_a_random_game_goes_out_and_comes_back(seed, size):
    rng, position, moves = random.Random(seed), GoPosition(replace(default_rules("go"), size=size)), []
    for _ in range(40):
        move = f"{rng.choice('ABCDEFGHJ')}{rng.randrange(1, 10)}"
        if isinstance(position.play(move), LegalMove):
            moves.append(SgfMove(move))
    game = sgf.go(replace(default_rules("go"), size=size))
    assert sgf.read(sgf.write(moves, game, {}, {}), game) == tuple(moves)


@given(st.lists(st.sampled_from([*map(name, ALL), "pass"]), max_size=30))
def test_stones_of_five_in_a_row_go_out_and_come_back(said):
    moves = tuple(SgfMove(one) for one in said)
    assert sgf.read(sgf.write(moves, FIVES, {}, {}), FIVES) == moves


@pytest.mark.parametrize(
    "content, why",
    [
        (b"", "not SGF"),
        (b"\xff\xfe", "not SGF"),
        (b"(;SZ[99])", "not SGF"),
        (b"(;SZ[9];B[zz])", "not SGF"),
        (b"(;SZ[9]GM[31];B[aa])", "this is another game: GM is 31, not 1"),
        (b"(;SZ[13];B[aa])", "the board has 13 lines, not 9"),
        (b"(;SZ[9];W[aa])", "move 1: w moves out of turn"),
        (b"(;SZ[9];B[aa];B[bb])", "move 2: b moves out of turn"),
        (b"(;SZ[9]HA[2]AB[aa][bb];W[cc])", "after move 0: AB sets up stones"),
        (b"(;SZ[9];B[aa]BL[x])", "not SGF"),
        (b"(;SZ[9]" * 5_000, "not SGF"),
    ],
)
def test_what_is_no_such_game_of_go_is_refused(content, why):
    with pytest.raises(UnreadableSgf, match=why):
        sgf.read(content, NINE)
