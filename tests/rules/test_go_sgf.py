"""Go games as SGF: written, read again, and refused where no score sheet could hold them."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf as other_program

from services.games import sgf
from services.games.rules import books
from services.games.rules.go.position import GoPosition
from services.games.rules.position import Written
from services.games.sgf import SgfGame, SgfMove, UnreadableSgf
from shared.terms import Seconds

NINE = replace(books.go(), size=9)
MOVES = (SgfMove("D4", Seconds(3_590)), SgfMove("J9", Seconds(3_600)), SgfMove("PASS"), SgfMove("A1"))


def test_a_game_is_read_as_it_was_written():
    assert sgf.read(sgf.written(MOVES, NINE, {"PB": "李 伟", "PW": 'O]"\\'})) == SgfGame(9, MOVES)


def test_headers_komi_and_result_stand_in_the_root():
    """3 3/4 子 are 7.5 points of SGF's komi."""
    content = sgf.written(MOVES, NINE, {"PB": "李伟", "PW": "A]B\\", "RE": sgf.result("white")})
    root = other_program.Sgf_game.from_bytes(content).get_root()
    assert [root.get(p) for p in ("PB", "PW", "KM", "RU", "SZ", "RE")] == ["李伟", "A]B\\", 7.5, "Chinese", 9, "W+"]
    assert (sgf.result("black"), sgf.result(None)) == ("B+", "0")


def test_what_is_called_dead_is_a_comment():
    ended = (*MOVES, SgfMove("PASS"), SgfMove("PASS"), SgfMove("dead A1"), SgfMove("dead"))
    content = sgf.written(ended, NINE, {})
    assert "black: dead A1" in content.decode() and "white: dead" in content.decode()
    assert sgf.read(content).moves == ended[:-2]


@given(st.integers(0, 50), st.sampled_from([9, 13, 19]))
def test_a_random_game_goes_out_and_comes_back(seed, size):
    rng, position, moves = random.Random(seed), GoPosition(replace(books.go(), size=size)), []
    for _ in range(40):
        move = f"{rng.choice('ABCDEFGHJ')}{rng.randrange(1, 10)}"
        if isinstance(position.play(move), Written):
            moves.append(SgfMove(move))
    assert sgf.read(sgf.written(moves, replace(books.go(), size=size), {})).moves == tuple(moves)


@pytest.mark.parametrize(
    "content, why",
    [
        (b"", "not SGF"),
        (b"\xff\xfe", "not SGF"),
        (b"(;SZ[99])", "not SGF"),
        (b"(;SZ[9];B[zz])", "not SGF"),
        (b"(;SZ[9]GM[31];B[aa])", "no game of Go"),
        (b"(;SZ[9];W[aa])", "move 1: w moves out of turn"),
        (b"(;SZ[9];B[aa];B[bb])", "move 2: b moves out of turn"),
        (b"(;SZ[9]HA[2]AB[aa][bb];W[cc])", "after move 0: AB sets up stones"),
        (b"(;SZ[9];B[aa]BL[x])", "not SGF"),
        (b"(;SZ[9]" * 5_000, "not SGF"),
    ],
)
def test_what_is_no_game_of_go_is_refused(content, why):
    with pytest.raises(UnreadableSgf, match=why):
        sgf.read(content)
