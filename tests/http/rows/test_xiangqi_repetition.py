"""Rows of xiangqi's repetitions 棋例 (X7, X13-X19): claimed at a board, and asked of the judge."""

from pathlib import Path
from typing import Any

import pytest

from tests.http.boards import Board, board
from tests.http.rows.answers import claim, followed, result
from tests.http.rows.xiangqi import BEFORE_CHASES, BEFORE_CHECKS, BOTH, CHASES, CHECKS, IDLE, ended, rows
from tests.rows.marks import plays, row


@plays("game.xiangqi.repetitions", 3)
@pytest.mark.parametrize(("regulations", "asked"), rows("X13", ({"side": "black"},), ({},)))
def test_a_repetition_of_idle_moves_draws_asked_for_or_not(
    tmp_path: Path, regulations: str, asked: dict[str, str]
) -> None:
    """不变作和."""
    with board(tmp_path, "xiangqi", regulations) as b:
        followed(b.moves(IDLE * 2))
        answer = claim(b, "repetition", "player" if asked else "arbiter", **asked)
        assert "neither side has to vary" in answer["grounds"]
        ended(b, answer, "1/2-1/2", "repetition", "002-X 24.2, 26.2")


@pytest.mark.parametrize(
    "regulations", [pytest.param(name, marks=[row(n, under=name) for n in ("X14", "X15")]) for name in BOTH]
)
def test_one_sided_perpetual_check_loses_at_once(tmp_path: Path, regulations: str) -> None:
    """002-X 24.1: 一方长将立即判负."""
    with board(tmp_path, "xiangqi", regulations) as b:
        followed(b.moves(BEFORE_CHECKS + CHECKS * 2))
        answer = claim(b, "repetition", "player", side="black")
        assert "always check" in answer["grounds"]
        ended(b, answer, "0-1", "perpetual_check", "002-X 24.1, 26.1")


@pytest.mark.parametrize(
    "regulations", [pytest.param(name, marks=[row(n, under=name) for n in ("X7", "X14", "X15")]) for name in BOTH]
)
def test_who_chases_against_idle_moves_must_vary_and_loses_with_the_cycle_once_more(
    tmp_path: Path, regulations: str
) -> None:
    """002-X 24.3, 4.1.7."""
    with board(tmp_path, "xiangqi", regulations) as b:
        followed(b.moves(BEFORE_CHASES + CHASES * 2))
        warned = claim(b, "repetition", "player", side="white")
        assert (warned["state"], warned["article"]) == ("upheld", "002-X 24.3, 26.4") and result(b) is None
        assert "must vary" in warned["grounds"]
        followed(b.moves(CHASES, 13))
        ended(b, claim(b, "repetition", "player", side="white"), "1-0", "forbidden_repetition", "002-X 24.3, 4.1.7")


@row("X15", under="campus")
@row("X15", under="xiangqi-1999")
def test_who_varies_in_time_goes_on(tmp_path: Path) -> None:
    """002-X 26: a cycle with an idle move is allowed."""
    for name in BOTH:
        (tmp_path / name).mkdir()
        with board(tmp_path / name, "xiangqi", name) as b:
            followed(b.moves(BEFORE_CHASES + CHASES * 2))
            claim(b, "repetition", "player", side="white")
            followed(b.moves("f1f4 e6e5 f4f1 e5e4", 13))
            assert claim(b, "repetition", "player", side="white")["state"] == "denied" and result(b) is None


