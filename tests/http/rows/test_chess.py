"""Rows of chess 国际象棋 (H): ends, claims, offers, and games that are begun or played wrongly."""

from pathlib import Path
from typing import Any

import pytest

from tests.http.boards import G, T, board
from tests.http.rows.answers import article, claim, code, followed, result, rule, rulings
from tests.rows.marks import plays, row

TO_AND_FRO = "g1f3 g8f6 f3g1 f6g8 "
STALEMATE = "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7 Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6"
MATERIAL = (
    "d2d4 h7h6 c1h6 g8h6 g1h3 f7f6 b1d2 c7c5 d4c5 b7b6 c5b6 a7b6 a1c1 a8a2 h1g1 a2b2 d2b1 b2b1 c1b1 h6g4 d1d7 e8d7 "
    "b1b6 g4h2 b6b8 h8h3 e2e3 h3e3 f2e3 h2f1 e1f1 g7g6 b8c8 d8c8 f1e1 c8c2 e3e4 c2g2 g1g2 f8h6 g2g6 h6f4 g6f6 e7f6 "
    "e1f1 f6f5 e4f5 f4g5 f5f6 g5f6"
)
LONE_KING = (
    "e2e3 a7a6 f1a6 h7h5 a6b7 a8a3 b7c8 a3c3 d2c3 d7d5 d1h5 d8d7 h5f7 e8d8 f7f8 d7e8 f8g7 h8h7 g7h7 e8f7 h7f7 d5d4 "
    "e3d4 c7c5 f7e7 g8e7 d4c5 b8a6 c8a6 e7c8 a6c8 d8c7"
)
"""Black has his king alone, and White is to move."""


def events(answer: Any) -> tuple[str, str]:
    """Termination and article of the game that this answer ended."""
    data = answer["events"][-1]["data"]
    return data["termination"], data["article"]


@pytest.mark.parametrize(
    "regulations", [pytest.param(name, marks=row("H1", under=name)) for name in ("campus", "fide-2026")]
)
def test_checkmate_wins(tmp_path: Path, regulations: str) -> None:
    with board(tmp_path, "chess", regulations) as b:
        ended = events(followed(b.moves("f3 e5 g4 Qh4")))
        assert ended[0] == "checkmate" and "对局结束 1" in ended[1] and result(b) == "0-1"


DRAWN = [("H2", STALEMATE, "stalemate", "对局结束 3"), ("H4", MATERIAL, "insufficient_material", "对局结束 4")]


@pytest.mark.parametrize(
    ("regulations", "moves", "termination", "by"),
    [pytest.param(n, *rest, marks=row(number, under=n)) for number, *rest in DRAWN for n in ("campus", "fide-2026")],
)
def test_a_position_that_nobody_wins_draws(
    tmp_path: Path, regulations: str, moves: str, termination: str, by: str
) -> None:
    with board(tmp_path, "chess", regulations) as b:
        ended = events(followed(b.moves(moves)))
        assert ended[0] == termination and by in ended[1] and result(b) == "1/2-1/2"


@row("H3", under="campus")
@row("H6", under="campus")
@plays("game.chess.repetitions", 3)
@pytest.mark.parametrize(
    ("moves", "side", "move"),
    [
        (TO_AND_FRO * 2, "white", None),
        ((TO_AND_FRO * 2).rsplit(" ", 2)[0], "black", "f6g8"),
        ("f4 e5 Nc3 Qh4+ g3 Qe7 Kf2 Qh4 Ke1 Qe7 Kf2 Qh4 Ke1 Qe7", "white", "Kf2"),
    ],
    ids=["just appeared", "with an announced move", "checks without end 长将"],
)
def test_the_third_occurrence_draws_on_the_claim_of_the_side_to_move(
    tmp_path: Path, moves: str, side: str, move: str | None
) -> None:
    """000-A 胜负和 3; 对局结束 10."""
    with board(tmp_path, "chess") as b:
        followed(b.moves(moves))
        other = {"white": "black", "black": "white"}[side]
        refused = b.call("POST", f"{G}/claims", {"claim": "threefold_repetition", "side": other}, "player")
        assert code(refused) == (409, "not-to-move") and "对局结束 10" in article(refused)
        answer = claim(b, "threefold_repetition", "player", side=side, **({"move": move} if move else {}))
        assert answer["state"] == "upheld" and "对局结束 10" in answer["article"] and result(b) == "1/2-1/2"


