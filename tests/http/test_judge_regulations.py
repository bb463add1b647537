"""The judge follows the set of regulations that a question names, and its changes: the same question under each reading."""

from pathlib import Path
from typing import Any

import pytest

from tests.http.boards import Board, board
from tests.rows.marks import plays

ANSWER, ILLEGAL = "an answer", "Illegal move"
BARE_QUEEN = {"game": "chess", "ask": "flag_fall", "fen": "4k3/4q3/8/8/8/8/8/4K1N1 w - - 0 1", "flag": "black"}
CHECKS = {"fen": "4k4/8R/9/9/9/9/9/9/4A4/3A1K3 w", "moves": ["i8i9", "e9e8", "i9i8", "e8e9"] * 11}
LIMIT = {"game": "xiangqi", "ask": "natural_limit", "claimant": "red", **CHECKS}
STONES = [["bw"[n % 2], vertex] for n, vertex in enumerate(["B3", "B1", "A2", "B2", "A1", "A3"])]
TAKEN_BACK = {"game": "go", "ask": "move", "size": 3, "moves": STONES, "move": "A2", "to_move": "b"}
EMPTY_BOARD = {"game": "go", "ask": "area", "moves": []}
ONE_STONE = {"game": "go", "ask": "area", "moves": [["b", "A1"]]}


def game_of(*stones: str) -> dict[str, Any]:
    """Black's stones in renju, White's far away, without the steps of an opening."""
    far = ("a1", "c1", "e1", "g1", "a15", "c15", "e15")
    return {
        "game": "renju",
        "ask": "replay",
        "moves": [m for pair in zip(stones, far, strict=False) for m in pair][: 2 * len(stones) - 1],
    }


THREE_THREE = game_of("h8", "g8", "i9", "i10", "i8")
OVERLINE = game_of("h8", "g8", "i8", "k8", "l8", "j8")
ANSWERED = OVERLINE | {"moves": [*OVERLINE["moves"], "g15"]}
FIFTHS = {"game": "renju", "ask": "replay", "moves": ["h8", "h9", "h10", "h7", "g9 i9"]}
SWAPPED = {"game": "renju", "ask": "replay", "moves": ["h8", "h9", "i9", "swap"]}
COMET = {"game": "renju", "ask": "replay", "moves": ["h8", "h9", "j6"]}
SIX = {
    "game": "gomoku",
    "ask": "replay",
    "moves": ["h8", "a15", "i8", "c15", "j8", "e15", "l8", "g15", "m8", "i15", "k8"],
}
BEYOND = {"game": "gomoku", "ask": "replay", "moves": ["h8", "h7"]}
AT_LIMIT = {
    "game": "prediction",
    "ask": "verdict",
    "first": "白子42手",
    "second": "白子46手",
    "five": "white",
    "ply": 44,
}
DRAW_PREDICTED = {"game": "prediction", "ask": "settle", "first": "和", "second": "黑子43手"}


@pytest.fixture
def judge(tmp_path: Path):
    with board(tmp_path, "xiangqi", "xiangqi-1999") as b:
        yield b


def told(b: Board, question: dict[str, Any], regulations: str, path: str, value: Any) -> Any:
    """The answer by a set with this value, or the title of the question's error."""
    sent = question | {"regulations": regulations, "changes": {path: value}}
    given = b.call("POST", "/v1/judge", sent, None)
    assert given.status_code == 200, given.text
    return given.json["answer"] if "answer" in given.json else given.json["error"]["title"]


def cases(*rows: tuple[Any, ...]) -> Any:
    """Each row a path, a set, a question, what of its answer is compared, and by each value what that is."""
    return pytest.mark.parametrize(
        "path, regulations, question, member, expected",
        [pytest.param(*row, id=f"{row[0]} {row[3]}", marks=plays(row[0], *(v for v, _ in row[4]))) for row in rows],
    )