JUDGED = [
    # row, name, position, cycle, Red's kinds, verdict
    ("X15", "长杀", "3k5/1R7/9/6r2/9/9/6R2/9/4K4/9 w", "g3h3 g6h6 h3g3 h6g6", "杀", "black_wins"),
    ("X15", "一将一捉", "4k4/9/c7R/9/9/9/9/9/4A4/3A1K3 w", "i7i9 e9e8 i9i7 e8e9", "将捉", "black_wins"),
    ("X15", "数捉一闲", "3aka3/9/c3b4/9/9/9/1R7/4B4/9/3AKA3 w", "b3a3 d9e8 a3b3 e8d9", "捉闲", "draw"),
    ("X15", "长兑", "3aka3/9/2r1b4/9/9/1R7/9/4B4/9/3AKA3 w", "b4c4 c7b7 c4b4 b7c7", "闲", "draw"),
    ("X16", "帅捉", "5k3/9/9/9/9/9/9/3c5/4K4/9 w", "e1e2 d2d1 e2e1 d1d2", "闲", "draw"),
    ("X16", "兵捉", "4k4/9/4c4/3P5/9/9/9/9/9/5K3 w", "d6e6 e7d7 e6d6 d7e7", "闲", "draw"),
    ("X16", "相互长打", "3aka3/1CC6/2r1b4/1P7/9/9/9/4B4/9/3AKA3 w", "b6c6 c7b7 c6b6 b7c7", "捉", "draw"),
    ("X17", "将兼捉", "4k4/9/9/9/9/9/c7R/9/4A4/3A1K3 w", "i3i9 e9e8 i9i3 e8e9", "将捉", "black_wins"),
    ("X18", "无根子", "3aka3/9/c3b4/9/9/9/1R7/4B4/9/3AKA3 w", "b3a3 a7b7 a3b3 b7a7", "捉", "black_wins"),
    ("X18", "有根子", "3aka3/9/c3r4/9/9/9/1R7/4B4/9/3AKA3 w", "b3a3 a7b7 a3b3 b7a7", "闲", "draw"),
    ("X18", "假根", "3aka3/9/c3r4/9/9/4R4/1R7/9/9/3AKA3 w", "b3a3 a7b7 a3b3 b7a7", "捉", "black_wins"),
    ("X18", "少根", "3aka3/9/c3r4/9/9/9/1R7/R3B4/9/3AKA3 w", "b3a3 d9e8 a3b3 e8d9", "捉闲", "draw"),
    ("X18", "数子", "3aka3/9/4b3c/n8/9/R8/9/4B4/9/3AKA3 w", "a4i4 d9e8 i4a4 e8d9", "捉", "black_wins"),
    ("X18", "taker mated", "3aka3/9/c3b4/9/3r5/9/3r5/4p4/9/1R2K4 w", "b0a0 a7b7 a0b0 b7a7", "闲", "draw"),
    ("X19", "马捉有根车", "3aka3/9/4b4/3r4r/9/9/4N4/4B4/9/3AKA3 w", "e3c4 f9e8 c4e3 e8f9", "捉闲", "draw"),
    ("X19", "车吃有根马", "3aka3/9/4b4/n3r4/9/9/1R7/4B4/9/3AKA3 w", "b3a3 f9e8 a3b3 e8f9", "闲", "draw"),
    ("X19", "未过河卒", "3aka3/9/4b4/p1p6/9/9/1R7/4B4/9/3AKA3 w", "b3a3 d9e8 a3b3 e8d9", "闲", "draw"),
]


def judged(b: Board, fen: str, cycle: str, **more: Any) -> Any:
    body = {"id": 1, "game": "xiangqi", "ask": "repetition", "fen": fen, "moves": cycle.split() * 2}
    return b.call("POST", "/v1/judge", body | {"regulations": "xiangqi-1999"} | more, None).json["answer"]


@plays("game.xiangqi.worth.chariot", 4)
@plays("game.xiangqi.worth.horse", 2)
@plays("game.xiangqi.worth.cannon", 2)
@plays("game.xiangqi.worth.advisor", 1)
@plays("game.xiangqi.worth.elephant", 1)
@plays("game.xiangqi.mate_within", 3)
@plays("game.xiangqi.chase_within", 1)
@plays("game.xiangqi.sound_within", 1)
@pytest.mark.parametrize(
    ("name", "fen", "cycle", "kinds", "verdict"),
    [pytest.param(*rest, marks=row(number, under="xiangqi-1999"), id=rest[0]) for number, *rest in JUDGED],
)
def test_the_judge_names_the_moves_of_a_cycle_and_judges_it(
    tmp_path: Path, name: str, fen: str, cycle: str, kinds: str, verdict: str
) -> None:
    with board(tmp_path, "xiangqi", "xiangqi-1999") as b:
        answer = judged(b, fen, cycle)
        length = len(kinds)
        assert ("".join(answer["kinds"]["red"][:length]), answer["verdict"]) == (kinds, verdict), answer["explanation"]


@row("X17", under="xiangqi-1999")
def test_chasing_an_elephant_is_idle_where_the_referee_finds_a_defence_point_taken(tmp_path: Path) -> None:
    """002-X 27.3: the referee's eye is given to the judge, never guessed."""
    elephant = ("3aka3/9/b8/9/9/9/2R6/4B4/9/3AKA3 w", "c3a3 a7c9 a3c3 c9a7")
    with board(tmp_path, "xiangqi", "xiangqi-1999") as b:
        assert judged(b, *elephant)["verdict"] == "black_wins"
        excused = judged(b, *elephant, defence_point=["red"])
        assert excused["verdict"] == "draw" and "27.3" in excused["explanation"][0]
