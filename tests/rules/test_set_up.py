"""Positions that are set up: read, kept as a text that reads the same again, or refused by what is wrong."""

from dataclasses import replace
from typing import Any

import chess
import pytest

from services.games.rules.boards.port.position import BadPosition, LegalMove
from services.games.rules.boards.registry import GAMES, default_rules

XIANGQI = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"


def set_up(game: str, text: str) -> Any:
    read = GAMES[game].set_up
    assert read is not None
    return read(default_rules(game), text)


KEPT = [
    ("chess", "4k3/8/8/8/8/8/4P3/4K3 b - - 7 31", "4k3/8/8/8/8/8/4P3/4K3 b - - 7 31", "black"),
    ("chess", "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 9", "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 9", "white"),
    ("chess", "chess960 0", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", "white"),
    ("chess", "chess960 518", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", "white"),
    ("xiangqi", f"{XIANGQI} b", f"{XIANGQI} b - - 0 1", "black"),
    ("xiangqi", "4k4/4h4/4e4/9/9/9/9/9/4A4/3K1H3 r", "4k4/4n4/4b4/9/9/9/9/9/4A4/3K1N3 w - - 0 1", "white"),
    ("xiangqi", "让先", f"{XIANGQI} b - - 0 1", "black"),
    ("xiangqi", "讓雙馬", f"{XIANGQI.replace('RNBAKABNR', 'R1BAKAB1R')} w - - 0 1", "white"),
    ("xiangqi", "让单马", f"{XIANGQI.replace('RNBAKABNR', 'R1BAKABNR')} w - - 0 1", "white"),
    ("go", "HA 2", "HA 2 AB D4 Q16 PL W", "white"),
    ("go", "HA[2]AB[Q16][D3]", "HA 2 AB D3 Q16 PL W", "white"),
    ("go", "ab d4 q16 aw k10 pl b km -0.5", "AB D4 Q16 AW K10 PL B KM -0.5", "black"),
    ("go", "KM 0", "PL B KM 0", "black"),
    ("gomoku", "AB h8 AW i9 PL black", "AB h8 AW i9 PL B", "black"),
    ("renju", "AB[h8][h10]AW[h9]PL[W]", "AB h8 h10 AW h9 PL W", "white"),
]


@pytest.mark.parametrize(("game", "text", "kept", "to_move"), KEPT)
def test_a_position_is_kept_as_a_text_that_reads_the_same_again(game: str, text: str, kept: str, to_move: str) -> None:
    one = set_up(game, text)
    assert (one.text, one.position.to_move()) == (kept, to_move)
    again = set_up(game, one.text)
    assert (again.text, again.position.text()) == (kept, one.position.text())


USUAL = [
    ("chess", chess.STARTING_FEN),
    ("xiangqi", f"{XIANGQI} r - - 0 1"),
    ("go", "PL B"),
    ("gomoku", "PL B"),
    ("go", "HA 0"),
]


@pytest.mark.parametrize(("game", "text"), USUAL)
def test_the_usual_position_is_none_that_was_set_up(game: str, text: str) -> None:
    assert set_up(game, text) is None


REFUSED = [
    ("chess", "4k3/8/8/8/8/8/8/8 w - - 0 1", "the position has no white king"),
    ("chess", "4k3/8/8/8/8/8/8/2K1K3 w - - 0 1", "too many kings"),
    ("chess", "4k3/8/8/8/8/8/4r3/4K3 b - - 0 1", "opposite check"),
    ("chess", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "pawns on backrank"),
    ("chess", "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "bad castling rights"),
    ("chess", "4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "invalid ep square"),
    ("chess", "4k3/8/8/8/8/8/8/4K3", "FEN must have 4 or 6 fields, not 1"),
    ("chess", "4k3/8/8/8/8/8/8/4K4 w - -", "rank 1 has 9 squares"),
    ("chess", "4k3/8/8/8/8/8/44/4K3 w - -", "4 on rank 2 is not a piece"),
    ("chess", "4k3/8/8/8/8/8/8 w - -", "eight ranks, not 7"),
    ("chess", "4k3/8/8/8/8/8/8/4K3 r - - 0 1", "the side to move must be w or b, not r"),
    ("chess", "4k3/8/8/8/8/8/8/4K3 w - - x 1", "the half-move clock must be a whole number, not x"),
    ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 ٣", "the move number must be a whole number"),
    ("chess", "chess960 960", "must be from 0 to 959"),
    ("xiangqi", "4k4/9/9/9/9/9/9/9/9/4K4 w", "the kings face each other"),
    ("xiangqi", "4k4/4R4/9/9/9/9/9/9/9/3K5 w", "the side to move could take the king"),
    ("xiangqi", "4k4/9/9/9/9/9/9/9/9/3KK4 w", "the position has 2 K; it must have exactly one"),
    ("xiangqi", "4k4/9/9/9/9/9/9/9/P8/3K5 w", "P cannot be on a1"),
    ("xiangqi", "4k4/9/9/9/9/9/9/9/9/3K5", "the side to move"),
    ("xiangqi", "4k4/9/9/9/9/9/9/9/9/3K5 x", "w, r or b, not x"),
    ("xiangqi", "让王", "unknown handicap"),
    ("go", "AB D4", "PL must state the side to move"),
    ("go", "AB D4 AW D4 PL W", "two stones are on D4"),
    ("go", "AB I4 PL W", "I4 is not a point of this board"),
    ("go", "HA 3 AB D4 Q16", "HA states 3 handicap stones, but AB lists 2"),
    ("go", "HA 12", "19 lines has no fixed points for 12 handicap stones"),
    ("go", "AB A2 B1 AW A1 PL W", "the stones around A1 have no liberty"),
    ("go", "D4", "D4 is before AB"),
    ("go", "AB D4 PL X", "PL must be B or W, not X"),
    ("go", "AB D4 AB D5 PL W", "AB appears twice"),
    ("go", "AB D4 PL B W", "PL must have one value, not 2"),
    ("go", "KM 3.3", "KM must be a number"),
    ("go", "HA two", "HA must be a number of stones, not two"),
    ("go", " ", "the position is empty"),
    ("gomoku", "AB p8 PL W", "p8 is not a point"),
    ("renju", "HA 2", "HA is for Go"),
]


@pytest.mark.parametrize(("game", "text", "why"), REFUSED)
def test_what_is_no_position_is_refused_by_what_is_wrong(game: str, text: str, why: str) -> None:
    with pytest.raises(BadPosition) as refused:
        set_up(game, text)
    assert why in str(refused.value)


def test_every_start_of_chess960_is_that_of_its_number() -> None:
    for number in range(960):
        one = set_up("chess", f"chess960 {number}")
        assert chess.Board(one.text, chess960=True).chess960_pos() == number


def test_castling_in_chess960_is_written_and_read_as_the_king_that_takes_its_rook() -> None:
    position = set_up("chess", "1k5r/8/8/8/8/8/8/1KR5 w C - 0 1").position
    assert position.castling("b1", "c1") == "b1c1"
    assert position.castling("c1", "b1") is None
    assert position.san("b1c1") == "O-O"
    assert position.play("O-O") == LegalMove("b1c1")
    assert position.text().startswith("1k5r/8/8/8/8/8/8/5RK1 b - -")


def test_a_set_up_renju_game_has_no_opening_and_its_forbidden_stones_count() -> None:
    position = set_up("renju", "AB f8 g8 h9 h10 AW a1 c1 e1 PL B").position
    assert position.play("h8") == LegalMove("h8")
    assert [one.kind for one in position.claimable()] == ["double_three"]


def test_superko_remembers_the_position_that_was_set_up() -> None:
    """A ko: Black takes, White passes elsewhere, and taking back would make the set-up position again."""
    rules = default_rules("go")
    read = GAMES["go"].set_up
    assert read is not None

    one = read(replace(rules, positional_superko=True), "AB C4 D3 D5 AW E3 E5 F4 D4 PL B")
    assert one is not None
    position = one.position
    assert position.play("E4") == LegalMove("E4")
    assert "ko" in str(getattr(position.play("D4"), "reason", ""))