@row("H5", under="campus")
@pytest.mark.parametrize("how", ["flag", "sealed"])
def test_a_lone_king_wins_by_no_flag_and_by_no_bad_sealed_move(tmp_path: Path, how: str) -> None:
    """000-A 对局结束 5, 14."""
    with board(tmp_path, "chess") as b:
        followed(b.moves(LONE_KING))
        if how == "flag":
            claim(b, "flag", side="black")
        else:
            bad = {"side": "white", "step": "unseal", "values": ["e9e9"]}
            followed(b.step("white", "adjourn"), b.call("POST", f"{G}/steps", bad, "arbiter"))
        assert result(b) == "1/2-1/2" and rulings(b)[-1][1] == "set_marks"


@row("H7", under="campus")
def test_the_right_to_claim_goes_with_the_move_and_comes_back_with_the_position(tmp_path: Path) -> None:
    """000-A 对局结束 11."""
    with board(tmp_path, "chess") as b:
        followed(b.moves(TO_AND_FRO * 2 + "e2e4"))
        body = {"claim": "threefold_repetition", "side": "white"}
        assert code(b.call("POST", f"{G}/claims", body, "player"))[0] == 409
        followed(b.moves(("g8f6 g1f3 f6g8 f3g1 " * 2).strip(), 10))
        assert claim(b, "threefold_repetition", "player", side="black")["state"] == "upheld"


@row("H8", under="campus")
@plays("game.chess.quiet_moves", 50)
@row("H17", under="campus")
@pytest.mark.parametrize("cycles", [25, 38])
def test_fifty_moves_draw_on_a_claim_and_neither_75_nor_five_occurrences_end_a_game(
    tmp_path: Path, cycles: int
) -> None:
    """000-A 对局结束 12."""
    with board(tmp_path, "chess") as b:
        followed(b.moves(TO_AND_FRO * (cycles - 1)))
        followed(b.moves("g1f3 g8f6 f3g1", 4 * cycles - 3))
        assert result(b) is None
        followed(b.moves("f6g8", 4 * cycles))
        answer = claim(b, "fifty_moves", "player", side="white")
        assert answer["state"] == "upheld" and "对局结束 12" in answer["article"] and result(b) == "1/2-1/2"


@row("H9", under="campus")
@pytest.mark.parametrize(("left", "flag"), [(301, False), (300, True)])
def test_a_wrong_claim_costs_five_minutes_and_the_announced_move_must_be_played(
    tmp_path: Path, left: int, flag: bool
) -> None:
    """000-A 对局结束 13(1)-(3)."""
    time = {"periods": [{"seconds": 3600}], "flag": "claimed"}
    with board(tmp_path, "chess", conditions={"time": time}) as b:
        moves = [{"move": move, "clock": left} for move in TO_AND_FRO.split()]
        followed(b.call("POST", f"{G}/moves", {"ply": 1, "moves": moves}))
        assert claim(b, "threefold_repetition", "player", side="white", move="Nc3")["state"] == "denied"
        wrong = ("false_claim", "adjust_clock", "000-A 国际象棋, 对局结束 13(2)")
        assert rulings(b)[0] == wrong and len(rulings(b)) == 1 + flag
        assert result(b) == ("0-1" if flag else None)
        if not flag:
            assert code(b.moves("e2e4", 5)) == (409, "announced-move")
            followed(b.moves("Nc3", 5))


@row("H10", under="campus")
def test_an_offer_stands_until_word_or_move_refuses_it_and_after_a_sealed_move_it_waits(tmp_path: Path) -> None:
    """000-A 对局结束 7-9."""
    with board(tmp_path, "chess") as b:
        offer = lambda said, side: followed(b.call("POST", f"{G}/offers", {"offer": said, "side": side}, "player"))  # noqa: E731
        followed(b.moves("e2e4"))
        offer("draw", "white")
        assert b.get().json["offer"] == "white"
        followed(b.moves("e7e5", 2))
        assert b.get().json["offer"] is None
        offer("draw", "black")
        offer("decline", "white")
        assert b.get().json["offer"] is None
        followed(b.step("white", "adjourn"))
        offer("draw", "white")
        assert b.get().json["offer"] == "white"
        followed(b.call("POST", f"{G}/steps", {"side": "white", "step": "unseal", "values": ["g1f3"]}, "arbiter"))
        assert b.get().json["offer"] == "white", "the opponent has seen the move now"
        offer("accept", "black")
        assert result(b) == "1/2-1/2"


