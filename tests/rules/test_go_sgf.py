"""Games of stones as SGF: written, read again, and refused where no score sheet could hold them."""

import random
import time
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf as other_program

from services.games.files.game_file import Spot, Unreadable
from services.games.files.sgf import sgf_dialects
from services.games.files.sgf.sgf_dialects import FIVES
from services.games.files.sgf.sgf_reader import read
from services.games.files.sgf.sgf_writer import SgfMove, SgfSheet, result, write
from services.games.rules.boards.fifteen import ALL, name
from services.games.rules.boards.go.position import GoPosition
from services.games.rules.boards.port.position import LegalMove
from services.games.rules.boards.registry import default_rules
from shared.core.terms import Seconds

NINE = sgf_dialects.go(replace(default_rules("go"), size=9))
MOVES = (SgfMove("D4", Seconds(3_590)), SgfMove("J9", Seconds(3_600)), SgfMove("PASS"), SgfMove("A1"))


def moves_of(content, game=NINE):
    return tuple(SgfMove(one.move, one.clock) for one in read(content, game).moves)


def test_a_game_is_read_as_it_was_written():
    assert moves_of(write(SgfSheet(MOVES, NINE, {"PB": "李 伟", "PW": 'O]"\\'}))) == MOVES


def test_headers_komi_and_result_stand_in_the_root():
    """3 3/4 子 are 7.5 points of SGF's komi."""
    content = write(SgfSheet(MOVES, NINE, {"PB": "李伟", "PW": "A]B\\", "RE": result("white")}))
    root = other_program.Sgf_game.from_bytes(content).get_root()
    assert [root.get(p) for p in ("PB", "PW", "KM", "RU", "SZ", "RE")] == ["李伟", "A]B\\", 7.5, "Chinese", 9, "W+"]
    assert (result("black"), result(None)) == ("B+", "0")


def test_what_is_no_move_is_a_comment_where_it_was_said():
    content = write(SgfSheet(MOVES, NINE, {}, {0: ["white: swap"], 4: ["black: dead A1", "white: dead]"]}))
    nodes = other_program.Sgf_game.from_bytes(content).get_main_sequence()
    assert [node.get("C") for node in (nodes[0], nodes[4])] == ["white: swap", "black: dead A1\nwhite: dead]"]
    assert moves_of(content) == MOVES


@pytest.mark.parametrize(
    ("nodes", "said"),
    [
        ("AB[aa];AW[bb];W[cc]", "AB A9 AW B8 PL W"),
        (";AB[aa]AW[bb];PL[W];W[cc]", "AB A9 AW B8 PL W"),
        ("AB[aa]AW[bb];B[cc]", "AB A9 AW B8 PL B"),
        ("AB[aa][cc];W[dd]", "AB A9 C7 PL W"),
        ("AB[aa][bb];AE[bb];AW[aa];B[cc]", "AW A9 PL B"),
        (";HA[2]AB[cc][gg];W[aa]", "AB C7 G3 HA 2 PL W"),
    ],
)
def test_stones_may_be_set_up_in_any_node_before_the_first_move_which_says_who_is_to_move(nodes, said):
    setup = read(f"(;SZ[9]{nodes})".encode(), NINE).setup
    assert setup is not None and sorted(setup.value.split()) == sorted(said.split())


def test_a_file_may_say_that_it_is_ascii_and_then_is():
    assert moves_of(b"(;SZ[9]CA[ASCII]PB[Lin];B[aa])") == (SgfMove("A9"),)
    with pytest.raises(Unreadable, match="0xe6 is not ascii"):
        read("(;SZ[9]CA[ASCII]PB[李];B[aa])".encode(), NINE)


@given(st.integers(0, 50), st.sampled_from([9, 13, 19]))
def test_a_random_game_goes_out_and_comes_back(seed, size):
    rng, position, moves = random.Random(seed), GoPosition(replace(default_rules("go"), size=size)), []
    for _ in range(40):
        move = f"{rng.choice('ABCDEFGHJ')}{rng.randrange(1, 10)}"
        if isinstance(position.play(move), LegalMove):
            moves.append(SgfMove(move))
    game = sgf_dialects.go(replace(default_rules("go"), size=size))
    assert moves_of(write(SgfSheet(moves, game)), game) == tuple(moves)


