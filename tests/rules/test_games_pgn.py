"""Games as PGN: what is read of a file, what is written, and that nothing in between is passed over."""

import random
import time
from contextlib import suppress

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.files import pgn
from services.games.files.pgn import PgnMove, UnreadablePgn
from services.games.notations import MoveStyle
from services.games.rules.boards.port.position import LegalMove
from services.games.rules.boards.registry import Variant, default_rules
from shared.core.events import MovePlayed
from shared.core.terms import Ply, Seconds

TAGS = {"Event": "Cup", "Site": "?"}


@pytest.mark.parametrize(
    "text, moves",
    [
        ("1. e4 e5 2. Nf3 *", "e4 e5 Nf3"),
        ("1.e4 e5 2.Nf3 1-0", "e4 e5 Nf3"),
        ("1. e4 e5\n2. Nf3\n1/2-1/2", "e4 e5 Nf3"),
        ("1. e4 1... e5 2. Nf3", "e4 e5 Nf3"),
        ("1. e4! e5?! $1 2. Nf3!!", "e4 e5 Nf3"),
        ("1. e4 (1. d4 d5 (1... Nf6)) 1... e5 ; the rest\n2. Nf3", "e4 e5 Nf3"),
        ("% a program's own\n1. e4 {a (comment} e5 2. Nf3", "e4 e5 Nf3"),
        ('\ufeff[Event "x"]\n\n1. e4 e5 2. Nf3', "e4 e5 Nf3"),
        ("1. e4 e5 2. O-O 3. 0-0-0", "e4 e5 O-O 0-0-0"),
        ("1. 炮二平五 馬８進７ 2. H0-G2 车九进一", "炮二平五 馬８進７ H0-G2 车九进一"),
        ("1. e4 e5 2. nonsense", "e4 e5 nonsense"),
        ("1. e4 $x", "e4 $x"),
    ],
)
def test_every_word_that_is_nothing_else_is_a_move(text, moves):
    assert [one.move for one in pgn.read(text)] == moves.split()


def test_a_reading_stands_in_the_comment_behind_its_move():
    read = pgn.read("1. e4 {[%clk 1:30:05]} e5 {good [%clk 0:00:07]\n[%emt 0:00:03]} 2. Nf3 {no clock} *")
    assert read == (PgnMove("e4", Seconds(5405)), PgnMove("e5", Seconds(7)), PgnMove("Nf3"))


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r"])
def test_a_file_may_set_up_the_first_position(fen):
    assert pgn.read(f'[FEN "{fen}"]\n\n1. e4 *')


@pytest.mark.parametrize(
    "text, why",
    [
        ("", "there is no game in it"),
        ("1. e4 {open", "after move 1: a comment has one end only"),
        ("1. e4 open}", "after move 2: a comment has one end only"),
        ("1. e4 ) e5", "after move 1: a variation ends that did not begin"),
        ("1. e4 ( 1. d4", "a variation is left open"),
        ('[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. Kd1', "FEN sets up a position"),
        ("e4 " * 5_001, "at most 5000 moves"),
        ("1. e4 *\n\n1. d4 *", "there is more than one game in it"),
    ],
)
def test_what_holds_no_single_game_is_refused(text, why):
    with pytest.raises(UnreadablePgn, match=why):
        pgn.read(text)


@given(st.text(alphabet='1.e4 炮二平五(){}[];%$\n"*!?', max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        assert all(one.move.strip() for one in pgn.read(text))
    except UnreadablePgn as problem:
        assert str(problem)


@pytest.mark.parametrize("piece", ["{", "(", "[", "1.", "e4 ", "{}", '[A "', ";"])
def test_a_file_as_long_as_a_body_may_be_is_read_at_once(piece):
    start = time.process_time()
    with suppress(UnreadablePgn):
        pgn.read(piece * (1024 * 1024 // len(piece)))
    assert time.process_time() - start < 10


@given(st.integers(0, 10_000), st.sampled_from(["iccs", "chinese", "traditional"]), st.sampled_from(["half", "full"]))
def test_a_random_game_of_xiangqi_goes_out_and_comes_back(seed, notation, width):
    rng, kind = random.Random(seed), Variant("xiangqi", default_rules("xiangqi"))
    position, moves = kind.start(), []
    for ply in range(1, 41):
        legal = sorted(position.board.legal_moves())
        if not legal:
            break
        move = rng.choice(legal)
        name = f"{'abcdefghi'[(move >> 7) % 9]}{(move >> 7) // 9}{'abcdefghi'[(move & 127) % 9]}{(move & 127) // 9}"
        assert position.play(name) == LegalMove(name)
        moves.append(MovePlayed(Ply(ply), name, Seconds(5400 - ply)))
    texts = MoveStyle(notation, width).moves(kind, (m.move for m in moves))
    text = pgn.write_xiangqi(moves, texts, TAGS, "*", None, notation == "iccs")
    again = kind.start()
    for one, move in zip(pgn.read(text), moves, strict=True):
        assert (again.play(one.move), one.clock) == (LegalMove(move.move), move.clock)


def test_a_long_game_of_chess_goes_out_and_comes_back():
    board, moves, rng = chess.Board(), [], random.Random(3)
    while not board.is_game_over() and len(moves) < 400:
        move = rng.choice(list(board.legal_moves))
        moves.append(MovePlayed(Ply(len(moves) + 1), move.uci(), Seconds(len(moves))))
        board.push(move)
    read = pgn.read(pgn.write_chess(moves, TAGS, "*", None))
    position = Variant("chess", default_rules("chess")).start()
    assert [(position.play(one.move), one.clock) for one in read] == [(LegalMove(m.move), m.clock) for m in moves]
