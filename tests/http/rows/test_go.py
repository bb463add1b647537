"""Rows of Go 围棋 (G): komi, colours, stones taken back, ko, the end and the count."""

from pathlib import Path
from typing import Any

import pytest

from tests.http.boards import Board, G, T, board
from tests.http.rows.answers import article, claim, code, followed, result, rule, rulings
from tests.rows.marks import plays, row

KO = "D5 E5 C4 F4 D3 E3 K10 D4 E4"
"""Black's last stone takes D4 in a ko; White may not take back at D4 at once."""
SUICIDE = "A2 K10 B1 K11 Q16"
"""White has no liberty on A1."""
BOTH = ("go-campus", "campus")


def rows(number: str, *cases: Any) -> list[Any]:
    return [pytest.param(name, *case, marks=row(number, under=name)) for name in BOTH for case in cases]


def walls(black: str, white: str) -> str:
    """Stones on two whole files."""
    return " ".join(f"{black}{n} {white}{n}" for n in range(1, 20))


def counted(b: Board, moves: str, *dead: str) -> Any:
    """Both sides pass and agree on the dead stones; the last answer."""
    followed(b.moves(moves))
    ply = len(moves.split()) + 1
    followed(b.moves("PASS PASS", ply))
    due = b.get().json["to_move"]
    sides = (due, "white" if due == "black" else "black")
    return followed(*(b.step(side, "dead", *dead) for side in sides))


@pytest.mark.parametrize(
    ("regulations", "moves", "winner"),
    # Black has nine files and 171 points, or ten and 190: he needs more than 184 1/4
    rows("G1", (walls("J", "K"), "1-0"), (walls("K", "L"), "0-1"))
    + rows("G11", (walls("J", "K"), "1-0"), (walls("K", "L"), "0-1")),
)
def test_black_needs_more_than_184_and_a_quarter(tmp_path: Path, regulations: str, moves: str, winner: str) -> None:
    """000-A 围棋, 贴子: the area of 19 lines, 数子法. White's seat is the first of a result."""
    with board(tmp_path, "go", regulations) as b:
        end = counted(b, moves)["events"][-1]["data"]
        assert (end["termination"], result(b)) == ("counted", winner) and "贴子" in end["article"]


@plays("game.go.colours_until", 10)
@pytest.mark.parametrize(("regulations", "plies", "may"), rows("G2", (10, True), (11, False)))
def test_colours_taken_by_mistake_are_put_right_up_to_the_tenth_move(
    tmp_path: Path, regulations: str, plies: int, may: bool
) -> None:
    with board(tmp_path, "go", regulations) as b:
        followed(b.moves(" ".join(walls("C", "R").split()[:plies])))
        answer = b.call("POST", f"{G}/steps", {"side": "white", "step": "correct_colours"}, "arbiter")
        if may:
            followed(answer)
            assert b.get().json["facts"]["black"] == "white", "White's seat has the black stones"
        else:
            assert answer.status_code == 409 and "行棋 1" in article(answer)


@pytest.mark.parametrize("regulations", rows("G3", ()))
def test_a_stone_that_was_moved_goes_back_with_a_warning(tmp_path: Path, regulations: str) -> None:
    """000-A 围棋, 行棋 2: where the opponent claims it before his next move."""
    with board(tmp_path, "go", regulations) as b:
        followed(b.moves("Q16 D4"))
        late = {"player": 1, "round": 1, "infraction": "taking_back", "facts": {"opponent_moved": True}}
        refused = b.call("POST", f"{T}/rulings", late, "arbiter")
        assert code(refused) == (409, "no-infraction") and "行棋 2" in article(refused)
        rule(b, 1, "taking_back", facts={"opponent_moved": False})
        assert rulings(b) == [("taking_back", "warn", "000-A 围棋, 行棋 2")]
        followed(b.call("POST", f"{G}/take-back", {"to_ply": 1, "reason": "takes_back"}, "arbiter"), b.moves("D4", 2))


@pytest.mark.parametrize(
    ("regulations", "by", "notation"), rows("G4", ("white", "0-1"), (None, "0-0"), (None, "1/2-1/2"))
)
def test_who_scattered_the_board_loses_and_else_the_chief_arbiter_decides(
    tmp_path: Path, regulations: str, by: str | None, notation: str
) -> None:
    """000-A 围棋, 行棋 3."""
    with board(tmp_path, "go", regulations) as b:
        followed(b.moves("Q16 D4"))
        if by:
            rule(b, 1, "scattering_the_board", facts={"by": 1})
        else:
            body = {"result": notation, "infraction": "scattering_the_board", "reason": "an outsider upset the board"}
            assert code(b.call("POST", f"{G}/decision", body, "arbiter")) == (403, "role-may-not")
            followed(b.call("POST", f"{G}/decision", body, "chief_arbiter"))
        assert result(b) == notation


