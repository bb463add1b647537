"""Touch-move 摸子 (000-A 3.1-3.6, 4.4, 4.5; 000-A 国际象棋, 摸子 1-6, 犯规 4, 5; 002-X 5.1-5.6; Laws 4.2-4.5)."""

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.games.rules.boards.chess import claims as chess_touch
from services.games.rules.boards.chess.position import ChessPosition
from services.games.rules.boards.port.touch_move import Due
from services.games.rules.boards.xiangqi import claims as xiangqi_touch
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.position import XiangqiPosition
from services.games.rules.judge.registry import answer
from shared.core.state.grounds import english_text
from tests.tiers import examples

START = chess.STARTING_FEN
CASTLING = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
F1_SEEN = "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1"
"""The black rook attacks f1: White castles on the queen's side alone."""
KING_STUCK = "rnbqkbn1/pppppppr/8/8/8/8/PPPPPPP1/RNBQKBNR w KQq - 0 1"
PASSING = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
PROMOTING = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
CHECKED = "4k3/8/8/8/7b/8/7P/R3K2R w KQ - 0 1"
XIANGQI = fen.START
GUARDED = "3ak4/9/9/8p/9/9/9/9/4A4/3AK3R w - - 0 1"
"""Red's advisors cannot move, d0 for want of a point, e1 because the kings would face each other; the chariot can."""


def in_chess(position: str, *touched: str) -> Due:
    return chess_touch.due(ChessPosition(chess.Board(position)), touched)


def in_xiangqi(position: str, *touched: str) -> Due:
    return xiangqi_touch.due(XiangqiPosition(*fen.read(position)), touched)


def texts(said: str) -> tuple[str, ...]:
    return tuple(sorted(said.split()))


# ---------------------------------------------------------------- xiangqi, by article


@pytest.mark.parametrize(
    "position, touched, due, article",
    [
        (XIANGQI, "e3", "e3e4", "002-X 5.1; 000-A 3.1"),
        (XIANGQI, "b0", "b0a2 b0c2", "002-X 5.1; 000-A 3.1"),
        (GUARDED, "d0", "", "002-X 5.1; 000-A 3.1"),
        (GUARDED, "e1", "", "002-X 5.1; 000-A 3.1"),
        (GUARDED, "d0 e0", "e0f0", "002-X 5.1; 000-A 3.1"),
        (XIANGQI, "h9", "h2h9", "002-X 5.2; 000-A 3.2"),
        (XIANGQI, "e9", "", "002-X 5.2; 000-A 3.2"),
        (GUARDED, "d9 i6", "i0i6", "002-X 5.2; 000-A 3.2"),
        (XIANGQI, "h2 h9", "h2h9", "002-X 5.3; 000-A 3.3"),
        (XIANGQI, "e3 h9", "e3e4", "002-X 5.3; 000-A 3.3"),
        (GUARDED, "d0 i6", "i0i6", "002-X 5.3; 000-A 3.3"),
        (GUARDED, "d0 d9", "", "002-X 5.3; 000-A 3.3"),
        (XIANGQI, "h9 h2", "h2h9", "002-X 5.4, 5.5; 000-A 3.4, 3.5"),
        (XIANGQI, "h9 e3", "h2h9", "002-X 5.4, 5.5; 000-A 3.4, 3.5"),
        (XIANGQI, "e9 e3", "e3e4", "002-X 5.4, 5.5; 000-A 3.4, 3.5"),
        (GUARDED, "d9 d0", "", "002-X 5.4, 5.5; 000-A 3.4, 3.5"),
    ],
)
def test_what_is_due_in_xiangqi_by_its_articles(position: str, touched: str, due: str, article: str) -> None:
    found = in_xiangqi(position, *touched.split())
    assert (found.moves, found.article) == (texts(due), article)
    assert ("any legal move" in english_text(found.grounds)) == (not due)


@pytest.mark.parametrize(
    "touched, futile",
    [
        ("i0 i6", []),
        ("d0", [("unmovable_touch", "d0", "002-X 9.1.5; 000-A 4.4")]),
        ("d9", [("uncapturable_touch", "d9", "002-X 9.1.6; 000-A 4.5")]),
        (
            "i0 d9 e1",
            [
                ("uncapturable_touch", "d9", "002-X 9.1.6; 000-A 4.5"),
                ("unmovable_touch", "e1", "002-X 9.1.5; 000-A 4.4"),
            ],
        ),
        ("d0 d0", [("unmovable_touch", "d0", "002-X 9.1.5; 000-A 4.4")]),
    ],
)
def test_a_touch_that_can_lead_to_no_move_is_futile(touched: str, futile: list[tuple[str, str, str]]) -> None:
    """000-A 4.4, 4.5: also where another piece touched is due, each square once."""
    assert list(in_xiangqi(GUARDED, *touched.split()).futile) == futile


# ---------------------------------------------------------------- chess, by article