@given(st.lists(st.sampled_from([*map(name, ALL), "pass"]), max_size=30))
def test_stones_of_five_in_a_row_go_out_and_come_back(said):
    moves = tuple(SgfMove(one) for one in said)
    assert moves_of(write(SgfSheet(moves, FIVES)), FIVES) == moves


@pytest.mark.parametrize(
    "root", ["HA[0]", "HA[1]", "PL[B]", "KM[0.00]RU[Japanese]", "SZ[9:9]", "AP[x:1]ST[2]", "", "RE[Void]"]
)
def test_what_makes_no_other_game_is_no_reason_to_refuse_one(root):
    size = "" if "SZ" in root else "SZ[9]"
    assert moves_of(f"(;GM[1]{size}{root};B[aa];W[bb])".encode()) == (SgfMove("A9"), SgfMove("B8"))


@pytest.mark.parametrize("second", [";W[bb]PL[B]", ";PL[W];W[bb]", ";PL[W]W[bb]"])
def test_whose_turn_it_is_anyway_may_be_said_after_moves_and_is_kept(second):
    """CGoban writes PL beside moves: who is to move next."""
    file = read(f"(;GM[1]SZ[9];B[aa]{second};B[cc])".encode(), NINE)
    assert [one.move for one in file.moves] == ["A9", "B8", "C7"]
    assert "PL" in str(file.annotations)


def test_what_the_root_says_wrong_is_refused_on_its_own_line():
    with pytest.raises(Unreadable, match=r"invalid RE 'White resigns") as refused:
        read(b"(;GaMe[1]SiZe[9]\nPlayerBlack[Lin]\n  REsult[White resigns.]\n;B[aa])", NINE)
    assert refused.value.spot == Spot(3, 3)


def test_what_the_root_tells_of_the_game_has_its_own_place():
    file = read(b"(;GM[1]SZ[9]\nPB[Lin]\n\nRE[B+R];B[aa])", NINE)
    assert [fact.spot for fact in file.facts] == [Spot(2, 1)]
    assert file.result is not None and file.result.spot == Spot(4, 1)


@pytest.mark.parametrize(
    "encoding, charset",
    [("gb18030", "CA[GB2312]"), ("gb18030", ""), ("utf-8", ""), ("big5", "CA[Big5]"), ("utf-16", "")],
)
def test_a_file_is_read_in_the_encoding_that_it_says_or_shows(encoding, charset):
    content = f"(;GM[1]SZ[9]{charset}PB[常昊]C[黑棋先行];B[aa]C[星位])".encode(encoding)
    file = read(content, NINE)
    assert file.annotations["nodes"]["1"] == [{"C": ["星位"]}]


def test_long_names_of_older_versions_are_their_capitals():
    assert moves_of(b"(;GaMe[1]SiZe[9];Black[aa];White[])") == (SgfMove("A9"), SgfMove("PASS"))