@pytest.mark.parametrize("regulations", rows("G5", ()))
def test_a_ko_retaken_is_void_and_costs_the_turn_and_a_warning(tmp_path: Path, regulations: str) -> None:
    with board(tmp_path, "go", regulations) as b:
        followed(b.moves(KO))
        assert code(b.moves("D4", 10)) == (409, "illegal-move")
        claim(b, "illegal_move", side="black", move="D4")
        assert rulings(b) == [("ko_without_a_threat", "warn", "000-A 围棋, 行棋 4")]
        followed(b.moves("Q16", 11))
        assert b.get().json["to_move"] == "white", "Black has moved again"


@pytest.mark.parametrize("regulations", rows("G6", ()))
def test_a_stone_on_a_forbidden_point_is_void_and_costs_the_turn_alone(tmp_path: Path, regulations: str) -> None:
    with board(tmp_path, "go", regulations) as b:
        followed(b.moves(SUICIDE))
        assert code(b.moves("A1", 6)) == (409, "illegal-move")
        assert claim(b, "illegal_move", side="black", move="A1")["article"] == "000-A 围棋, 行棋 5"
        assert rulings(b) == [] and b.get().json["to_move"] == "black"


@pytest.mark.parametrize("regulations", rows("G7", ()))
def test_disputed_points_are_shared_and_nothing_is_played_on(tmp_path: Path, regulations: str) -> None:
    """000-A 围棋, 终局 (1): 双活. White's stone among Black's is dead, or it shares the points around."""
    lost = {}
    for answer in ("dead", "dispute"):
        (tmp_path / answer).mkdir()
        with board(tmp_path / answer, "go", regulations) as b:
            moves = walls("K", "L") + " PASS A1"
            followed(b.moves(moves), b.moves("PASS PASS", 41))
            due = b.get().json["to_move"]
            followed(b.step(due, "dead", "A1"))
            followed(b.step("white" if due == "black" else "black", answer, "A1"))
            lost[answer] = result(b)
    assert lost == {"dead": "0-1", "dispute": "1-0"}


@pytest.mark.parametrize("regulations", rows("G8", ()))
def test_after_both_confirm_the_end_nothing_is_played_on(tmp_path: Path, regulations: str) -> None:
    """000-A 围棋, 终局 (2)."""
    with board(tmp_path, "go", regulations) as b:
        followed(b.moves("Q16 D4"), b.step("white", "confirm_end"), b.step("black", "confirm_end"))
        refused = b.moves("C3", 3)
        assert code(refused) == (409, "illegal-move") and "终局" in article(refused)


@pytest.mark.parametrize("regulations", rows("G9", ()))
def test_the_clock_pressed_with_the_other_hand_is_a_breach_that_the_arbiter_sees(
    tmp_path: Path, regulations: str
) -> None:
    with board(tmp_path, "go", regulations) as b:
        followed(b.moves("Q16 D4"))
        rule(b, 2, "breach_of_rules", note="000-A 围棋, 计时", ply=1)
        assert rulings(b) == [
            ("breach_of_rules", "foul", "000-A 围棋, 违例 9" if regulations == "go-campus" else "000-A 7.9")
        ]


@row("G10", under="go-campus")
def test_who_gives_up_the_contest_leaves_the_open_points_and_faulty_clocks_are_set(tmp_path: Path) -> None:
    """000-E 围棋 5(4), 5(5)."""
    with board(tmp_path, "go", "go-campus") as b:
        followed(b.moves(" ".join(f"J{n} L{n}" for n in range(1, 20)) + " A1"))
        fault = {"side": "white", "step": "set_clock", "values": ["900", "fault"]}
        assert code(b.call("POST", f"{G}/steps", fault, "player")) == (403, "role-may-not")
        followed(b.call("POST", f"{G}/steps", fault, "arbiter"))
        followed(b.step("white", "give_up"))
        settled = b.call("POST", f"{G}/steps", {"side": "white", "step": "settle", "values": []}, "chief_arbiter")
        assert followed(settled)["events"][-1]["data"]["article"].startswith("000-E 围棋, 5(4)")
        assert result(b) == "0-1"


@row("G10", under="go-campus")
@pytest.mark.parametrize(("reading", "infractions"), [(1, []), (0, ["flag"])])
def test_sudden_death_is_kept_by_the_clock(tmp_path: Path, reading: int, infractions: list[str]) -> None:
    """000-E 围棋 5(3)."""
    time = {"periods": [{"seconds": 1800}], "flag": "at_once"}
    with board(tmp_path, "go", "go-campus", conditions={"time": time}) as b:
        followed(b.call("POST", f"{G}/moves", {"ply": 1, "moves": [{"move": "Q16", "clock": reading}]}))
        assert [name for name, *_ in rulings(b)] == infractions
