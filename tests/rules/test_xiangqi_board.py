"""Xiangqi 中国象棋 behind the port: how the pieces move, check, and how a position ends the game (002-X 2 to 4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.rules.boards.port.position import BadPosition, End, LegalMove
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import POINT_OF, move_name
from services.games.rules.boards.xiangqi.position import CHECKED, FACING, ILLEGAL, MATE, STALEMATE, XiangqiPosition
from tests.builders import why


def board(text: str) -> Board:
    return fen.read(text)[0]


def at(text: str) -> XiangqiPosition:
    return XiangqiPosition(*fen.read(text))


def legal(text: str, origin: str) -> list[str]:
    """Where the piece on ``origin`` may legally go."""
    moves = (move_name(move) for move in board(text).legal_moves())
    return sorted(move[2:] for move in moves if move[:2] == origin)


def perft(on: Board, depth: int) -> int:
    moves = on.legal_moves()
    if depth == 1:
        return len(moves)
    leaves = 0
    for move in moves:
        on.make(move)
        leaves += perft(on, depth - 1)
        on.unmake()
    return leaves


PERFT = [
    (fen.START, (44, 1_920, 79_666)),
    ("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1", (38, 1_128, 43_929)),
    ("1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1", (7, 281, 8_620)),
    ("5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1", (25, 424, 9_850)),
    ("CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w - - 0 1", (28, 516, 14_808)),
]


@pytest.mark.parametrize("text, leaves", PERFT)
def test_known_positions_have_their_known_number_of_lines(text, leaves):
    assert tuple(perft(board(text), depth) for depth in (1, 2, 3)) == leaves


@pytest.mark.parametrize(
    "rule, text, origin, ends",
    [
        ("2.2 king: one step inside the palace", "3k5/9/9/9/9/9/9/9/9/5K3 w", "f0", ["e0", "f1"]),
        ("2.2 advisor: diagonally inside the palace", "3k5/9/9/9/9/9/9/9/4A4/4K4 w", "e1", ["d0", "d2", "f0", "f2"]),
        ("2.2 elephant: two points diagonally on its half", "3k5/9/9/9/9/2B6/9/9/9/4K4 w", "c4", ["a2", "e2"]),
        ("2.2 elephant: a blocked eye 塞象眼", "3k5/9/9/9/9/2B6/1C7/9/9/4K4 w", "c4", ["e2"]),
        ("2.2 horse: one straight, one diagonal", "3k5/9/9/9/9/9/9/9/9/N3K4 w", "a0", ["b2", "c1"]),
        ("2.2 horse: a hobbled leg 蹩马腿", "3k5/9/9/9/9/9/9/9/C8/N3K4 w", "a0", ["c1"]),
        (
            "2.2 chariot: straight until a piece, which it takes",
            "3k5/9/9/9/9/9/9/p8/9/R3K4 w",
            "a0",
            ["a1", "a2", "b0", "c0", "d0"],
        ),
        (
            "2.3 cannon: takes over one piece of either side",
            "3k5/9/9/p8/9/9/P8/9/9/C3K4 w",
            "a0",
            ["a1", "a2", "a6", "b0", "c0", "d0"],
        ),
        (
            "2.3 cannon: not over two",
            "3k5/n8/9/p8/9/9/P8/9/C8/4K4 w",
            "a1",
            ["a0", "a2", "a6", *[f"{f}1" for f in "bcdefghi"]],
        ),
        ("2.2 pawn before the river: forward only", "3k5/9/9/9/9/9/P8/9/9/4K4 w", "a3", ["a4"]),
        ("2.2 pawn beyond the river: forward and sideways", "3k5/9/9/9/1P7/9/9/9/9/4K4 w", "b5", ["a5", "b6", "c5"]),
        ("2.2 pawn on the last rank: sideways only", "1P1k5/9/9/9/9/9/9/9/9/4K4 w", "b9", ["a9", "c9"]),
        ("2.2 Black's pawn goes down the board", "3k5/9/9/9/9/1p7/9/9/9/4K4 b", "b4", ["a4", "b3", "c4"]),
    ],
)
def test_pieces_move_as_article_2_says(rule, text, origin, ends):
    assert legal(text, origin) == sorted(ends), rule


@pytest.mark.parametrize(
    "text, move, reason, article",
    [
        ("4k4/9/9/9/4C4/9/9/9/9/4K4 w", "e5d5", "the kings would face each other", FACING),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w", "d0e0", "the kings would face each other", FACING),
        ("3k5/9/9/4r4/9/9/9/9/4A4/4K4 w", "e1d2", "the king would be left in check", CHECKED),
        ("3k5/9/9/4r4/9/9/9/9/9/R3K4 w", "a0a1", "the king would be left in check", CHECKED),
        (fen.START, "e4e5", "e4 is empty", ILLEGAL),
        (fen.START, "h9g7", "黑马h9 is the opponent's", ILLEGAL),
        (fen.START, "b0d1", "红马b0 does not move to d1", ILLEGAL),
        (fen.START, "a0a3", "红车a0 does not move to a3", ILLEGAL),
    ],
)
def test_an_illegal_move_says_why_by_its_article_and_changes_nothing(text, move, reason, article):
    position = at(text)
    before = position.text()
    assert why(position.play(move)) == (reason, article)
    assert position.text() == before


@pytest.mark.parametrize(
    "text, end",
    [
        ("3k1R3/R8/9/9/9/9/9/9/9/4K4 b", End("checkmate", "white", MATE)),
        ("3k5/9/9/9/9/9/9/9/r8/r3K4 w", End("checkmate", "black", MATE)),
        ("3k5/1R7/9/9/9/9/9/9/4K4/9 b", End("stalemate", "white", STALEMATE)),
        ("3k5/R8/9/9/9/9/9/9/5K3/9 b", None),
        (fen.START, None),
    ],
)
def test_mate_and_stalemate_both_lose_for_the_side_to_move(text, end):
    """将死 (4.1.1), and 困毙 (4.1.3), which is no draw here."""
    assert at(text).end() == end


def test_nobody_can_win_with_pieces_that_stay_at_home():
    end = at("3ak4/4a4/4b4/9/9/9/9/4B4/4A4/3AK4 w").end()
    assert end is not None and (end.termination, end.winner) == ("insufficient_material", None)


def test_a_game_is_played_and_a_fork_does_not_follow_it():
    position = XiangqiPosition()
    behind = position.fork()
    assert [position.play(move) for move in ("炮二平五", "h9g7")] == [LegalMove("h2e2"), LegalMove("h9g7")]
    assert position.text() == "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2"
    assert position.to_move() == "white"
    assert behind.text() == fen.START


@pytest.mark.parametrize(
    "text, said",
    [
        ("x", "a position must have ten ranks, not 1"),
        ("4k4/9/9/9/9/9/9/9/9/9 w", "the position has 0 K; it must have exactly one"),
        ("4k4/9/9/9/9/9/9/9/9/4K4/9 w", "a position must have ten ranks, not 11"),
        ("4k4/8/9/9/9/9/9/9/9/3K5 w", "rank 8 has 8 points, not 9: 8"),
        ("4k4/9x/9/9/9/9/9/9/9/3K5 w", "x on rank 8 is not a piece"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 x", "the side to move must be w, r or b, not x"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - a 1", "the counters must be two whole numbers, not a 1"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 1", "FEN must have 1, 2, 4 or 6 fields, not 7"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "the kings face each other 将帅对面"),
        ("4k4/9/9/9/9/9/9/9/9/K8 w", "K cannot be on a0"),
        ("4k4/9/9/9/9/9/9/P8/9/3K5 w", "P cannot be on a2"),
        ("4k4/9/9/9/9/9/1P7/9/9/3K5 w", "P cannot be on b3"),
        ("4k4/b8/9/9/9/9/9/9/9/3K5 w", "b cannot be on a8"),
        ("RRR1k4/9/9/9/9/9/9/9/9/3K5 b", "the position has 3 R; a set has only 2"),
    ],
)
def test_a_bad_fen_says_what_is_wrong_and_where(text, said):
    with pytest.raises(BadPosition) as refused:
        fen.read(text)
    assert str(refused.value) == said


@given(st.lists(st.integers(min_value=0), max_size=80))
def test_taking_every_move_back_restores_the_board(choices):
    on, played = board(fen.START), 0
    for choice in choices:
        moves = sorted(on.legal_moves())
        if not moves:
            break
        on.make(moves[choice % len(moves)])
        played += 1
        again = board(fen.write(on, 1))
        assert sorted(again.legal_moves()) == sorted(on.legal_moves())
        assert again.key() == on.key()
    for _ in range(played):
        on.unmake()
    assert fen.write(on, 1) == fen.START


@given(st.lists(st.integers(min_value=0), min_size=1, max_size=60))
def test_takers_of_a_piece_are_the_moves_that_end_on_it(choices):
    on = board(fen.START)
    for choice in choices:
        moves = sorted(on.legal_moves())
        if not moves:
            break
        on.make(moves[choice % len(moves)])
    pseudo = on.pseudo_moves()
    for point in on.men[1 - on.turn]:
        assert sorted(on.takers(point)) == sorted(move for move in pseudo if move & 127 == point)


def test_points_have_their_iccs_names():
    assert (POINT_OF["a0"], POINT_OF["i0"], POINT_OF["a1"], POINT_OF["i9"]) == (0, 8, 9, 89)
