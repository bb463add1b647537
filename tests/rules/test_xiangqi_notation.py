"""Moves as text: ICCS and 炮二平五, full and short (002-X 1.1, 7.5)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.rules.boards.xiangqi import fen, notation
from services.games.rules.boards.xiangqi.geometry import move_name
from services.games.rules.boards.xiangqi.notation import UnreadableMove
from services.games.rules.boards.xiangqi.position import UNREAD, XiangqiPosition
from shared.core.language.messages import say
from tests.builders import why


def read(text: str, said: str) -> str | UnreadableMove:
    found = notation.read(fen.read(text)[0], said)
    return found if isinstance(found, UnreadableMove) else move_name(found)


BLACK_TO_MOVE = fen.START.replace(" w ", " b ")


@pytest.mark.parametrize(
    "said", ["炮二平五", "砲二平五", "炮2平5", "炮２平５", "炮25", "炮二五", "h2e2", "H2-E2", " h2e2 "]
)
def test_one_red_move_is_read_in_every_writing(said):
    assert read(fen.START, said) == "h2e2"


@pytest.mark.parametrize("said", ["马8进7", "馬８進７", "馬8進7", "马八进七", "马87", "马87-", "h9g7"])
def test_one_black_move_is_read_in_every_writing(said):
    assert read(BLACK_TO_MOVE, said) == "h9g7"


@pytest.mark.parametrize(
    "said, move",
    [
        ("兵七进一", "c3c4"),
        ("兵七進一", "c3c4"),
        ("车一进二", "i0i2"),
        ("車九进一", "a0a1"),
        ("俥九进一", "a0a1"),
        ("仕四进五", "f0e1"),
        ("士六进五", "d0e1"),
        ("相三进五", "g0e2"),
        ("象七进五", "c0e2"),
        ("帅五进一", "e0e1"),
        ("将五进一", "e0e1"),
        ("傌二进三", "h0g2"),
    ],
)
def test_every_piece_is_read_under_its_names(said, move):
    assert read(fen.START, said) == move


TWO_CHARIOTS = "4k4/9/9/R8/9/R8/9/9/9/3K5 w"
TWO_ADVISORS = "4k4/9/9/9/9/9/9/3A5/9/3A1K3 w"
TWO_HORSES = "4k4/9/9/9/2N6/9/2N6/9/9/3K5 w"
THREE_PAWNS = "4k4/9/2P6/2P6/2P6/9/9/9/9/3K5 w"
FOUR_PAWNS = "4k4/2P6/2P6/2P6/2P6/9/9/9/9/3K5 w"
PAWNS_ON_TWO_FILES = "4k4/9/2P3P2/2P3P2/9/9/9/9/9/3K5 w"


@pytest.mark.parametrize(
    "text, said, move",
    [
        (TWO_CHARIOTS, "前车进一", "a6a7"),
        (TWO_CHARIOTS, "后车平五", "a4e4"),
        (TWO_CHARIOTS, "後車平五", "a4e4"),
        (TWO_ADVISORS, "仕六进五", "d0e1"),
        (TWO_ADVISORS, "仕六退五", "d2e1"),
        (TWO_HORSES, "前马进五", "c5e6"),
        (THREE_PAWNS, "前兵进一", "c7c8"),
        (THREE_PAWNS, "中兵平六", "c6d6"),
        (THREE_PAWNS, "后兵平六", "c5d5"),
        (THREE_PAWNS, "二兵平六", "c6d6"),
        (FOUR_PAWNS, "四兵平八", "c5b5"),
        (PAWNS_ON_TWO_FILES, "一兵进一", "g7g8"),
        (PAWNS_ON_TWO_FILES, "三兵进一", "c7c8"),
        (PAWNS_ON_TWO_FILES, "前兵平四", "g7f7"),
        (PAWNS_ON_TWO_FILES, "前七平六", "c7d7"),
        (PAWNS_ON_TWO_FILES, "后三平四", "g6f6"),
        (PAWNS_ON_TWO_FILES, "後三平四", "g6f6"),
        (PAWNS_ON_TWO_FILES, "前3平4", "g7f7"),
        (PAWNS_ON_TWO_FILES, "17=6", "c7d7"),
        (PAWNS_ON_TWO_FILES, "27.6", "c6d6"),
        (PAWNS_ON_TWO_FILES, "13+1", "g7g8"),
        (THREE_PAWNS, "中七平六", "c6d6"),
        (THREE_PAWNS, "37=6", "c5d5"),
    ],
)
def test_like_pieces_on_one_file_are_told_apart(text, said, move):
    assert read(text, said) == move


@pytest.mark.parametrize(
    "text, said, candidates",
    [
        (TWO_CHARIOTS, "车九平五", ("a4e4", "a6e6")),
        (TWO_CHARIOTS, "车九进一", ("a4a5", "a6a7")),
        (TWO_HORSES, "马七进五", ("c3e4", "c5e6")),
        (THREE_PAWNS, "兵七平六", ("c5d5", "c6d6", "c7d7")),
        (PAWNS_ON_TWO_FILES, "前兵进一", ("c7c8", "g7g8")),
        ("4k4/9/9/9/9/2N6/9/9/9/3K5 w", "马75", ("c4e3", "c4e5")),
        ("4k4/9/9/R8/P8/R8/9/9/9/3K5 w", "车九进二", ("a6a8",)),
    ],
)
def test_a_text_that_names_a_file_of_like_pieces_is_refused_with_its_candidates(text, said, candidates):
    """Also where only one of them could legally make the move."""
    found = read(text, said)
    assert isinstance(found, UnreadableMove) and found.candidates == candidates


@pytest.mark.parametrize(
    "said",
    [
        "",
        "炮",
        "炮二",
        "炮二平",
        "炮二飞五",
        "炮二平十",
        "前炮平五",
        "马二平三",
        "马二进五",
        "兵二进一",
        "e9",
        "z0a0",
        "👑二平五",
        "0000",
        "中马进一",
    ],
)
def test_what_is_no_move_is_refused_without_a_guess(said):
    found = read(fen.START, said)
    assert isinstance(found, UnreadableMove) and found.candidates == ()


@pytest.mark.parametrize("said", ["前五平六", "后二平三", "37=6", "中七平六"])
def test_pawn_named_by_a_file_without_such_a_pawn_is_refused(said):
    assert read(PAWNS_ON_TWO_FILES, said) == UnreadableMove(
        say("none of the {letters} pieces can make this move", letters="兵")
    )


def test_the_refusal_on_a_sheet_names_the_candidates():
    assert why(XiangqiPosition(*fen.read(TWO_CHARIOTS)).play("车九平五")) == (
        "two such pieces are on one file; the notation must state 前 or 后: a4e4, a6e6",
        UNREAD,
    )


@pytest.mark.parametrize(
    "text, move, written",
    [
        (fen.START, "h2e2", "炮二平五"),
        (BLACK_TO_MOVE, "h9g7", "马8进7"),
        (BLACK_TO_MOVE, "c6c5", "卒3进1"),
        (TWO_CHARIOTS, "a4e4", "后车平五"),
        (TWO_ADVISORS, "d2e1", "仕六退五"),
        (THREE_PAWNS, "c6d6", "中兵平六"),
        (FOUR_PAWNS, "c5b5", "四兵平八"),
        (PAWNS_ON_TWO_FILES, "c6d6", "四兵平六"),
    ],
)
def test_moves_are_written_in_chinese(text, move, written):
    board = fen.read(text)[0]
    found = notation.read(board, move)
    assert not isinstance(found, UnreadableMove)
    assert notation.write(board, found) == written


@given(
    st.lists(st.integers(min_value=0), max_size=60),
    st.sampled_from([fen.START, THREE_PAWNS, FOUR_PAWNS, PAWNS_ON_TWO_FILES]),
)
def test_what_is_written_is_read_again(choices, text):
    board = fen.read(text)[0]
    for choice in choices:
        moves = sorted(board.legal_moves())
        if not moves:
            break
        for move in moves:
            assert notation.read(board, notation.write(board, move)) == move
        board.make(moves[choice % len(moves)])


@given(st.text(alphabet="炮车马兵仕相帅前后中一二三五九123 平进退-abch0９", max_size=6))
def test_any_text_is_read_or_refused(said):
    assert isinstance(notation.read(fen.read(fen.START)[0], said), int | UnreadableMove)
