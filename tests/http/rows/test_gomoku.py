"""Rows of free gomoku 五子棋 (M): the first hand, five, the count of fours, ends."""

from pathlib import Path

import pytest

from tests.http.boards import G, T, board
from tests.http.rows.answers import article, claim, code, followed, result, rule, rulings
from tests.http.rows.five import FAR, THREE_THREE, end, full_board
from tests.rows.marks import row


@row("M1", under="gomoku-campus")
@pytest.mark.parametrize(("moves", "wrong"), [("", "h9"), ("h8", "h3")])
def test_the_first_stones_have_their_places_and_else_it_is_a_technical_foul(
    tmp_path: Path, moves: str, wrong: str
) -> None:
    """000-B 1, 2."""
    with board(tmp_path, "gomoku", "gomoku-campus") as b:
        followed(*([b.moves(moves)] if moves else [b.call("POST", f"{G}/start", role="arbiter")]))
        ply = len(moves.split()) + 1
        refused = b.moves(wrong, ply)
        assert code(refused) == (409, "illegal-move") and "000-B 2" in article(refused)
        claim(b, "illegal_move", side="white" if not moves else "black", move=wrong)
        assert rulings(b) == [("stray_stone", "foul", "000-B 2")]
        followed(b.moves("h8" if not moves else "h9", ply))


@row("M1", under="gomoku-campus")
def test_nothing_is_forbidden(tmp_path: Path) -> None:
    with board(tmp_path, "gomoku", "gomoku-campus") as b:
        moves = [stone for pair in zip(THREE_THREE, FAR, strict=False) for stone in pair]
        followed(b.moves(" ".join(moves)))
        assert result(b) is None


@row("M2", under="gomoku-campus")
@pytest.mark.parametrize(("grabbed", "guess", "first"), [("7", "odd", "black"), ("7", "even", "white")])
def test_who_guesses_right_moves_first(tmp_path: Path, grabbed: str, guess: str, first: str) -> None:
    """000-B 3."""
    with board(tmp_path, "gomoku", "gomoku-campus") as b:
        followed(b.step("black", "guess", guess, grabbed))
        assert b.get().json["to_move"] == first


@row("M3", under="gomoku-campus")
@pytest.mark.parametrize("black", ["h8 i8 j8 k8 l8", "h8 i9 j10 k11 l12", "h8 i8 j8 l8 m8 k8"])
def test_five_or_more_win(tmp_path: Path, black: str) -> None:
    """000-B 5; 000-D ㈡(1)."""
    stones = black.split()
    white = ("h9", "a15", "c15", "e15", "g15")
    moves = [stone for pair in zip(stones, white, strict=False) for stone in pair][: 2 * len(stones) - 1]
    with board(tmp_path, "gomoku", "gomoku-campus") as b:
        moves = moves if len(moves) % 2 else [*moves, stones[-1]]
        assert end(followed(b.moves(" ".join(moves))))[0] == "five" and result(b) == "0-1"


@row("M4", under="gomoku-campus")
@pytest.mark.parametrize(("moves", "notation"), [("h8 h9 i8 a9 j8 c9 k8 e9", "0-1"), ("h8 h9", "1/2-1/2")])
def test_when_the_time_is_up_more_fours_win_and_as_many_draw(tmp_path: Path, moves: str, notation: str) -> None:
    """000-B 8: 4连子."""
    with board(tmp_path, "gomoku", "gomoku-campus") as b:
        followed(b.moves(moves))
        assert claim(b, "time_up", "player", side="black")["state"] == "denied", "the arbiter says when"
        assert end(claim(b, "time_up"))[0] == "fours" and result(b) == notation


@row("M7", under="gomoku-campus")
def test_a_pushed_stone_goes_to_its_first_point_and_wilful_removal_loses(tmp_path: Path) -> None:
    """000-B 6, 7."""
    with board(tmp_path, "gomoku", "gomoku-campus") as b:
        followed(
            b.moves("h8 h9 i8"), b.call("POST", f"{G}/take-back", {"to_ply": 2, "reason": "pushed_stone"}, "arbiter")
        )
        followed(b.moves("i9", 3))
        rule(b, 1, "removing_stones")
        assert (rulings(b), result(b)) == ([("removing_stones", "set_marks", "000-B 7")], "0-1")


@row("M8", under="gomoku-campus")
def test_a_full_board_is_drawn_in_gomoku(tmp_path: Path) -> None:
    """000-D ㈡(2)."""
    with board(tmp_path, "gomoku", "gomoku-campus") as b:
        assert end(followed(b.moves(full_board())))[0] == "full_board" and result(b) == "1/2-1/2"


@row("M8", under="gomoku-campus")
@pytest.mark.parametrize(("seconds", "notation"), [("10", "0-1"), ("11", None)])
def test_a_resignation_is_confirmed_within_ten_seconds_or_void(
    tmp_path: Path, seconds: str, notation: str | None
) -> None:
    """000-D ㈢(1)."""
    with board(tmp_path, "gomoku", "gomoku-campus") as b:
        followed(b.moves("h8 h9"))
        assert claim(b, "resignation", "player", side="white")["state"] == "pending"
        followed(b.step("white", "confirm_resignation", seconds))
        assert result(b) == notation


@row("M9", under="gomoku-campus")
@pytest.mark.parametrize(("reading", "infractions"), [(1, []), (0, ["flag"])])
def test_points_are_two_one_and_none_and_the_time_is_kept(tmp_path: Path, reading: int, infractions: list[str]) -> None:
    """000-E 2, 3, 6."""
    with board(tmp_path, "gomoku", "gomoku-campus") as b:
        followed(b.call("POST", f"{G}/moves", {"ply": 1, "moves": [{"move": "h8", "clock": reading}]}))
        assert [name for name, *_ in rulings(b)] == infractions
        results = {"round": 1, "results": [{"board": 2, "result": "1/2-1/2"}]}
        followed(b.call("POST", f"{T}/results", results, "arbiter"))
        drawn = b.call("GET", "/v1/games/T.1.2", role=None).json["result"]
        assert drawn["white"]["points"] == 1.0, "a draw is one point"
