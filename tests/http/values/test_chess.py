"""The values of chess: each reading is announced as a change of the campus event's, and plays to another result."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.http.boards import Board, G
from tests.http.values.play import changed, claim, followed, refused, result, upheld
from tests.rows.marks import plays

TO_AND_FRO = "g1f3 g8f6 f3g1 f6g8"
KNIGHT_AGAINST_QUEEN = (
    "h2h4 g8f6 a2a4 d7d6 c2c4 c8d7 a1a2 d7a4 a2a4 e7e6 a4a7 a8a7 g2g4 f6g4 g1f3 d8h4 h1h4 g4f2 e1f2 c7c5 "
    "h4h7 h8h7 f3h4 h7h4 d1b3 h4c4 b3c4 e8d8 c4h4 f7f6 h4c4 f8e7 c4e6 d6d5 e6d5 e7d6 d5d6 d8c8 d6c5 c8d8 "
    "c5a7 b8c6 a7b7 c6e5 b7g7 e5c6 g7f6 d8c8 e2e3 c6a5 f2g1 a5b7 d2d3 b7c5 f6d4 c5b3 d4f6 b3c1 f1h3 c8c7 "
    "f6h6 c1d3 h6g6 d3b2 h3d7 c7d7 g1h2 d7e7 g6h7 e7f6 h2g2 f6e5 h7h4 b2d1 h4h5 e5d6 b1a3 d1e3 g2g1 d6d7 "
    "a3c2 e3c2"
)
"""A game in which White's king and queen are left against Black's king and knight, which cannot mate them."""


def event(data: Path, **values: Any) -> AbstractContextManager[Board]:
    return changed(data, "campus", "chess", **values)


def other(data: Path) -> Path:
    (data / "other").mkdir()
    return data / "other"


def back(b: Board) -> Any:
    return b.call("POST", f"{G}/take-back", {"to_ply": 0, "reason": "wrong_colours"}, "arbiter")


@plays("game.chess.flag_needs", "more_than_king", "possible_mate")
def test_a_flag_against_a_knight_that_cannot_mate_a_queen_loses_or_draws(tmp_path: Path) -> None:
    """000-A 国际象棋, 对局结束 5, 14; Laws 6.9."""
    with event(tmp_path) as b, event(other(tmp_path), flag_needs="possible_mate") as c:
        for one in (b, c):
            followed(one.moves(KNIGHT_AGAINST_QUEEN), claim(one, "flag", side="black"))
        assert (result(b), result(c)) == ("0-1", "1/2-1/2")


@plays("game.chess.colours_until_moves", 0, 1, 3)
def test_reversed_colours_are_played_anew_or_on_by_clocks_or_from_a_number_of_moves_on(tmp_path: Path) -> None:
    """000-A 国际象棋, 不合规则 5; Laws 7.3."""
    for moves in (0, 1, 3):
        (tmp_path / str(moves)).mkdir()
        with event(tmp_path / str(moves), colours_until_moves=moves) as b:
            followed(b.moves("e2e4 e7e5"))
            on = b.call("POST", f"{G}/steps", {"side": "white", "step": "correct_colours", "values": []}, "arbiter")
            if moves == 3:
                assert refused(on)[0] == "illegal-step"
                followed(back(b))
            else:
                followed(on)
                assert back(b).status_code == (201 if moves == 0 else 409), "by the clocks the arbiter may have either"


@plays("game.chess.touch_ends_claim", True, False)
def test_who_has_touched_a_piece_claims_no_draw_with_that_move_or_may(tmp_path: Path) -> None:
    """000-A 国际象棋, 对局结束 11; Laws 9.4."""
    with event(tmp_path) as b, event(other(tmp_path), touch_ends_claim=True) as c:
        for one in (b, c):
            followed(one.moves(" ".join([TO_AND_FRO] * 2)), claim(one, "touch", squares=["g1"]))
        assert upheld(claim(b, "threefold_repetition", "board", side="white"))
        assert refused(claim(c, "threefold_repetition", "board", side="white"))[0] == "claim-right-lost"
        assert (result(b), result(c)) == ("1/2-1/2", None)


@plays("game.chess.repetitions", 3, 4, 5)
def test_the_third_fourth_or_fifth_occurrence_is_drawn_by_claim(tmp_path: Path) -> None:
    """000-A 国际象棋, 对局结束 10; Laws 9.2, 9.6.1."""
    for times in (3, 4, 5):
        (tmp_path / str(times)).mkdir()
        with event(tmp_path / str(times), repetitions=times) as b:
            followed(b.moves(" ".join([TO_AND_FRO] * (times - 2))))
            assert not upheld(claim(b, "threefold_repetition", "board", side="white"))
            followed(b.moves(TO_AND_FRO, 4 * (times - 2) + 1))
            assert upheld(claim(b, "threefold_repetition", "board", side="white"))
            assert result(b) == "1/2-1/2"


@plays("game.chess.quiet_moves", 50, 75, 10)
@pytest.mark.parametrize("moves", [10, 50, 75])
def test_ten_fifty_or_seventy_five_quiet_moves_are_drawn_by_claim(tmp_path: Path, moves: int) -> None:
    """000-A 国际象棋, 对局结束 12; Laws 9.3, 9.6.2."""
    for number in (10, 50, 75):
        (tmp_path / str(number)).mkdir()
        with event(tmp_path / str(number), quiet_moves=number) as b:
            plies = " ".join([TO_AND_FRO] * 38).split()[: 2 * moves]
            followed(b.moves(" ".join(plies)))
            assert upheld(claim(b, "fifty_moves", "board", side="white")) == (moves >= number)


LOCKED = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1"


@plays("game.chess.automatic_repetitions", 0, 5)
def test_five_occurrences_draw_by_the_laws_alone(tmp_path: Path) -> None:
    """Laws 9.6.1; 000-A 国际象棋, 对局结束 10 has no such rule."""
    with event(tmp_path) as b, event(other(tmp_path), automatic_repetitions=5) as c:
        followed(b.moves(" ".join([TO_AND_FRO] * 5)))
        followed(c.moves(" ".join([TO_AND_FRO] * 4)))
        assert refused(c.moves("e2e4", 17)) == ("game-over", None)
        assert (result(b), result(c)) == (None, "1/2-1/2")


@plays("game.chess.automatic_quiet_moves", 0, 75)
def test_75_quiet_moves_draw_by_the_laws_alone(tmp_path: Path) -> None:
    """Laws 9.6.2; 000-A 国际象棋, 对局结束 12 has no such rule."""
    with event(tmp_path) as b, event(other(tmp_path), automatic_quiet_moves=75) as c:
        for one in (b, c):
            followed(one.moves(" ".join([TO_AND_FRO] * 38).rsplit(" ", 3)[0]))
            assert result(one) is None
            followed(one.moves("g8f6", 150))
        assert (result(b), result(c)) == (None, "1/2-1/2")


@plays("game.chess.dead_position", "material", "stated")
def test_a_dead_position_draws_by_the_laws_alone(tmp_path: Path) -> None:
    """Laws 5.2.2; 000-A 国际象棋, 对局结束 4 lists the endings."""
    with event(tmp_path) as b, event(other(tmp_path), dead_position="stated") as c:
        for one in (b, c):
            followed(one.call("POST", f"{G}/start", {"position": LOCKED}, "arbiter"))
        assert refused(claim(b, "dead_position"))[0] == "claim-not-in-rules" and upheld(claim(c, "dead_position"))
        assert (result(b), result(c)) == (None, "1/2-1/2")