@cases(
    ("game.chess.flag_needs", "campus", BARE_QUEEN, "winner", [("more_than_king", "white"), ("possible_mate", None)]),
    ("game.xiangqi.natural_limit_rounds", "campus", LIMIT, "valid", [(10, True), (11, False)]),
    ("game.xiangqi.own_checks_counted", "xiangqi-1999", LIMIT, "rounds", [(10, 10), (60, 22), (0, 0)]),
    ("game.go.positional_superko", "go-campus", TAKEN_BACK, "verdict", [(False, "legal"), (True, "superko")]),
    ("game.go.komi_quarter_zi", "campus", EMPTY_BOARD, "margin_zi", [(15, -3.75), (0, 0.0), (29, -7.25)]),
    ("game.go.size", "go-campus", ONE_STONE, "black", [(9, 81), (13, 169), (19, 361)]),
    ("game.renju.forbidden", "campus", THREE_THREE, "end", [("claimed", None), ("loses", "forbidden_move")]),
    ("game.renju.overline_any_time", "campus", ANSWERED, "claimable", [(True, ["j8"]), (False, [])]),
    ("game.renju.symmetric_fifths", "renju", FIFTHS, None, [(True, ANSWER), (False, ILLEGAL)]),
    ("game.renju.fifth_moves", "renju", FIFTHS, None, [(2, ANSWER), (3, ILLEGAL)]),
    ("game.renju.opening", "campus", SWAPPED, None, [("swap", ANSWER), ("free", ILLEGAL), ("agreed", ILLEGAL)]),
    ("game.renju.professional", "renju", COMET, None, [(False, ANSWER), (True, ILLEGAL)]),
    ("game.gomoku.overline_wins", "gomoku-campus", SIX, "end", [(True, "five"), (False, None)]),
    ("game.gomoku.own_half", "gomoku-campus", BEYOND, None, [(False, ANSWER), (True, ILLEGAL)]),
    ("game.prediction.at_limit", "campus", AT_LIMIT, "string", [("draw", "白44手/白44手和"), ("win", "白44手/白44手胜")]),
    ("game.prediction.draw_predictable", "campus", DRAW_PREDICTED, "limit", [(True, None), (False, "Draw predicted")]),
)  # fmt: skip
def test_the_same_question_under_each_reading(judge: Board, path, regulations, question, member, expected):
    given = [told(judge, question, regulations, path, value) for value, _ in expected]
    assert [_compared(one, member) for one in given] == [one for _, one in expected]


def _compared(given: Any, member: str | None) -> Any:
    if isinstance(given, str):
        return given
    value = given if member is None else given[member]
    if member == "end":
        return value and value["termination"]
    if member == "claimable":
        return [foul["point"] for foul in value]
    return ANSWER if member is None and "end" in given else value


OLD_THREAT = {"fen": "4k4/R8/1R7/9/9/8n/9/9/9/3K5 w", "moves": ["d0d1", "i4g3", "d1d0", "g3i4"]}
CHECKED = {"fen": "4k4/R8/1R7/9/9/9/9/9/9/3K4r w", "moves": ["d0d1", "i0i1", "d1d0", "i1i0"]}
TWO_CHECKS = {"fen": "3k5/1R7/9/6r2/9/9/6R2/9/4K4/9 w", "moves": ["g3h3", "g6h6", "h3g3", "h6g6"]}
THROUGH_CHECK = {"fen": "r2ak4/9/8c/9/4N4/9/3R5/9/3p5/3AKA3 w", "moves": ["d3e3", "a9b9", "e3d3", "b9a9"]}
MATED_FOR_IT = {"fen": "3aka3/9/c3b4/9/3r5/9/3r5/4p4/9/1R2K4 w", "moves": ["b0a0", "a7b7", "a0b0", "b7a7"]}
CHECK_AND_IDLE = {"fen": "4k3R/9/9/9/9/9/9/9/4A4/3A1K3 b", "moves": ["e9e8", "i9i7", "e8e9", "i7i9"]}
CHASE = {"fen": "3aka3/9/c3b4/9/9/9/1R7/4B4/9/3AKA3 w", "moves": ["b3a3", "a7b7", "a3b3", "b7a7"]}


