"""Games as PGN: what is read of a file, what is written, and that nothing in between is passed over."""

import random
import time
from contextlib import suppress

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.files.game_file import Spot, Unreadable
from services.games.files.pgn.pgn_reader import CHESS, XIANGQI, read
from services.games.files.pgn.pgn_writer import PgnSheet, write
from services.games.notations import MoveStyle
from services.games.rules.boards.port.position import LegalMove
from services.games.rules.boards.registry import Variant, default_rules
from shared.core.events import MovePlayed
from shared.core.terms import Ply, Seconds

TAGS = {"Event": "Cup", "Site": "?", "Result": "*"}


def moves_of(text, dialect=CHESS):
    file = read(text, dialect)
    assert not file.illegal
    return [one.move for one in file.moves]


@pytest.mark.parametrize(
    "text, moves",
    [
        ("1. e4 e5 2. Nf3 *", "e4 e5 Nf3"),
        ("1.e4 e5 2.Nf3 1-0", "e4 e5 Nf3"),
        ("1. e4 e5\n2. Nf3\n1/2-1/2", "e4 e5 Nf3"),
        ("1. e4 e5\n\n2. Nf3", "e4 e5 Nf3"),
        ("1. e4 1... e5 2. Nf3", "e4 e5 Nf3"),
        ("1. e4! e5?! $1 2. Nf3!!", "e4 e5 Nf3"),
        ("1. e4 (1. d4 d5 (1... Nf6)) 1... e5 ; the rest\n2. Nf3", "e4 e5 Nf3"),
        ("% a program's own\n1. e4 {a (comment} e5 2. Nf3", "e4 e5 Nf3"),
        ('\ufeff[Event "x"]\n\n1. e4 e5 2. Nf3'.removeprefix("\ufeff"), "e4 e5 Nf3"),
        ('[Event "x"] 1. e4 e5\n2. Nf3', "e4 e5 Nf3"),
        ('[Event "x"] [Site "y"]\r\n1. e4 e5\r\n2. Nf3', "e4 e5 Nf3"),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 O-O", "e4 e5 Nf3 Nf6 Bc4 Bc5 0-0 O-O"),
    ],
)
def test_every_token_is_a_move_or_has_another_place(text, moves):
    assert moves_of(text) == moves.split()


def test_xiangqi_is_read_in_every_notation():
    assert moves_of("1. 炮二平五 馬８進７ 2. H0-G2 车九进一", XIANGQI) == ["炮二平五", "馬８進７", "H0-G2", "车九进一"]


def test_the_lines_that_xqbase_puts_below_a_game_are_kept():
    file = read("1. 炮二平五 馬８進７ 1-0\n====\n 欢迎访问《象棋百科全书网》\n http://www.xqbase.com/\n", XIANGQI)
    assert len(file.moves) == 2 and "欢迎访问" in file.annotations["footer"]


def test_a_reading_stands_in_the_comment_behind_its_move():
    file = read("1. e4 {[%clk 1:30:05]} e5 {good [%clk 0:00:07]\n[%emt 0:00:03]} 2. Nf3 {no clock} *", CHESS)
    assert [(one.move, one.clock) for one in file.moves] == [("e4", Seconds(5405)), ("e5", Seconds(7)), ("Nf3", None)]
    assert file.annotations["plies"] == {"2": ["{good [%emt 0:00:03]}"], "3": ["{no clock}"]}


def test_marks_comments_variations_and_tags_are_kept_where_they_stand():
    text = '[Event "x"]\n[WhiteElo "2700"]\n\n{a} 1. e4 $1 (1. d4 ! {b}) {c} ;d\n1... e5 *'
    assert read(text, CHESS).annotations == {
        "tags": [["Event", "x"], ["WhiteElo", "2700"]],
        "plies": {"0": ["{a}"], "1": ["$1", "( 1. d4 $1 {b} )", "{c}", ";d"]},
    }


