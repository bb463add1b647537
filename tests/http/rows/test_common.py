"""Rows common to several games: touching, taking back, fouls, violations, lateness, powers (C)."""

from pathlib import Path
from typing import Any

import pytest

from tests.http.boards import G, T, board
from tests.http.rows.answers import article, claim, code, followed, result, rule, rulings
from tests.rows.marks import row

XIANGQI, CHESS = "e0e1 a9a8", "e2e4 d7d5"
"""Red's advisor d0 then cannot move; White's rook a1 cannot, and the pawn e4 takes on d5."""
TOUCHES = [
    # row, game, moves, touched in this order, what is due
    ("C1", "xiangqi", XIANGQI, "b0", "b0a2 b0c2"),
    ("C1", "xiangqi", XIANGQI, "d0", ""),
    ("C1", "chess", CHESS, "g1", "g1e2 g1f3 g1h3"),
    ("C1", "chess", "e4 e5 Nf3 Nc6 Bc4 Bc5", "h1 e1", "h1f1 h1g1"),
    ("C2", "xiangqi", XIANGQI, "b9", "b2b9"),
    ("C2", "xiangqi", XIANGQI, "e9", ""),
    ("C2", "chess", CHESS, "d5", "e4d5"),
    ("C3", "xiangqi", XIANGQI, "b2 b9", "b2b9"),
    ("C3", "xiangqi", XIANGQI, "e3 b9", "e3e4"),
    ("C3", "xiangqi", XIANGQI, "d0 b9", "b2b9"),
    ("C3", "xiangqi", XIANGQI, "d0 a8", ""),
    ("C3", "chess", CHESS, "e4 d5", "e4d5"),
    ("C3", "chess", CHESS, "g1 d5", "g1e2 g1f3 g1h3"),
    ("C3", "chess", CHESS, "a1 d5", "e4d5"),
    ("C4", "xiangqi", XIANGQI, "b9 b2", "b2b9"),
    ("C4", "xiangqi", XIANGQI, "b9 e3", "b2b9"),
    ("C4", "xiangqi", XIANGQI, "e9 e3", "e3e4"),
    ("C4", "xiangqi", XIANGQI, "e9 d0", ""),
    ("C4", "chess", CHESS, "d5 g1", "e4d5"),
    ("C4", "chess", CHESS, "e7 g1", "g1e2 g1f3 g1h3"),
]
SETS = {"xiangqi": ("campus", "xiangqi-1999"), "chess": ("campus",)}


@pytest.mark.parametrize(
    ("regulations", "game", "moves", "touched", "due"),
    [
        pytest.param(name, game, *rest, marks=row(number, under=name))
        for number, game, *rest in TOUCHES
        for name in SETS[game]
    ],
)
def test_what_is_touched_must_move_or_be_taken(
    tmp_path: Path, regulations: str, game: str, moves: str, touched: str, due: str
) -> None:
    """000-A 象棋 3.1-3.5, 国际象棋, 摸子; 002-X 5.1-5.5."""
    with board(tmp_path, game, regulations) as b:
        followed(b.moves(moves))
        ply = len(moves.split()) + 1
        assert claim(b, "touch", squares=touched.split())["due"] == sorted(due.split()) == b.get().json["due"]
        other = {"xiangqi": "i3i4", "chess": "h2h4"}[game]
        if not due:
            followed(b.moves(other, ply))
            return
        refused = b.moves(other, ply)
        assert code(refused) == (409, "touched-piece") and article(refused)
        followed(b.moves(due.split(maxsplit=1)[0], ply))


@row("C6", under="campus")
@row("C7", under="campus")
@pytest.mark.parametrize(
    ("game", "moves", "other", "reason"),
    [("xiangqi", "h2e2 h9g7", "h0g2", "wrong_order"), ("chess", "e2e4 e7e5", "d2d4", "displaced_pieces")],
)
def test_a_move_that_was_made_stands_until_the_arbiter_puts_an_error_right_during_the_game(
    tmp_path: Path, game: str, moves: str, other: str, reason: str
) -> None:
    """000-A 3.7, 3.8."""
    with board(tmp_path, game) as b:
        followed(b.moves(moves))
        refused = b.moves(other, 1)
        assert code(refused)[0] == 409 and b.get().json["moves"] == moves.split()
        back = {"to_ply": 0, "reason": reason}
        assert code(b.call("POST", f"{G}/take-back", back, "player")) == (403, "role-may-not")
        followed(b.call("POST", f"{G}/take-back", back, "arbiter"), b.moves(other, 1))
        assert (b.get().json["moves"], b.get("/sheet").json["lines"]) == ([other], 4), "the sheet keeps all of it"
        followed(b.call("POST", f"{G}/end", {"termination": "agreement"}, "arbiter"))
        assert code(b.call("POST", f"{G}/take-back", back, "arbiter"))[0] == 409, "not after the game"