@row("H10", under="campus")
def test_an_offer_on_the_opponents_time_may_be_accepted_and_ruled_on(tmp_path: Path) -> None:
    """000-A 对局结束 8, 违例 6."""
    with board(tmp_path, "chess") as b:
        followed(b.moves("e2e4 e7e5"))
        followed(b.call("POST", f"{G}/offers", {"offer": "draw", "side": "white"}, "player"))
        rule(b, 1, "irregular_draw_offer")
        assert rulings(b) == [("irregular_draw_offer", "foul", "000-A 7.6")], "a penalty is the arbiter's to choose"
        followed(b.call("POST", f"{G}/offers", {"offer": "accept", "side": "black"}, "player"))
        assert result(b) == "1/2-1/2"


@row("H11", under="campus")
@pytest.mark.parametrize("how", ["resignation", "agreement", "flag"])
def test_resignation_agreement_and_flag_end_a_game(tmp_path: Path, how: str) -> None:
    """000-A 对局结束 2, 6, 14."""
    with board(tmp_path, "chess") as b:
        followed(b.moves("e2e4 e7e5"))
        if how == "flag":
            claim(b, "flag", side="black")
        else:
            end = {"termination": how} | ({"side": "white"} if how == "resignation" else {})
            followed(b.call("POST", f"{G}/end", end, "arbiter"))
        assert result(b) == ("1/2-1/2" if how == "agreement" else "0-1")


@row("H12", under="campus")
def test_an_illegal_move_is_put_right_from_before_it_and_counted(tmp_path: Path) -> None:
    """000-A 不合规则 1, 违例 9."""
    with board(tmp_path, "chess") as b:
        followed(b.moves("e2e4"))
        refused = b.moves("e8e6", 2)
        assert code(refused) == (409, "illegal-move") and "不合规则 1" in article(refused)
        claim(b, "illegal_move", side="white", move="e8e6")
        assert [name for name, *_ in rulings(b)] == ["breach_of_rules"] and result(b) is None
        followed(
            b.moves("e7e5", 2), b.call("POST", f"{G}/take-back", {"to_ply": 1, "reason": "illegal_move"}, "arbiter")
        )
        followed(b.moves("c7c5", 2))


@row("H13", under="campus")
@row("H14", under="campus")
@row("H15", under="campus")
@pytest.mark.parametrize(
    ("reason", "to_ply", "refused"),
    [("displaced_pieces", 1, None), ("initial_position", 0, 1), ("wrong_colours", 0, 1)],
)
def test_a_game_that_was_begun_or_set_wrongly_is_played_anew_from_there(
    tmp_path: Path, reason: str, to_ply: int, refused: int | None
) -> None:
    """000-A 不合规则 2-5."""
    with board(tmp_path, "chess") as b:
        followed(b.moves("e2e4 e7e5"))
        back = {"to_ply": to_ply, "reason": reason}
        if refused is not None:
            answer = b.call("POST", f"{G}/take-back", back | {"to_ply": refused}, "arbiter")
            assert answer.status_code == 409 and "不合规则" in article(answer)
        followed(b.call("POST", f"{G}/take-back", back, "arbiter"))
        assert len(b.get().json["moves"]) == to_ply
        followed(b.moves(["d2d4", "c7c5"][to_ply], to_ply + 1))


@row("H15", under="campus")
@pytest.mark.parametrize(("left", "anew"), [(2701, True), (2699, False)])
def test_with_wrong_colours_a_game_is_played_on_after_a_quarter_of_the_first_limit(
    tmp_path: Path, left: int, anew: bool
) -> None:
    """000-A 不合规则 5: a quarter of an hour is fifteen minutes."""
    time = {"periods": [{"seconds": 3600}], "flag": "claimed"}
    with board(tmp_path, "chess", conditions={"time": time}) as b:
        moves = [{"move": move, "clock": left} for move in ("e2e4", "e7e5")]
        followed(b.call("POST", f"{G}/moves", {"ply": 1, "moves": moves}))
        back = b.call("POST", f"{G}/take-back", {"to_ply": 0, "reason": "wrong_colours"}, "arbiter")
        on = b.call("POST", f"{G}/steps", {"side": "white", "step": "correct_colours"}, "arbiter")
        assert (back.status_code, on.status_code) == ((201, 409) if anew else (409, 201)), (back.text, on.text)


@row("H16", under="campus")
def test_who_refuses_to_go_on_loses_and_both_lose_if_both_do(tmp_path: Path) -> None:
    """000-A 对局结束 16."""
    with board(tmp_path, "chess") as b:
        followed(b.moves("e2e4"))
        for player, notation in ((1, "0-1"), (2, "0-0")):
            body = {"player": player, "round": 1, "infraction": "refusal_to_obey"}
            followed(b.call("POST", f"{T}/rulings", body, "arbiter"))
            assert result(b) == notation
