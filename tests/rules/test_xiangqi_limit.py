"""The natural limit 自然限着 and positions that nobody can win (002-X 4.2.1, 4.2.4, 23.3)."""

from dataclasses import replace

import pytest

from services.games.rules.boards.registry import default_rules
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.claims import Count, count
from services.games.rules.boards.xiangqi.geometry import BLACK, RED, move_of
from services.games.rules.boards.xiangqi.position import can_win, drawn_material

RULES = default_rules("xiangqi")
QUIET = ("4k4/9/9/9/9/9/8p/9/9/R2A1K3 w", "a0b0 e9e8 b0a0 e8e9")
CHECKING = ("4k4/8R/9/9/9/9/9/9/4A4/3A1K3 w", "i8i9 e9e8 i9i8 e8e9")


def counted(text: str, cycle: str, plies: int, claimant: int | None) -> Count:
    moves = [move_of(move) for move in cycle.split()]
    played = [moves[n % len(moves)] for n in range(plies)]
    return count(fen.read(text)[0], played, claimant, RULES)


def test_sixty_rounds_without_a_capture_reach_the_limit():
    assert RULES.natural_limit_rounds == 60
    assert not counted(*QUIET, plies=119, claimant=RED).reaches(60)
    assert counted(*QUIET, plies=120, claimant=RED) == Count(plies=120, own_checks=0, rounds=60)
    assert counted(*QUIET, plies=120, claimant=RED).reaches(60)


def test_a_competition_may_set_a_lower_limit():
    """000-A: 40 rounds; 002-X 4.2.4: 也可根据比赛等级酌减."""
    assert counted(*QUIET, plies=80, claimant=BLACK).reaches(40)


@pytest.mark.parametrize("plies, own, rounds", [(20, 10, 10), (22, 11, 10), (40, 20, 10), (120, 60, 10)])
def test_of_the_claimants_own_checks_at_most_ten_count(plies, own, rounds):
    assert counted(*CHECKING, plies=plies, claimant=RED) == Count(plies, own, rounds)


def test_the_checks_of_the_other_side_all_count():
    assert counted(*CHECKING, plies=120, claimant=BLACK) == Count(plies=120, own_checks=0, rounds=60)


def test_the_arbiter_may_count_without_a_claim():
    """23.3: 双方均未审核时,裁判经审核着数亦可判和; the cap is on the claimant alone."""
    assert counted(*CHECKING, plies=120, claimant=None) == Count(plies=120, own_checks=0, rounds=60)


def test_a_capture_starts_the_count_again():
    text = "4k4/8R/8n/9/9/9/9/9/4A4/3A1K3 w"
    moves = [move_of(move) for move in ["i8i9", "e9e8", "i9i7", "e8e9", "i7i9", "e9e8"]]
    assert count(fen.read(text)[0], moves, RED, RULES) == Count(plies=3, own_checks=1, rounds=1)


def test_the_plies_that_a_position_brings_count_too():
    board, _ = fen.read(f"{QUIET[0]} - - 119 1")
    assert count(board, [], RED, RULES).rounds == 59
    assert count(board, [move_of("a0b0")], RED, RULES).rounds == 60


def test_how_many_own_checks_count_is_the_regulations():
    text, cycle = CHECKING
    moves = [move_of(move) for move in cycle.split()] * 10
    assert count(fen.read(text)[0], moves, RED, replace(RULES, own_checks_counted=20)).rounds == 20


@pytest.mark.parametrize(
    "what, text, red, black",
    [
        ("kings alone", "4k4/9/9/9/9/9/9/9/9/3K5 w", False, False),
        ("advisors and elephants", "2bak4/4a4/9/9/9/9/9/4B4/4A4/3AK1B2 w", False, False),
        ("a cannon, and nothing to screen it", "4k4/9/9/9/9/9/9/9/9/3K4C w", False, False),
        ("a cannon and an advisor of either side", "4k4/4a4/9/9/9/9/9/9/9/3K4C w", True, False),
        ("a pawn, crossed or not", "4k4/9/9/9/9/9/P8/9/9/3K5 w", True, False),
        ("a horse", "4k4/9/9/9/9/9/9/9/9/3K4n w", False, True),
        ("both", fen.START, True, True),
    ],
)
def test_only_what_crosses_the_river_can_win(what, text, red, black):
    board, _ = fen.parse(text)
    assert (can_win(board, RED), can_win(board, BLACK)) == (red, black), what
    assert drawn_material(board) == (not red and not black)