FOULS = [
    ("campus", "xiangqi", "disturbing", "000-A 4.1"),
    ("campus", "xiangqi", "stopping_the_clock", "000-A 4.2"),
    ("campus", "xiangqi", "repeated_draw_offer", "000-A 4.3"),
    ("campus", "chess", "disturbing", "000-A 4.1"),
    ("campus", "chess", "touching_an_unmovable_piece", "000-A 4.4"),
    ("xiangqi-1999", "xiangqi", "disturbing", "002-X 9.1.1"),
    ("xiangqi-1999", "xiangqi", "stopping_the_clock", "002-X 9.1.2"),
    ("xiangqi-1999", "xiangqi", "repeated_draw_offer", "002-X 9.1.3"),
    ("xiangqi-1999", "xiangqi", "conduct", "002-X 8.8, 9.1.8"),
]


@pytest.mark.parametrize(
    ("regulations", "game", "infraction", "article"),
    [pytest.param(*one, marks=row("C8", under=one[0])) for one in FOULS],
)
def test_a_foul_is_recorded_at_once_by_its_article(
    tmp_path: Path, regulations: str, game: str, infraction: str, article: str
) -> None:
    with board(tmp_path, game, regulations) as b:
        followed(b.call("POST", f"{G}/start", role="arbiter"))
        rule(b, 2, infraction)
        assert rulings(b) == [(infraction, "foul", article)] and result(b) is None


@pytest.mark.parametrize(
    ("regulations", "lost_by"),
    [
        pytest.param("campus", "000-A 2.7", marks=row("C10", under="campus")),
        pytest.param("xiangqi-1999", "002-X 4.1.8", marks=row("C10", under="xiangqi-1999")),
    ],
)
def test_three_fouls_of_a_game_of_xiangqi_lose_it(tmp_path: Path, regulations: str, lost_by: str) -> None:
    with board(tmp_path, "xiangqi", regulations) as b:
        followed(b.moves("h2e2 h9g7"))
        for infraction in ("disturbing", "stopping_the_clock"):
            rule(b, 2, infraction)
        assert result(b) is None
        rule(b, 2, "repeated_draw_offer")
        assert (result(b), rulings(b)[-1]) == ("1-0", ("third_foul", "set_marks", lost_by))


VIOLATIONS = [
    ("campus", "xiangqi"),
    ("campus", "chess"),
    ("campus", "go"),
    ("go-campus", "go"),
    ("renju", "renju"),
]


@pytest.mark.parametrize(
    ("regulations", "game"), [pytest.param(*one, marks=row("C11", under=one[0])) for one in VIOLATIONS]
)
def test_three_violations_lose_and_advice_comes_before_the_first(tmp_path: Path, regulations: str, game: str) -> None:
    """000-A 7.1-7.10."""
    with board(tmp_path, game, regulations) as b:
        followed(b.call("POST", f"{G}/start", role="arbiter"))
        assert rule(b, 1, "advice", facts={"grave": False})["brought"] == []
        assert len(rule(b, 1, "advice", facts={"grave": False})["brought"]) == 1, "repeated, it is a violation"
        rule(b, 1, "abuse")
        assert result(b) is None
        rule(b, 1, "consulting")
        by = "000-A 围棋, 违例 10" if regulations == "go-campus" else "000-A 7.10"
        assert (result(b), rulings(b)[-1]) == ("0-1", ("third_violation", "set_marks", by))


@row("C11", under="campus")
@pytest.mark.parametrize(("game", "moves", "second"), [("xiangqi", "h2e2", "h0g2"), ("chess", "e2e4", "g1f3")])
def test_of_two_moves_in_a_row_the_second_is_none(tmp_path: Path, game: str, moves: str, second: str) -> None:
    """000-A 7.4."""
    with board(tmp_path, game) as b:
        followed(b.moves(moves))
        body = {"ply": 2, "moves": [{"move": second, "side": "white"}]}
        assert b.call("POST", f"{G}/moves", body).status_code == 409 and b.get().json["moves"] == [moves]
        rule(b, 1, "two_moves_in_a_row")
        assert rulings(b) == [("two_moves_in_a_row", "foul", "000-A 7.4")]