@pytest.mark.parametrize(
    "dialect, fen",
    [(CHESS, chess.STARTING_FEN), (XIANGQI, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r")],
)
def test_a_file_may_say_the_usual_first_position(dialect, fen):
    file = read(f'[FEN "{fen}"]\n\n1. e4 *', dialect)
    assert file.moves and file.setup is None


@pytest.mark.parametrize("fields", ["b KQkq - 0 1", "w - - 0 1", "w KQq - 0 1"])
def test_the_side_and_the_castling_of_a_fen_make_another_position(fields):
    move = "1. e4" if fields[0] == "w" else "1... e5"
    file = read(f'[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {fields}"]\n{move} *', CHESS)
    assert file.setup is not None and file.setup.value.endswith(fields)


@pytest.mark.parametrize(
    "text, line, column, why",
    [
        ("1. e4 {open", 1, 7, "a comment must begin with { and end with }; one of them is missing"),
        ("1. e4 open}", 1, 11, "a comment must begin with { and end with }; one of them is missing"),
        ("1. e4 ) e5", 1, 7, "a variation ends that did not begin"),
        ("1. e4 ( 1. d4", 1, 13, "a variation is left open"),
        ("(1. d4) 1. e4", 1, 1, "a variation is before the first move"),
        ("1. e4 ()", 1, 8, "a variation has no move"),
        ("e4 " * 5_001, 1, 15_001, "more than 5000 plies"),
        ("1. e4 *\n\n1. d4 *", 3, 1, "a second game begins"),
        ('[Event "a"]\n\n[Event "b"]\n1. e4', 3, 1, "a second game begins"),
        ("1. e4 e5 1-0 2. Nf3", 1, 14, "2. follows the result 1-0 of line 1"),
        ("1. e4 e5 1-0\n2. Nf3", 2, 1, "2. follows the result 1-0 of line 1"),
        ("1. e4 e5 3. Nf3 *", 1, 10, "the move has the number 3, but must have 2"),
        ("1... e4 *", 1, 1, "is the number of a move of the second side"),
        ("1. e4 $x", 1, 7, "an annotation mark must be $ and a number"),
        ("$1 1. e4", 1, 1, "an annotation symbol is before the first move"),
        ("1. e4 e5 (1... d5\n2. Ke5) *", 2, 4, "Ke5 cannot be played in this variation"),
        ("1. e4 e5 (1... hello) *", 1, 16, "hello cannot be played in this variation"),
        ('[Variant "Atomic"]\n1. e4', 1, 1, "Variant is 'Atomic', but the game must be chess"),
        ('[Game "Chinese Chess"]\n1. e4', 1, 1, "Game is 'Chinese Chess', but the game must be chess"),
        ('[SetUp "1"]\n1. e4', 1, 1, "the FEN tag is missing"),
        ('[FEN "hello"]\n1. e4', 1, 1, "invalid FEN"),
        ('[White "a"]\n[White "b"]\n1. e4', 2, 1, "White appears twice: 'a' in line 1, and 'b'"),
        ('[Result "+-"]\n1. e4', 1, 1, "Result must be one of"),
        ('[Result "1-0"]\n1. e4 *', 2, 7, "the moves end with *, but the tag Result in line 1 is 1-0"),
        (
            "1. e4 {[%clk 0:01:00]} {[%clk 0:02:00]}",
            1,
            24,
            "a move must have one clock reading, but this one has two: 60 and 120 seconds",
        ),
        ("[Event]\n1. e4", 1, 1, "a tag must be written"),
        ("1. e4 " + "(1. d4 " * 101, 1, 707, "more than 100 levels deep"),
        ('1. e4 "hello"', 1, 7, "has no meaning at this place"),
    ],
)
def test_what_cannot_be_read_is_refused_by_line_and_column(text, line, column, why):
    with pytest.raises(Unreadable) as refused:
        read(text, CHESS)
    assert refused.value.spot == Spot(line, column) and why in str(refused.value)


@pytest.mark.parametrize(
    "text", ["1. e4 e5 2. Ke3 *", "1. e4 e5 2. hello Nc6", "1. e4 e5 2. Nf3.Nc6", "1. e4 e5 2. e4e5e6"]
)
def test_a_move_that_chess_pgn_does_not_take_is_the_last_that_is_read(text):
    file = read(text, CHESS)
    assert file.illegal and [one.move for one in file.moves][:2] == ["e4", "e5"] and len(file.moves) == 3


@given(st.text(alphabet='1.e4Nf3 炮二平五(){}[];%$\n"*!?-0=', max_size=80), st.sampled_from([CHESS, XIANGQI]))
def test_any_text_is_read_or_refused(text, dialect):
    try:
        assert all(one.move.strip() for one in read(text, dialect).moves)
    except Unreadable as problem:
        assert str(problem)


@given(
    st.lists(
        st.sampled_from(
            ["1.", "e4", "e5", "2.", "Nf3", "(", ")", "{c}", "$3", "!", "*", "1-0", ";x\n", "\n%y\n", '[A "b"]\n']
        ),
        max_size=25,
    )
)
def test_any_row_of_tokens_is_read_or_refused(words):
    with suppress(Unreadable):
        read(" ".join(words), CHESS)


@pytest.mark.parametrize(
    "piece", ["{", "(", "[", "1.", "e4 ", "{}", '[A "', ";", "e4 (e4 d5) ", "Nf3 Nf6 Ng1 Ng8 ", "1. e4 (1. d4 "]
)
def test_a_file_as_long_as_a_body_may_be_takes_a_second_at_most(piece):
    start = time.process_time()
    with suppress(Unreadable):
        read(piece * (1024 * 1024 // len(piece)), CHESS)
    assert time.process_time() - start < 2, "one where nobody else works on the machine"


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
    text = write(PgnSheet(TAGS, moves, texts, continued=False))
    again = kind.start()
    for one, move in zip(read(text, XIANGQI).moves, moves, strict=True):
        assert (again.play(one.move), one.clock) == (LegalMove(move.move), move.clock)


def test_a_long_game_of_chess_goes_out_and_comes_back_with_what_stands_beside_it():
    board, moves, rng = chess.Board(), [], random.Random(3)
    items = {}
    while not board.is_game_over() and len(moves) < 400:
        move = rng.choice(list(board.legal_moves))
        moves.append(MovePlayed(Ply(len(moves) + 1), move.uci(), Seconds(len(moves))))
        board.push(move)
        if len(moves) % 7 == 0:
            items[len(moves)] = [rng.choice(["$3", "{a long comment }", ";to the end", "%escaped"])]
    variant = Variant("chess", default_rules("chess"))
    texts = MoveStyle("san").moves(variant, (m.move for m in moves))
    file = read(write(PgnSheet(TAGS, moves, texts, items)), CHESS)
    position = variant.start()
    assert [(position.play(one.move), one.clock) for one in file.moves] == [(LegalMove(m.move), m.clock) for m in moves]
    assert file.annotations["plies"] == {str(n): one for n, one in items.items()}