def repeated(b: Board, cycle: dict[str, Any], regulations: str, **values: Any) -> Any:
    """The judgement on a cycle that was played twice, by a set with these values of xiangqi."""
    changes = {f"game.xiangqi.{name}": value for name, value in values.items()}
    asked = {"game": "xiangqi", "ask": "repetition", "fen": cycle["fen"], "moves": cycle["moves"] * 2}
    given = b.call("POST", "/v1/judge", asked | {"regulations": regulations, "changes": changes}, None)
    return given.json["answer"]


NEAR = {"mate_within": 1}
REPETITIONS = [
    ("mate_threat", OLD_THREAT, {}, [("standing", "black_wins", "杀杀 闲闲"), ("new", "draw", "闲闲 闲闲")]),
    ("mate_threat", CHECKED, {}, [("standing", "red_wins", "杀杀 将将"), ("new", "red_wins", "闲闲 将将")]),
    ("mate_threat", TWO_CHECKS, {}, [("standing", "black_wins", "杀杀 闲闲"), ("new", "black_wins", "杀杀 闲闲")]),
    ("mate_within", TWO_CHECKS, {}, [(1, "draw", "闲杀 闲闲"), (3, "black_wins", "杀杀 闲闲")]),
    ("chase_within", THROUGH_CHECK, NEAR, [(0, "draw", "闲捉 闲闲"), (1, "black_wins", "捉捉 闲闲")]),
    ("sound_within", MATED_FOR_IT, NEAR, [(0, "black_wins", "捉捉 闲闲"), (1, "draw", "闲闲 闲闲")]),
    ("three_checks", CHECK_AND_IDLE, {}, [("by_cycle", "draw", "闲将 闲闲"), ("loses", "black_wins", "闲将 闲闲")]),
    ("repeated", CHASE, {}, [("told_to_vary", "black_wins", "捉捉 闲闲"), ("goes_on", "none", " ")]),
    ("repetitions", CHASE, {}, [(3, "black_wins", "捉捉 闲闲"), (4, "none", " ")]),
]


@pytest.mark.parametrize(
    "value, cycle, others, expected",
    [
        pytest.param(*row, id=f"{row[0]} {n}", marks=plays(f"game.xiangqi.{row[0]}", *(one for one, _, _ in row[3])))
        for n, row in enumerate(REPETITIONS)
    ],
)  # fmt: skip
@pytest.mark.parametrize("regulations", ["xiangqi-1999", "campus"])
def test_a_repetition_is_judged_by_each_reading(judge: Board, regulations, value, cycle, others, expected):
    given = [repeated(judge, cycle, regulations, **others, **{value: one}) for one, _, _ in expected]
    kinds = [" ".join("".join(one["kinds"][side][:2]) for side in ("red", "black")) for one in given]
    assert [(one["verdict"], named) for one, named in zip(given, kinds, strict=True)] == [row[1:] for row in expected]


@plays("game.xiangqi.worth.advisor", 1, 2)
@plays("game.xiangqi.worth.elephant", 1, 2)
def test_an_elephant_chases_a_rooted_horse_where_it_is_worth_less(judge: Board):
    """002-X 25.3 compares advisors and elephants with each other only."""
    cycle = {"fen": "r1r1k4/4a4/9/9/9/2n6/9/n8/9/2B2K3 w", "moves": ["c0e2", "e8f9", "e2c0", "f9e8"]}
    usual = repeated(judge, cycle, "campus")
    equal = repeated(judge, cycle, "campus", **{"worth.advisor": 2, "worth.elephant": 2})
    assert [one["verdict"] for one in (usual, equal)] == ["black_wins", "draw"]