@pytest.mark.parametrize(
    "content, column, why",
    [
        (b"", None, "it contains no game"),
        (b"\xff\xff", 1, "encoding cannot be detected"),
        (b"hello AB[aa] (;SZ[9])", 1, "hello is outside a game"),
        (b"(;SZ[9];B[aa])x", 15, "x is outside a game"),
        (b"(;SZ[9];B[aa]) (;SZ[9])", 17, "a second game begins"),
        (b"(;SZ[99])", 3, "the file has a board of 99 lines, but it must have 9"),
        (b"(;SZ[x])", 3, "SZ is 'x', but the board must be square"),
        (b"(;SZ[9];B[zz])", 8, "move 1: 'zz' is not a point of the board"),
        (b"(;SZ[9]GM[31];B[aa])", 8, "the file is of a different game: GM is 31, but must be 1"),
        (b"(;SZ[13];B[aa])", 3, "the file has a board of 13 lines, but it must have 9"),
        (b"(;SZ[9];W[aa])", 8, "move 1: W moves out of turn"),
        (b"(;SZ[9];B[aa];B[bb])", 14, "move 2: B moves out of turn"),
        (b"(;SZ[9];B[aa]W[bb])", 8, "one node contains two moves"),
        (b"(;SZ[9];B[aa][bb])", 8, "B has two values"),
        (b"(;SZ[9];B[aa];AB[bb])", 14, "AB sets up stones after move 1"),
        (b"(;SZ[9];B[aa]BL[x])", 8, "BL is a number of seconds, not 'x'"),
        (b"(;SZ[9]" * 5_000, 1, "the game that begins here does not end"),
        (b"(;SZ[9];B[aa]", 1, "the game that begins here does not end"),
        (b"(;SZ[9];B)", 10, "a property has no value"),
        (b"(;SZ[9];B[aa", 10, "a value does not end"),
        (b"(;[9])", 3, "a value has no property before it"),
        (b"(SZ[9])", 2, "a property is outside a node"),
        (b"(;SZ[9](;B[aa]);B[bb])", 16, "a node follows variations"),
        (b"(;SZ[9]())", 9, "a variation has no node"),
        (b"(;SZ[9]b[aa])", 8, "b is not a property"),
        (b"(;SZ[9]1)", 8, "has no meaning at this place"),
        (b"(;SZ[9]CA[klingon])", 11, "CA states the encoding"),
        ("(;SZ[9]CA[UTF-8]C[棋])".encode("gb18030"), 19, "is not utf-8"),
        (b"(;SZ[9]RE[who knows];B[aa])", 8, "invalid RE"),
        (b"(;SZ[9]PL[x];B[aa])", 8, "PL must be B or W"),
        (b"(;SZ[9];B[aa]PL[x])", 8, "PL must be B or W"),
        (b"(;SZ[9];B[aa];PL[B]C[x];W[bb])", 14, "PL after move 1 is B, but W is to move"),
        (b"(;SZ[9];B[aa]PL[B];B[bb])", 19, "move 2: B moves out of turn"),
        (b"(;SZ[9]AB[zz];B[aa])", 8, "AB contains a point that is not on this board"),
    ],
)
def test_what_is_no_such_game_of_go_is_refused_by_line_and_column(content, column, why):
    with pytest.raises(Unreadable, match=why.replace("(", r"\(")) as refused:
        read(content, NINE)
    assert refused.value.spot == (None if column is None else Spot(1, column))


@pytest.mark.parametrize(
    "root, said",
    [
        ("HA[2]AB[cc][gg]", "AB C7 G3 HA 2 PL W"),
        ("AB[aa:ba]AW[cc]PL[B]", "AB A9 B9 AW C7 PL B"),
        ("PL[W]", "PL W"),
        ("HA[3]", "HA 3 PL W"),
    ],
)
def test_stones_that_are_set_up_are_told_by_our_names(root, said):
    move = "B[ee]" if said.endswith("B") else "W[ee]"
    setup = read(f"(;SZ[9]{root};{move})".encode(), NINE).setup
    assert setup is not None and sorted(setup.value.split()) == sorted(said.split())


@given(
    st.lists(
        st.sampled_from(
            ["(", ")", ";", "B[aa]", "W[bb]", "B[]", "C[x\\]]", "SZ[9]", "AB[cc]", "RE[B+]", "CA[UTF-8]", " "]
        ),
        max_size=20,
    )
)
def test_any_row_of_tokens_is_read_or_refused(words):
    with suppress(Unreadable):
        read("".join(words).encode(), NINE)


@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(content):
    with suppress(Unreadable):
        read(b"(;SZ[9]" + content + b")", NINE)


@pytest.mark.parametrize("piece", ["(", "(;", ";", "[", "B[aa]", ";B[aa]", "(;C[x])", "\\", "A"])
def test_a_file_as_long_as_a_body_may_be_takes_a_second_at_most(piece):
    start = time.process_time()
    with suppress(Unreadable):
        read(b"(;SZ[9]" + piece.encode() * (1024 * 1024 // len(piece)) + b")", NINE)
    assert time.process_time() - start < 2, "one where nobody else works on the machine"