LATE = [
    ("C12", "campus", "xiangqi", 900, 901),
    ("C12", "campus", "chess", 900, 901),
    ("C12", "xiangqi-1999", "xiangqi", 900, 901),
    ("C12", "go-campus", "go", 900, 901),
    ("C12", "renju", "renju", 900, 901),
    ("C13", "gomoku-campus", "gomoku", 599, 600),
    ("H16", "campus", "chess", 900, 901),
    ("R14", "renju", "renju", 900, 901),
]


@pytest.mark.parametrize(
    ("regulations", "game", "in_time", "too_late"),
    [pytest.param(*rest, marks=row(number, under=rest[0])) for number, *rest in LATE],
)
def test_who_is_too_late_loses_unplayed_and_both_lose_if_both_are(
    tmp_path: Path, regulations: str, game: str, in_time: int, too_late: int
) -> None:
    """000-A 8; 002-X 21; 000-B 注意 3."""
    with board(tmp_path, game, regulations) as b:
        arrive = lambda player, late: followed(  # noqa: E731
            b.call("POST", f"{T}/arrivals", {"player": player, "round": 1, "late": late}, "arbiter")
        )
        assert arrive(3, in_time)["rulings"] == []
        assert len(arrive(1, too_late)["rulings"]) == 1 and result(b) == "-/+"
        assert len(arrive(2, too_late)["rulings"]) == 1 and result(b) == "-/-"


POWERS: list[tuple[str, str, dict[str, Any], tuple[Any, ...], tuple[Any, ...]]] = [
    # infraction, effect, who may, who may not
    ("campus", "misconduct", {}, ("arbiter", "chief_arbiter"), ("player", "board")),
    ("campus", "grave_misconduct", {"kind": "exclude", "rounds": [1]}, ("chief_arbiter",), ("arbiter", "organiser")),
    ("campus", "grave_misconduct", {"kind": "expel"}, ("organiser",), ("arbiter", "chief_arbiter")),
    ("xiangqi-1999", "misconduct", {}, ("arbiter",), ("player",)),
    ("xiangqi-1999", "grave_misconduct", {"kind": "exclude", "rounds": [1]}, ("chief_arbiter",), ("arbiter",)),
    ("xiangqi-1999", "grave_misconduct", {"kind": "expel"}, ("organiser",), ("chief_arbiter",)),
]


@pytest.mark.parametrize(
    ("regulations", "infraction", "effect", "may", "may_not"),
    [pytest.param(*one, marks=row("C14", under=one[0])) for one in POWERS],
)
def test_who_warns_who_excludes_and_who_expels(
    tmp_path: Path, regulations: str, infraction: str, effect: dict[str, Any], may: Any, may_not: Any
) -> None:
    """000-A 6; 002-X 18."""
    more = {"effect": effect} if effect else {}
    with board(tmp_path, "xiangqi", regulations) as b:
        body = {"player": 2, "round": 1, "infraction": infraction, **more}
        for role in may_not:
            refused = b.call("POST", f"{T}/rulings", body, role)
            assert code(refused) == (403, "role-may-not") and article(refused)
        for n, role in enumerate(may, 2):
            rule(b, n, infraction, role, **more)
        assert [kind for _, kind, _ in rulings(b)] == [effect.get("kind", "warn")] * len(may)


@row("C5", under="campus")
@pytest.mark.parametrize("game", ["xiangqi", "chess"])
def test_adjusting_without_consent_or_on_the_opponents_time_is_counted_and_an_accident_is_not(
    tmp_path: Path, game: str
) -> None:
    """000-A 3.6, 7.8."""
    with board(tmp_path, game) as b:
        followed(b.moves({"xiangqi": "h2e2", "chess": "e2e4"}[game]))
        told = {"player": 2, "round": 1, "infraction": "adjusting"}
        allowed = b.call("POST", f"{T}/rulings", told | {"facts": {"own_time": True, "consent": True}}, "arbiter")
        assert code(allowed) == (409, "no-infraction") and article(allowed) == "000-A 7.8"
        rule(b, 2, "adjusting", facts={"own_time": True, "consent": False})
        assert rulings(b) == [("adjusting", "foul", "000-A 7.8")]
        accident = claim(b, "touch", squares=[])
        assert accident["due"] == [] and (game == "chess" or "3.6" in accident["article"])
