"""XBoard's short notation of xiangqi: what it writes of any legal move is that move again."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.games.rules.boards.port.position import LegalMove
from services.games.rules.boards.xiangqi import fen, notation
from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import move_name, move_of
from services.games.rules.boards.xiangqi.notation import UnreadableMove
from services.games.rules.boards.xiangqi.position import XiangqiPosition
from tests.tiers import examples

LETTERS = ".KAEHRC"


def as_xboard(board: Board, move: int) -> str:
    """The letter, then the file, else the rank, that no like man shares which can go there; a pawn says the file it leaves."""
    name, kind = move_name(move), board.squares[move >> 7] & 7
    takes = "x" if board.squares[move & 127] else ""
    if kind == 7:
        others = [
            m for m in board.legal_moves() if m & 127 == move & 127 and board.squares[m >> 7] & 7 == 7 and m != move
        ]
        return f"{name[0] if takes or others or name[0] != name[2] else ''}{takes}{name[2:]}"
    like = [
        move_name(m)
        for m in board.legal_moves()
        if m != move and m & 127 == move & 127 and board.squares[m >> 7] & 7 == kind
    ]
    if not like:
        which = ""
    elif all(other[0] != name[0] for other in like):
        which = name[0]
    elif all(other[1] != name[1] for other in like):
        which = name[1]
    else:
        which = name[:2]
    return f"{LETTERS[kind]}{which}{takes}{name[2:]}"


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32))
def test_every_legal_move_of_a_random_game_is_read_back(seed: int) -> None:
    chance, board = random.Random(seed), fen.read(fen.START)[0]
    for _ in range(40):
        moves = board.legal_moves()
        if not moves:
            return
        for move in moves:
            text = as_xboard(board, move)
            if notation._is_mixed(text) and len(text) == 4 and text[1].isdigit():
                continue  # below
            assert notation.read(board, text) == move, text
        board.make(chance.choice(moves))


def test_a_game_is_played_from_it() -> None:
    position = XiangqiPosition()
    for text in ["Che2", "Hg7", "Hg2", "Rh9", "Rh0", "Ege7", "Rh6", "g5", "Cxe6+", "Afe8"]:
        played = position.play(text)
        assert isinstance(played, LegalMove), (text, played)
    assert position.text().split()[0].count("/") == 9


@pytest.mark.parametrize(
    ("position", "text", "read"),
    [
        ("4k4/9/9/9/9/2P6/9/9/9/C2K5 w", "C0a5", "a0a5"),
        ("4k4/9/9/9/9/C8/9/9/C8/3K5 w", "C4e4", "a4e4"),
        ("4k4/9/9/9/9/C1P6/9/9/9/3K5 w", "C4c5", "c4c5"),
        ("4k4/9/9/9/9/2P6/9/9/9/3KC4 w", "c5", "c4c5"),
        ("4k4/9/9/9/2P1P4/9/9/9/9/3K5 w", "cd5", "c5d5"),
        ("3k5/9/9/9/9/9/9/9/9/H3K4 w", "Nb2", "a0b2"),
    ],
)
def test_ranks_tell_like_men_apart_and_pawns_have_no_letter(position: str, text: str, read: str) -> None:
    assert notation.read(fen.read(position)[0], text) == move_of(read)


@pytest.mark.parametrize(
    ("position", "text", "why", "candidates"),
    [
        ("4k4/9/9/9/9/C1C6/9/9/9/3K5 w", "Cb4", "the text could mean several moves", ("a4b4", "c4b4")),
        ("4k4/9/9/9/9/C1R6/9/9/9/3K5 w", "C4b4", "the text could mean several moves", ("a4b4", "c4b4")),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w", "Ra5", "none of the pieces can make this move", ()),
    ],
)
def test_what_could_be_two_moves_is_refused_with_both(
    position: str, text: str, why: str, candidates: tuple[str, ...]
) -> None:
    refused = notation.read(fen.read(position)[0], text)
    assert isinstance(refused, UnreadableMove)
    assert (str(refused.reason), refused.candidates) == (why, candidates)
