"""Rows of prediction gomoku 预判 (V): the opening, predictions, limits, forbidden moves, verdicts."""

from hashlib import sha256
from pathlib import Path

import pytest

from tests.http.boards import Board, G, board
from tests.http.rows.answers import article, code, followed, result, rulings
from tests.rows.marks import plays, row

SALTS = {"black": "0123456789abcdef", "white": "fedcba9876543210"}
FOUR = "a1 c8 o15 d8"
WHITE_FIVE = "a15 e8 o1 f8 h1 g8"
"""After `FOUR`: White has five at ply 10."""


def sealed(b: Board, side: str, said: str, *seconds: str) -> None:
    followed(b.step(side, "seal", sha256((SALTS[side] + said).encode()).hexdigest(), *seconds))


def predicted(b: Board, moves: str, first: str, second: str) -> None:
    """The opening, and both predictions; the first player sits on Black's seat."""
    followed(b.moves(moves))
    said = {"black": first, "white": second}
    for side, prediction in said.items():
        sealed(b, side, prediction)
    for side, prediction in said.items():
        followed(b.step(side, "reveal", SALTS[side], prediction))


@row("V2", under="campus")
@row("V1", under="campus")
def test_the_first_player_places_black_1_and_white_4_and_nobody_passes_before_the_fifth(tmp_path: Path) -> None:
    """001 第二条 4, 第三条 2."""
    with board(tmp_path, "prediction") as b:
        seats = []
        for ply, stone in enumerate(FOUR.split(), 1):
            seats.append(b.get().json["to_move"])
            assert code(b.moves("pass", ply)) == (409, "illegal-move")
            followed(b.moves(stone, ply))
        assert seats == ["black", "white", "white", "black"]
    (tmp_path / "later").mkdir()
    with board(tmp_path / "later", "prediction") as b:
        predicted(b, FOUR, "白子40手", "黑子41手")
        followed(b.moves("pass", 5))
        assert b.get().json["ply"] == 5


@row("V3", under="campus")
def test_predictions_are_sealed_and_shown_together_and_none_is_changed(tmp_path: Path) -> None:
    """001 第三条 3."""
    with board(tmp_path, "prediction") as b:
        followed(b.moves(FOUR))
        sealed(b, "black", "白子42手")
        early = b.step("black", "reveal", SALTS["black"], "白子42手")
        assert code(early) == (409, "illegal-step"), "both are sealed first"
        sealed(b, "white", "黑子43手")
        other = b.step("black", "reveal", SALTS["black"], "白子40手")
        assert code(other) == (409, "illegal-step") and article(other) == "001 第三条 3"


@row("V3", under="campus")
@plays("game.prediction.share_of_time", 5)
@pytest.mark.parametrize(("seconds", "infractions"), [("720", []), ("721", ["flag"])])
def test_predicting_takes_a_fifth_of_the_time_at_most(tmp_path: Path, seconds: str, infractions: list[str]) -> None:
    """001 第三条 3(3)."""
    hour = {"periods": [{"seconds": 3600}], "flag": "claimed"}
    with board(tmp_path, "prediction", conditions={"time": hour}) as b:
        followed(b.moves(FOUR))
        sealed(b, "black", "白子42手", seconds)
        assert [name for name, *_ in rulings(b)] == infractions
        assert result(b) == ("1-0" if infractions else None)


@row("V4", under="campus")
@pytest.mark.parametrize(
    ("first", "second", "has_black"),
    [
        ("白子42手", "白子46手", "white"),  # the first player thinks White better than the second does
        ("白子46手", "白子42手", "black"),
        ("白子42手", "黑子43手", "white"),
        ("白子42手", "白子42手", "black"),  # 例4: of equal ones the first player has Black
    ],
)
def test_who_thinks_a_colour_better_takes_it(tmp_path: Path, first: str, second: str, has_black: str) -> None:
    """001 第三条 3(1): Black's next stone is placed by the seat that has his colour."""
    with board(tmp_path, "prediction") as b:
        predicted(b, FOUR, first, second)
        assert b.get().json["to_move"] == has_black


