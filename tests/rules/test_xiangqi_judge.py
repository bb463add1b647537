"""Questions on xiangqi to the judge: what is asked, what is answered, and what is refused."""

import pytest

from services.games.rules.boards.xiangqi import fen
from services.games.rules.judge.registry import answer
from shared.regulations import names


def ask(name: str, **fields):
    return answer({"id": 1, "game": "xiangqi", "ask": name, **fields})


def answered(name: str, **fields):
    return ask(name, **fields)["answer"]


def refused(name: str, **fields):
    return ask(name, **fields)["error"]


def test_legal_moves_come_sorted_with_those_that_only_the_general_forbids():
    found = answered("legal_moves", fen="3k5/9/9/4r4/9/9/9/9/4A4/4K3R w")
    assert found["legal"] == sorted(found["legal"]) and "i0i9" in found["legal"]
    assert found["illegal"] == dict.fromkeys(("e1d0", "e1d2", "e1f0", "e1f2"), "left_in_check") | {
        "e0d0": "facing_generals"
    }


def test_a_game_is_replayed_in_both_notations():
    found = answered("replay", moves=["炮二平五", "馬８進７", "h0g2", "车9平8"])
    assert found["iccs"] == ["h2e2", "h9g7", "h0g2", "i9h9"]
    assert found["chinese"] == ["炮二平五", "马8进7", "马二进三", "车9平8"]
    assert found["fen"] == "rnbakabr1/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w - - 4 3"
    assert found["end"] is None


@pytest.mark.parametrize(
    "text, move, termination",
    [
        ("3k5/R8/9/9/9/9/9/9/9/4K2R1 w", "h0h9", "checkmate"),
        ("3k5/9/1R7/9/9/9/9/9/4K4/9 w", "b7b8", "stalemate"),
    ],
)
def test_the_end_names_the_winner(text, move, termination):
    end = answered("replay", fen=text, moves=[move])["end"]
    assert (end["termination"], end["winner"]) == (termination, "red")
    assert end["article"].startswith("002-X 3.")


CYCLE = ["b3a3", "a7b7", "a3b3", "b7a7"]
CHASE = "3aka3/9/c3b4/9/9/9/1R7/4B4/9/3AKA3 w - - 0 1"


def test_a_repetition_is_judged_and_explained():
    found = answered("repetition", fen=CHASE, moves=CYCLE * 2, regulations="xiangqi-1999")
    assert found["verdict"] == "black_wins"
    assert found["status"] == {"red": "forbidden", "black": "allowed"}
    assert found["kinds"] == {"red": ["捉"] * 4, "black": ["闲"] * 4}
    assert found["article"] == "002-X 24.3, 26.4"
    assert found["explanation"][0].startswith(
        "Red 车八平九 (b3a3) chases, 002-X 28.3, 29; 红车a3 attacks 黑炮a7, which has no root"
    )


def test_a_position_that_has_not_come_three_times_has_no_verdict():
    assert answered("repetition", fen=CHASE, moves=CYCLE)["verdict"] == "none"


def test_a_defence_point_is_the_referees_finding():
    chased = {"fen": "3aka3/9/b8/9/9/9/2R6/4B4/9/3AKA3 w", "moves": ["c3a3", "a7c9", "a3c3", "c9a7"] * 2}
    assert answered("repetition", **chased)["verdict"] == "black_wins"
    assert answered("repetition", **chased, defence_point=["red"])["verdict"] == "draw"


def test_a_natural_limit_is_counted_for_its_claimant():
    checks = {"fen": "4k4/8R/9/9/9/9/9/9/4A4/3A1K3 w", "moves": ["i8i9", "e9e8", "i9i8", "e8e9"] * 6}
    assert answered("natural_limit", **checks, limit_rounds=11, claimant="red") == {
        "valid": False,
        "own_checks": 12,
        "rounds": 10,
    }
    assert answered("natural_limit", **checks, limit_rounds=12, claimant="black") == {
        "valid": True,
        "own_checks": 0,
        "rounds": 12,
    }


def test_drawn_material_is_told_whoever_is_to_move():
    assert answered("drawn_material", fen="3ak4/4a4/9/9/9/9/9/9/4A4/3AK4 w") == {"draw": True}
    assert answered("drawn_material", fen="4k4/9/9/9/9/9/P8/9/9/4K4 w") == {"draw": False}


@pytest.mark.parametrize(
    "name, fields, where, said",
    [
        ("legal_moves", {}, "fen", "fen is missing in the question"),
        ("legal_moves", {"fen": "x"}, "fen", "fen: a position must have ten ranks, not 1"),
        ("drawn_material", {"fen": "x"}, "fen", "fen: a position must have ten ranks, not 1"),
        ("replay", {"moves": ["h2e2", "h2e2"]}, "moves[1]", "move 2, h2e2: h2 is empty"),
        ("replay", {"moves": ["e3e5"]}, "moves[0]", "move 1, e3e5: 红兵e3 does not move to e5"),
        ("replay", {"moves": ["xyz"]}, "moves[0]", "move 1, xyz: this is neither ICCS nor Chinese notation"),
        ("replay", {"moves": "h2e2"}, "moves", "moves must be a list"),
        (
            "repetition",
            {"moves": [], "regulations": 7},
            "regulations",
            f"regulations must be one of {', '.join(names())}",
        ),
        (
            "repetition",
            {"moves": [], "defence_point": ["white"]},
            "defence_point[0]",
            "defence_point[0] must be one of red, black",
        ),
        ("natural_limit", {"moves": [], "claimant": "white"}, "claimant", "claimant must be one of red, black"),
        (
            "natural_limit",
            {"moves": [], "claimant": "red", "limit_rounds": 0},
            "limit_rounds",
            "limit_rounds must be a whole number from 1 to 500",
        ),
    ],
)
def test_a_question_without_an_answer_says_which_field_and_why(name, fields, where, said):
    problem = refused(name, **fields)
    assert (problem["where"], problem["detail"]) == (where, said)


def test_an_illegal_move_names_its_article_and_an_ambiguous_one_its_candidates():
    facing = refused("replay", fen="4k4/9/9/9/9/9/9/9/9/3K5 w", moves=["d0e0"])
    assert (facing["title"], facing["article"]) == ("Illegal move", "002-X 2.2, 4.1.2; 000-A 2.2")
    unclear = refused("replay", fen="4k4/9/9/R8/9/R8/9/9/9/3K5 w", moves=["车九平五"])
    assert unclear["detail"].endswith("a4e4, a6e6")


def test_five_thousand_plies_are_read():
    quiet = ["b0c2", "b9c7", "c2b0", "c7b9"] * 1_250
    assert answered("natural_limit", fen=fen.START, moves=quiet, limit_rounds=60, claimant="red")["rounds"] == 2_500
    assert refused("replay", moves=[*quiet, "b0c2"])["title"] == "Too long"