@pytest.mark.parametrize(
    "cycle, others, article, value, otherwise",
    [
        (THROUGH_CHECK, NEAR, "002-X 29.1", "chase_within", "draw"),
        (MATED_FOR_IT, NEAR, "002-X 29.4", "sound_within", "black_wins"),
        (TWO_CHECKS, {}, "002-X 28.2", "mate_within", "draw"),
        (OLD_THREAT, {"mate_threat": "new"}, "002-X 29.2", "mate_threat", "black_wins"),
    ],
)
def test_the_judge_says_by_which_reading_the_verdict_would_be_another(
    judge: Board, cycle, others, article, value, otherwise
):
    """29.1 through checks, 29.4, a mate beyond one check, a threat that stood before."""
    given = repeated(judge, cycle, "xiangqi-1999", **others)
    (turning,) = given["turns_on"]
    assert (turning["article"], turning["value"], turning["otherwise"]) == (article, f"game.xiangqi.{value}", otherwise)
    assert {"002-X 25.2", article} <= set(given["articles"])


def test_the_judge_says_by_which_articles_each_move_is_named(judge: Board):
    given = repeated(judge, CHASE, "xiangqi-1999")
    assert given["articles"] == [f"002-X {n}" for n in ("24.3", "26.4", "25.2", "28.3", "28.9", "29.3")]
    assert given["turns_on"] == []
    assert given["moves"][:2] == [
        {"move": "b3a3", "chinese": "车八平九", "side": "red", "kind": "捉", "articles": ["002-X 28.3", "002-X 29.3"]},
        {"move": "a7b7", "chinese": "炮1平2", "side": "black", "kind": "闲", "articles": ["002-X 28.9"]},
    ]


# ---------------------------------------------------------------- twenty-one 21点: no set has it, its readings are chosen singly

DEALER_21, DEALER_BUST = ["10", "6", "5"], ["10", "6", "9"]
FIVE_CARDS = ["2", "3", "4", "5", "2"]
TWENTYONE = [
    ("packs", ["K", "9"], [["K", "9"]] * 4, [(1, "Impossible deal"), (3, "draw")]),
    ("players_at_most", ["10", "9"], [["10", "8"], ["9", "8"]], [(7, "lose"), (6, "lose"), (1, "Impossible deal")]),
    ("dealer_stands", ["10", "6"], [["10", "9"]], [(17, "Impossible deal"), (16, "win")]),
    ("ace_or_eleven", ["10", "8"], [["A", "9", "9"]], [(True, "win"), (False, "bust")]),
    ("blackjack_pays", DEALER_21, [["A", "K"]], [(150, 1.5), (100, 1.0)]),
    ("blackjack_beats_21", DEALER_21, [["A", "K"]], [(True, "blackjack"), (False, "draw")]),
    ("insurance_pays", ["A", "K"], [{"cards": ["10", "9"], "insured": True}], [(200, 0.0), (100, -0.5)]),
    ("cards_at_most", ["10", "9"], [[*FIVE_CARDS, "2"]], [(5, "Impossible deal"), (0, "lose")]),
    ("five_cards_win", ["10", "9"], [FIVE_CARDS], [(False, "lose"), (True, "win")]),
    ("bust_with_dealer", DEALER_BUST, [["10", "8", "7"]], [("loses", "bust"), ("draws", "draw")]),
]


@pytest.mark.parametrize(
    "value, dealer, players, expected",
    [pytest.param(*row, id=row[0], marks=plays(f"rules.{row[0]}", *(one for one, _ in row[3]))) for row in TWENTYONE],
)
def test_the_four_texts_on_twenty_one_are_readings(judge: Board, value, dealer, players, expected):
    """000-F."""
    deal = {"game": "twentyone", "ask": "settle", "dealer": dealer, "players": players}
    given = [judge.call("POST", "/v1/judge", deal | {"rules": {value: one}}, None).json for one, _ in expected]
    member = "pays" if value in ("blackjack_pays", "insurance_pays") else "outcome"
    told = [one["answer"]["players"][0][member] if "answer" in one else one["error"]["title"] for one in given]
    assert told == [one for _, one in expected]