VERDICTS = [
    # rows, both predictions, moves from the fifth on, result, verdict
    (("V5", "V9"), "白子10手", "白子12手", WHITE_FIVE, "0-1", "白10手/白11手胜"),
    (("V5", "V9"), "白子10手", "白子10手", WHITE_FIVE, "1/2-1/2", "白10手/白10手和"),
    (("V5", "V9"), "白子8手", "白子8手", "a15 e8 o1 f8", "0-1", "黑8手/白8手胜"),
    (("V6", "V9"), "白子10手", "黑子11手", WHITE_FIVE, "0-1", "白10手/无限制胜"),
    (("V6", "V9"), "和", "黑子43手", WHITE_FIVE, "0-1", "白10手/黑无限制胜"),
]


@pytest.mark.parametrize(
    ("first", "second", "moves", "notation", "verdict"),
    [pytest.param(*rest, marks=[row(number, under="campus") for number in numbers]) for numbers, *rest in VERDICTS],
)
def test_the_limit_decides_and_the_verdict_is_told_in_words(
    tmp_path: Path, first: str, second: str, moves: str, notation: str, verdict: str
) -> None:
    """001 第三条 3(2), 5; 例1-例7."""
    with board(tmp_path, "prediction") as b:
        predicted(b, FOUR, first, second)
        followed(b.moves(moves, 5))
        assert (b.get().json["facts"]["verdict"], result(b)) == (verdict, notation)


@row("V9", under="campus")
def test_a_resignation_is_told_as_won_in_mid_game(tmp_path: Path) -> None:
    """001 5: 某色棋中盘胜."""
    with board(tmp_path, "prediction") as b:
        predicted(b, FOUR, "黑子43手", "白子42手")
        followed(b.moves("h8", 5), b.call("POST", f"{G}/end", {"termination": "resignation", "side": "black"}))
        question = {"id": 1, "game": "prediction", "ask": "verdict", "regulations": "campus", "resigned": "black"}
        told = b.call("POST", "/v1/judge", question | {"first": "黑子43手", "second": "白子42手"}, None).json
        assert (told["answer"]["string"], result(b)) == ("白中盘胜", "1-0")


@row("V7", under="campus")
@pytest.mark.parametrize(
    ("opening", "moves", "notation"),
    [("h8 a1 g8 c1", "i9 e1 i10 g1 i8", "1-0"), ("a1 h8 c1 g8", "e1 i9 g1 i10 a15 i8", "0-1")],
    ids=["Black's", "White's"],
)
def test_a_forbidden_stone_of_either_side_loses_at_once(
    tmp_path: Path, opening: str, moves: str, notation: str
) -> None:
    """001 第三条 4. Each seat keeps its colour here."""
    with board(tmp_path, "prediction") as b:
        predicted(b, opening, "黑子43手", "白子42手")
        ended = followed(b.moves(moves, 5))["events"][-1]["data"]
        assert (ended["termination"], result(b)) == ("forbidden_move", notation)


@row("V8", under="campus")
def test_where_a_game_must_be_decisive_a_criterion_decides_what_would_be_drawn(tmp_path: Path) -> None:
    """001 第三条 3(2), after 例4."""
    with board(tmp_path, "prediction") as b:
        followed(b.moves(FOUR))
        criterion = {"side": "black", "step": "criterion", "values": ["black"]}
        assert code(b.call("POST", f"{G}/steps", criterion)) == (403, "role-may-not")
        followed(b.call("POST", f"{G}/steps", criterion, "arbiter"))
        for side in SALTS:
            sealed(b, side, "白子10手")
        for side, salt in SALTS.items():
            followed(b.step(side, "reveal", salt, "白子10手"))
        drawn = b.call("POST", f"{G}/end", {"termination": "agreement"}, "arbiter")
        assert code(drawn) == (409, "must-be-decisive")
        followed(b.moves(WHITE_FIVE, 5))
        assert result(b) == "0-1", "恰好 would be drawn, and Black was agreed on"