@pytest.mark.parametrize(
    "position, touched, due, article",
    [
        (START, "e2", "e2e3 e2e4", "000-A 国际象棋, 摸子 1; Laws 4.3.1"),
        (START, "a1", "", "000-A 国际象棋, 摸子 1; Laws 4.3.1, 4.5"),
        (START, "a1 b1 e2", "b1a3 b1c3", "000-A 国际象棋, 摸子 1; Laws 4.3.1"),
        (PROMOTING, "a7", "a7a8b a7a8n a7a8q a7a8r", "000-A 国际象棋, 摸子 1; Laws 4.3.1"),
        (CHECKED, "a1", "", "000-A 国际象棋, 摸子 1; Laws 4.3.1, 4.5"),
        (PASSING, "d5", "e5d6", "000-A 国际象棋, 摸子 2; Laws 4.3.2"),
        (START, "e7", "", "000-A 国际象棋, 摸子 2; Laws 4.3.2, 4.5"),
        (PASSING, "e8 d5", "e5d6", "000-A 国际象棋, 摸子 2; Laws 4.3.2"),
        (PASSING, "e5 d5", "e5d6", "000-A 国际象棋, 摸子 3; Laws 4.3.3"),
        (PASSING, "e1 d5", "e1d1 e1d2 e1e2 e1f1 e1f2", "000-A 国际象棋, 摸子 3; Laws 4.3.3"),
        (PASSING, "d5 e1", "e5d6", "000-A 国际象棋, 摸子 4, 5; Laws 4.3.3"),
        (START, "e7 e2", "e2e3 e2e4", "000-A 国际象棋, 摸子 4, 5; Laws 4.3.3"),
        (START, "a1 e7", "", "000-A 国际象棋, 摸子 3; Laws 4.3.3, 4.5"),
        (CASTLING, "e1 h1", "e1g1", "Laws 4.4.1"),
        (CASTLING, "e1 a1", "e1c1", "Laws 4.4.1"),
        (F1_SEEN, "e1 h1", "e1c1 e1d1 e1d2 e1e2", "Laws 4.4.3"),
        (KING_STUCK, "e1 h1", "", "Laws 4.4.3"),
        (START.replace(" w ", " b "), "e8 h8", "", "Laws 4.4.3"),
    ],
)
def test_what_is_due_in_chess_by_its_articles(position: str, touched: str, due: str, article: str) -> None:
    found = in_chess(position, *touched.split())
    assert (found.moves, found.article) == (texts(due), article)


def test_the_rook_touched_first_bars_castling() -> None:
    """000-A 国际象棋, 摸子 1: 若先动车,则不可换位; Laws 4.4.2."""
    for touched, article in ((("h1",), "Laws 4.3.1"), (("h1", "e1"), "Laws 4.4.2")):
        found = in_chess(CASTLING, *touched)
        assert found.article.endswith(article)
        assert {move[:2] for move in found.moves} == {"h1"} and "h1h8" in found.moves


def test_the_king_alone_may_castle() -> None:
    assert {"e1g1", "e1c1", "e1e2"} <= set(in_chess(CASTLING, "e1").moves)


def test_a_king_and_a_rook_that_are_not_at_home_are_pieces_like_others() -> None:
    """Laws 4.3.1: a king without a move leaves the rook due."""
    away = "6k1/8/8/8/8/R7/PP6/KN6 w - - 0 1"
    found = in_chess(away, "a1", "a3")
    assert found.article.endswith("Laws 4.3.1") and {move[:2] for move in found.moves} == {"a3"}


# ---------------------------------------------------------------- whatever is touched


def walked(game: str, steps: list[int]) -> ChessPosition | XiangqiPosition:
    position: ChessPosition | XiangqiPosition = ChessPosition() if game == "chess" else XiangqiPosition()
    for nth in steps:
        options = sorted(position.options())
        if not options:
            break
        position.play(options[nth % len(options)].move)
    return position


@settings(max_examples=examples(150), deadline=None)
@given(st.sampled_from(["chess", "xiangqi"]), st.lists(st.integers(0, 200), max_size=60), st.data())
def test_what_is_due_is_legal_moves_or_takes_what_was_touched_and_is_nothing_only_where_nothing_can_be(
    game, steps, data
):
    position = walked(game, steps)
    men, side = position.men(), position.to_move()
    touched = data.draw(st.lists(st.sampled_from(sorted(men)), min_size=1, max_size=4, unique=True))
    found = chess_touch.due(position, touched) if game == "chess" else xiangqi_touch.due(position, touched)
    options = {one.move: one for one in position.options()}
    assert set(found.moves) <= set(options) and len(set(found.moves)) == len(found.moves)
    for move in found.moves:
        assert options[move].origin in touched or options[move].takes in touched
    able = {s for s in touched for one in options.values() if s == (one.origin if men[s] == side else one.takes)}
    assert {one.square for one in found.futile} == set(touched) - able
    if found.article == "Laws 4.4.3":
        able.discard(touched[1])
    assert bool(found.moves) == bool(able & set(touched[: 2 if found.article == "Laws 4.4.3" else None]))


# ---------------------------------------------------------------- asked without a tournament


def test_the_judge_tells_what_is_due_after_a_touch() -> None:
    given = answer({"id": 1, "game": "chess", "ask": "touch", "moves": ["e4", "d5"], "touched": ["e4", "d5"]})
    assert given["answer"] == {
        "due": ["e4d5"],
        "free": False,
        "article": "000-A 国际象棋, 摸子 3; Laws 4.3.3",
        "grounds": "e4 takes d5: e4d5",
        "futile": [],
    }
    free = answer({"id": 2, "game": "xiangqi", "ask": "touch", "fen": GUARDED, "touched": ["d0"]})["answer"]
    assert (free["due"], free["free"]) == ([], True)
    assert free["futile"] == [{"kind": "unmovable_touch", "square": "d0", "article": "002-X 9.1.5; 000-A 4.4"}]


@pytest.mark.parametrize(
    "said, title, where",
    [
        ({}, "Missing field", "touched"),
        ({"touched": []}, "Wrong field", "touched"),
        ({"touched": ["e4"]}, "Empty square", "touched[0]"),
        ({"touched": ["e2"], "moves": ["e2e5"]}, "Illegal move", "moves[0]"),
    ],
)
def test_the_judge_says_what_is_wrong_with_a_question_on_a_touch(said: dict, title: str, where: str) -> None:
    error = answer({"id": 1, "game": "chess", "ask": "touch", **said})["error"]
    assert (error["title"], error["where"]) == (title, where)
