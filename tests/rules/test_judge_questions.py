"""The judge: every question gets an answer or a clear error, whatever it holds."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.games.rules.judge.registry import COMMON, GAMES, answer
from tests.tiers import examples

STAND_INS = {
    "fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "moves": [],
    "flag": "white",
    "size": 9,
    "ply": 0,
    "move": "D4",
    "dead": [],
    "touched": ["e1"],
    "black": ["h8"],
    "white": ["h9"],
    "first": "白子42手",
    "second": "和",
    "dealer": ["10", "9"],
    "players": [["A", "K"]],
}
FIELDS = [
    *STAND_INS,
    "to_move",
    "five",
    "draw",
    "stopped",
    "resigned",
    "rules",
    "regulations",
    "changes",
    "claimant",
    "limit_rounds",
    "given_up",
]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
ASKED = [(game, ask) for game, asks in GAMES.items() for ask in asks]


def error(question: dict) -> dict:
    given = answer(question)
    assert set(given) == {"id", "error"}
    assert {"type", "title", "detail"} <= set(given["error"])
    return given["error"]


@pytest.mark.parametrize("game, ask", ASKED)
@settings(max_examples=examples(60), deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), ANYTHING, max_size=3))
def test_every_question_is_answered_or_its_error_told(game, ask, wrong):
    known = (*COMMON, *GAMES[game][ask].fields)
    given = answer({"id": 7, "game": game, "ask": ask} | {k: v for k, v in (STAND_INS | wrong).items() if k in known})
    assert given["id"] == 7 and len(given) == 2
    json.dumps(given, allow_nan=False)
    assert "answer" in given or {"type", "title", "detail"} <= set(given["error"])


@given(st.dictionaries(st.sampled_from(["id", "game", "ask"]), ANYTHING))
def test_what_is_hardly_a_question_is_answered_too(question):
    assert "error" in answer(question)


@pytest.mark.parametrize("game, ask", ASKED)
def test_a_field_that_the_question_does_not_have_is_an_error_by_name(game, ask):
    told = error({"game": game, "ask": ask, **{k: STAND_INS.get(k, []) for k in GAMES[game][ask].fields}, "komi": 7})
    assert (told["title"], told["where"]) == ("Unknown field", "komi")
    assert all(field in told["detail"] for field in (*COMMON, *GAMES[game][ask].fields))


@pytest.mark.parametrize(
    "question, title, where",
    [
        ({}, "Unknown game", "game"),
        ({"game": "chess"}, "Unknown question", "ask"),
        ({"game": "chess", "ask": "legal_moves", "moves": []}, "Unknown field", "moves"),
        ({"game": "chess", "ask": "legal_moves", "regulations": "renju"}, "Game not in regulations", "regulations"),
        ({"game": "chess", "ask": "legal_moves", "regulations": "laws"}, "Unknown regulations", "regulations"),
        (
            {"game": "chess", "ask": "legal_moves", "regulations": None, "changes": {"a": 1}},
            "Missing field",
            "regulations",
        ),
        ({"game": "chess", "ask": "legal_moves", "regulations": "campus", "changes": []}, "Wrong field", "changes"),
        (
            {"game": "chess", "ask": "legal_moves", "regulations": "campus", "changes": {"game.chess.nothing": 1}},
            "Bad change",
            "changes.game.chess.nothing",
        ),
        (
            {"game": "chess", "ask": "legal_moves", "regulations": "campus", "changes": {"game.go.size": 9}},
            "Bad change",
            "changes.game.go.size",
        ),
        (
            {"game": "go", "ask": "replay", "moves": [], "regulations": "campus", "changes": {"game.go.size": 10}},
            "Bad change",
            "changes.game.go.size",
        ),
        ({"game": "chess", "ask": "legal_moves", "fen": "8/8 w"}, "Unreadable position", "fen"),
        ({"game": "chess", "ask": "legal_moves", "fen": "8/8/8/8/8/8/8/4K3 w - - 0 1"}, "Impossible position", "fen"),
        ({"game": "chess", "ask": "replay"}, "Missing field", "moves"),
        ({"game": "chess", "ask": "replay", "moves": ["e4", "e4"]}, "Illegal move", "moves[1]"),
        ({"game": "chess", "ask": "replay", "moves": ["e4", 5]}, "Wrong field", "moves[1]"),
        ({"game": "chess", "ask": "replay", "moves": ["e4"] * 5_001}, "Too long", "moves"),
        ({"game": "chess", "ask": "flag_fall", "flag": "red"}, "Wrong field", "flag"),
        ({"game": "go", "ask": "replay", "size": 26, "moves": []}, "Wrong field", "size"),
        ({"game": "go", "ask": "replay", "size": 9, "moves": [["b", "K1"]]}, "Unreadable move", "moves[0]"),
        ({"game": "go", "ask": "replay", "size": 9, "moves": [["x", "A1"]]}, "Wrong field", "moves[0]"),
        ({"game": "go", "ask": "replay", "size": 9, "moves": [["b", "A1"], ["w", "A1"]]}, "Illegal move", "moves[1]"),
        ({"game": "go", "ask": "legality", "size": 9, "moves": [], "ply": 1}, "Wrong field", "ply"),
        ({"game": "go", "ask": "area", "size": 9, "moves": [], "dead": ["A1"]}, "No stone there", "dead[0]"),
        ({"game": "renju", "ask": "forbidden", "black": ["h8"], "white": ["h8"]}, "Occupied point", "white[0]"),
        ({"game": "renju", "ask": "forbidden", "black": ["p8"], "white": []}, "Unreadable move", "black[0]"),
        ({"game": "renju", "ask": "replay", "moves": ["h9"]}, "Illegal move", "moves[0]"),
        ({"game": "gomoku", "ask": "replay", "moves": ["h8", "h1"]}, "Illegal move", "moves[1]"),
        ({"game": "prediction", "ask": "settle", "first": "?", "second": "和"}, "Unreadable prediction", "first"),
        ({"game": "prediction", "ask": "verdict", "first": "和", "second": "和", "ply": 9}, "Wrong field", "five"),
        ({"game": "twentyone", "ask": "settle", "dealer": ["1"], "players": []}, "Unreadable card", "dealer[0]"),
        (
            {"game": "twentyone", "ask": "settle", "dealer": ["10", "6"], "players": [["9", "9"]]},
            "Impossible deal",
            "dealer",
        ),
    ],
)
def test_an_error_names_what_was_wrong_and_where(question, title, where):
    told = error(question)
    assert (told["title"], told["where"]) == (title, where)
    assert told["type"] == "urn:arbiter:problem:" + title.lower().replace(" ", "-")


def test_a_move_after_the_end_is_an_error():
    five = ["h8", "h9", "i8", "i9", "j8", "j9", "k8", "k9", "l8"]
    assert answer({"game": "gomoku", "ask": "replay", "moves": five})["answer"]["end"]["winner"] == "black"
    assert error({"game": "gomoku", "ask": "replay", "moves": [*five, "a15"]})["title"] == "Game over"


def test_an_illegal_move_is_told_with_its_article():
    told = error({"game": "go", "ask": "replay", "size": 9, "moves": [["b", "A2"], ["b", "B1"], ["w", "A1"]]})
    assert told["article"] == "000-A 围棋, 行棋 5" and "ply 2" in told["detail"]


def test_in_go_the_side_to_move_is_by_turns_unless_it_is_named():
    moves = [["w", "J9"], ["b", "A2"], ["w", "J8"], ["b", "B1"]]
    asked = {"game": "go", "ask": "legality", "size": 9, "moves": moves, "ply": 4}
    assert answer(asked)["answer"]["suicide"] == ["A1"]
    assert answer({**asked, "to_move": "b"})["answer"]["suicide"] == []
    assert answer({**asked, "moves": [], "ply": 0})["answer"] == {"ko": [], "suicide": [], "superko": []}


def test_in_go_a_pass_lifts_the_ko():
    vertices = ["C4", "F4", "D3", "E3", "D5", "E5", "E4", "D4"]
    moves = [["bw"[n % 2], vertex] for n, vertex in enumerate(vertices)]
    asked = {"game": "go", "ask": "move", "size": 9, "move": "E4", "to_move": "b"}
    assert answer({**asked, "moves": moves, "ply": 8})["answer"] == {"verdict": "ko"}
    passed = [*moves, ["b", "PASS"], ["w", "PASS"]]
    assert answer({**asked, "moves": passed, "ply": 10})["answer"] == {"verdict": "legal"}


def test_a_renju_game_may_be_told_with_its_swap_and_its_two_fifth_stones():
    stones = ["h8", "h9", "i9", "swap", "h7", "g6 j10", "j10", "a1"]
    assert answer({"game": "renju", "ask": "replay", "moves": stones})["answer"]["end"] is None


def test_a_renju_game_tells_what_may_be_pointed_out():
    moves = ["h8", "a1", "g8", "c1", "i9", "e1", "i10", "g1", "i8"]
    told = answer({"game": "renju", "ask": "replay", "moves": moves})["answer"]
    assert told == {"end": None, "five": None, "claimable": [{"point": "i8", "kind": "double_three"}]}


def test_a_deal_is_paid_in_stakes_and_may_change_single_rules():
    deal = {"game": "twentyone", "ask": "settle", "dealer": ["10", "6", "5"], "players": [["A", "♠K"]]}
    assert answer(deal)["answer"] == {"players": [{"outcome": "blackjack", "pays": 1.5}]}
    changed = answer({**deal, "rules": {"blackjack_beats_21": False}})
    assert changed["answer"] == {"players": [{"outcome": "draw", "pays": 0.0}]}
    assert error({**deal, "rules": {"jokers": True}})["where"] == "rules"


@pytest.mark.parametrize(
    ("by", "end"),
    [
        ({}, None),
        ({"regulations": "campus"}, None),
        ({"regulations": "fide-2026"}, ("fivefold_repetition", None, "Laws 9.6.1")),
        ({"regulations": "campus", "changes": {"game.chess.automatic_repetitions": 5}}, ("fivefold_repetition",)),
        ({"regulations": "fide-2024", "changes": {"game.chess.automatic_repetitions": 0}}, None),
    ],
)
def test_a_replay_draws_automatically_by_named_regulations(by, end):
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * 4
    told = answer({"game": "chess", "ask": "replay", "moves": moves, **by})["answer"]
    found = None if told["end"] is None else tuple(told["end"].values())
    assert found == end if end is None else found[: len(end)] == end
    assert told["claims"]["now"] == ([] if end else ["threefold_repetition"])


def test_a_replay_of_75_moves_names_them_and_a_mate_on_the_last():
    question = {"game": "chess", "ask": "replay", "regulations": "fide-2026"}
    fen = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 149 90"
    ends = [answer({**question, "fen": fen, "moves": [move]})["answer"]["end"] for move in ("e1e2", "e1e8")]
    assert [(end["termination"], end["winner"]) for end in ends] == [
        ("seventyfive_moves", None),
        ("checkmate", "white"),
    ]


def test_of_moves_that_claim_and_claims_that_stand_both_are_told():
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    told = answer({"game": "chess", "ask": "replay", "moves": moves})["answer"]
    assert told["claims"]["now"] == ["threefold_repetition"]
    assert told["end"] is None