@pytest.mark.parametrize(
    "rules, where, detail",
    [
        ({"packs": 9}, "rules.packs", "rules.packs must be 1 to 8 packs"),
        ({"cards_at_most": 4}, "rules.cards_at_most", "rules.cards_at_most must be 0 or 5"),
        ({"ace_or_eleven": 1}, "rules.ace_or_eleven", "rules.ace_or_eleven must be true or false"),
        ({"bust_with_dealer": "wins"}, "rules.bust_with_dealer", "rules.bust_with_dealer must be loses or draws"),
        ({"jokers": 2}, "rules", "rules must not contain jokers, only packs, players_at_most, dealer_stands, ace_or_eleven, "
         "blackjack_pays, blackjack_beats_21, insurance_pays, cards_at_most, five_cards_win, bust_with_dealer"),
    ],
)  # fmt: skip
def test_a_reading_of_twenty_one_that_there_is_not_is_refused_by_name_and_bounds(judge: Board, rules, where, detail):
    deal = {"game": "twentyone", "ask": "settle", "dealer": ["10", "9"], "players": [["9", "9"]], "rules": rules}
    error = judge.call("POST", "/v1/judge", deal, None).json["error"]
    assert (error["where"], error["detail"]) == (where, detail)


def test_no_set_of_regulations_has_twenty_one(judge: Board):
    deal = {"game": "twentyone", "ask": "settle", "dealer": ["10", "9"], "players": [["9", "9"]]}
    error = judge.call("POST", "/v1/judge", deal | {"regulations": "campus"}, None).json["error"]
    assert (error["title"], error["detail"]) == (
        "Game not in regulations",
        "neither campus nor another ruleset has rules for twentyone",
    )


def test_a_verdict_that_would_be_a_draw_asks_for_a_criterion_where_none_may_be_predicted(judge: Board):
    """001 第三条 3(2), after 例4."""
    decisive = ("campus", "game.prediction.draw_predictable", False)
    assert told(judge, AT_LIMIT, *decisive) == "Missing field"
    assert told(judge, AT_LIMIT | {"decisive": "black"}, *decisive)["winner"] == "black"


@pytest.mark.parametrize(
    "regulations, changes, where, detail",
    [
        ("laws", {}, "regulations", "regulations must be one of campus, "),
        ("renju", {}, "regulations", "renju has no rules for xiangqi; rulesets with such rules: campus, "),
        ("campus", {"game.xiangqi.natural_limit_rounds": 61}, "changes.game.xiangqi.natural_limit_rounds",
         "game.xiangqi.natural_limit_rounds: must be 1 to 60 rounds (002-X 4.2.4"),
        ("campus", {"game.xiangqi.horses": 2}, "changes.game.xiangqi.horses", "game.xiangqi.horses: the organiser cannot change"),
        ("campus", {"rulebook.lateness.limit": 60}, "changes.rulebook.lateness.limit",
         "rulebook.lateness.limit: for xiangqi, the judge uses only the values of game.xiangqi"),
        ("campus", {"game.xiangqi.worth.advisor": 2}, "changes.game.xiangqi.worth.advisor",
         "game.xiangqi.worth.advisor: game.xiangqi.worth: an advisor and an elephant are worth the same"),
        (None, {"game.xiangqi.natural_limit_rounds": 50}, "regulations", "changes need a ruleset"),
    ],
)  # fmt: skip
def test_what_is_no_set_for_the_game_or_no_change_of_it_is_the_questions_error(
    judge: Board, regulations, changes, where, detail
):
    asked = LIMIT | {"changes": changes} | ({} if regulations is None else {"regulations": regulations})
    error = judge.call("POST", "/v1/judge", asked, None).json["error"]
    assert (error["where"], error["detail"][: len(detail)]) == (where, detail)


def test_a_set_without_changes_is_followed_as_it_is_shipped(judge: Board):
    """002-X 4.2.4: 60; 000-A 2, 和 4: 40."""
    quiet = LIMIT | {"fen": "4k4/9/9/9/9/9/9/8R/4A4/3A1K3 w", "moves": ["i2i3", "e9e8", "i3i2", "e8e9"] * 20}
    asked = [quiet | {"regulations": name} for name in ("campus", "xiangqi-1999")] + [quiet]
    given = judge.call("POST", "/v1/judge", asked, None).json
    assert [one["answer"]["valid"] for one in given] == [True, False, False]
