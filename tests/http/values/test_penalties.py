"""Values of rulebooks: the same acts under each of them, and what follows."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shared.regulations import load
from tests.http.boards import Board, G, T, board
from tests.http.rows.answers import claim, code, followed, result, rule, rulings
from tests.http.rows.test_go import KO
from tests.http.values.test_games import under
from tests.rows.marks import plays

Play = Callable[[Board], Any]
HOUR = {"conditions": {"time": {"periods": [{"seconds": 3600}], "flag": "at_once"}}}


def late(*seconds: int) -> Play:
    """Players 1, 3 late by so much; those of them who lose."""

    def play(b: Board) -> Any:
        lost = []
        for player, by in zip((1, 3), seconds, strict=False):
            body = {"player": player, "round": 1, "late": by}
            if followed(b.call("POST", f"{T}/arrivals", body, "arbiter"))["rulings"]:
                lost.append(player)
        return lost

    return play


def both_late(b: Board) -> Any:
    for player, by in ((1, 600), (2, 700)):
        followed(b.call("POST", f"{T}/arrivals", {"player": player, "round": 1, "late": by}, "arbiter"))
    return b.get().json["clocks"]


def away(*seconds: int) -> Play:
    def play(b: Board) -> Any:
        for one in seconds:
            followed(b.call("POST", f"{G}/breaks", {"player": 1, "seconds": one}, "arbiter"))
        return [name for name, *_ in rulings(b)]

    return play


def fouls(player: int, count: int) -> Play:
    """So many fouls of a player; what the rulebook adds."""

    def play(b: Board) -> Any:
        followed(b.call("POST", f"{G}/start", role="arbiter"))
        for _ in range(count):
            rule(b, player, "foul")
        return [(name, kind) for name, kind, _ in rulings(b) if name != "foul"]

    return play


def warned(b: Board) -> Any:
    rule(b, 2, "misconduct")
    return rulings(b)[0][1]


CASES: list[tuple[str, str, str, Play, dict[Any, Any], dict[str, Any]]] = [
    # path, set, game, what is done, what comes of it by each value, more of the announcement
    ("rulebook.lateness.limit", "campus", "xiangqi", late(1, 650), {900: [], 600: [3], 0: [1, 3]}, {}),
    ("rulebook.lateness.strictly", "campus", "xiangqi", late(900), {True: [], False: [1]}, {}),
    ("rulebook.lateness.both_deducted", "campus", "xiangqi", both_late,
     {True: {"white": 3000, "black": 2900}, False: {"white": 3000, "black": 3600}}, HOUR),
    ("rulebook.breaks.limit", "gomoku-campus", "gomoku", away(301), {300: ["long_break"], 301: []}, {}),
    ("rulebook.breaks.times", "gomoku-campus", "gomoku", away(9, 9), {1: ["leaving_the_game"], 2: []}, {}),
    ("rulebook.breaks.strictly", "gomoku-campus", "gomoku", away(300), {True: [], False: ["long_break"]}, {}),
    ("rulebook.ladder.third_foul.count", "xiangqi-1999", "xiangqi", fouls(2, 2),
     {3: [], 2: [("third_foul", "set_marks")]}, {}),
    ("rulebook.ladder.third_foul.effect", "xiangqi-1999", "xiangqi", fouls(2, 3),
     {"set_marks": [("third_foul", "set_marks")], "warn": [("third_foul", "warn")],
      "expel": [("third_foul", "expel"), ("removal", "set_marks")]}, {}),
    ("rulebook.infractions.misconduct.effect", "xiangqi-1999", "xiangqi", warned,
     {kind: kind for kind in ("warn", "set_marks", "expel")}, {}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "regulations", "game", "play", "expected", "more"),
    [pytest.param(*case, marks=plays(case[0], *case[4]), id=case[0]) for case in CASES],
)
def test_the_same_acts_under_each_value(
    tmp_path: Path,
    path: str,
    regulations: str,
    game: str,
    play: Play,
    expected: dict[Any, Any],
    more: dict[str, Any],
) -> None:
    came = {}
    for value in expected:
        with under(tmp_path / str(value), regulations, game, path, value, **more) as b:
            came[value] = play(b)
    assert came == expected


@plays("rulebook.infractions.*.counter", "foul", "violation", "advice", None)
@plays("rulebook.infractions.*.effect", "foul", "warn")
@plays("rulebook.ladder.*.counter", "foul", "violation", "advice")
@plays("rulebook.ladder.*.moves", None, "violation")
@plays("rulebook.ladder.*.effect", "foul", "set_marks")
@plays("rulebook.ladder.*.count", 2, 3)
@plays("rulebook.ladder.*.scope", "game")
@pytest.mark.parametrize(
    ("infraction", "facts", "brought"),
    [
        ("foul", {}, [[], [], ["third_foul"]]),
        ("abuse", {}, [[], [], ["third_violation"]]),
        ("advice", {"grave": False}, [[], ["repeated_disturbance"], ["repeated_disturbance"]]),
        ("misconduct", {}, [[], [], []]),
    ],
)
def test_what_an_act_counts_towards_decides_what_its_repetition_brings(
    tmp_path: Path, infraction: str, facts: dict[str, Any], brought: list[list[str]]
) -> None:
    with board(tmp_path, "xiangqi") as b:
        followed(b.call("POST", f"{G}/start", role="arbiter"))
        came = []
        for _ in range(3):
            made = rule(b, 2, infraction, **({"facts": facts} if facts else {}))["brought"]
            listed = b.call("GET", f"{T}/rulings", role=None).json["rulings"]
            came.append([r["infraction"] for r in listed if r["ruling"] in made])
        assert came == brought


@plays("rulebook.ladder.*.scope", "tournament")
@plays("rulebook.ladder.*.effect", "expel")
def test_where_fouls_count_over_the_event_those_of_an_earlier_round_do(tmp_path: Path) -> None:
    """000-B 注意 8."""
    with board(tmp_path, "gomoku", "gomoku-campus") as b:
        rule(b, 1, "noise")
        results = {"round": 1, "results": [{"board": n, "result": "1-0"} for n in (1, 2)]}
        tag = followed(b.call("POST", f"{T}/results", results, "arbiter"))
        assert tag
        boards = {"boards": [[1, 3], [2, 4]], "reason": "for this test"}
        etag = b.call("GET", T, role=None).headers["ETag"]
        followed(b.call("POST", f"{T}/rounds", boards, "chief_arbiter", If_Match=etag))
        for act in ("telephone", "noise"):
            followed(b.call("POST", f"{T}/rulings", {"player": 1, "round": 2, "infraction": act}, "arbiter"))
        assert rulings(b)[-1][:2] == ("third_technical_foul", "expel")


FACTS: list[tuple[str, str, str, str, dict[str, Any], tuple[int, str] | None]] = [
    # fact, set, game, infraction, what is stated, the refusal
    ("missed_in_a_row", "xiangqi-1999", "xiangqi", "missing_records", {"missed_in_a_row": 3}, (409, "no-infraction")),
    ("missed_in_a_row", "xiangqi-1999", "xiangqi", "missing_records", {}, (422, "fact-missing")),
    ("missed_in_a_row", "xiangqi-1999", "xiangqi", "missing_records", {"missed_in_a_row": 4}, None),
    ("seconds_left", "xiangqi-1999", "xiangqi", "missing_records",
     {"missed_in_a_row": 4, "seconds_left": 179}, (409, "no-infraction")),
    ("opponent_passed", "campus", "go", "two_moves_in_a_row", {"opponent_passed": True}, (409, "no-infraction")),
    ("opponent_moved", "campus", "go", "taking_back", {"opponent_moved": True}, (409, "no-infraction")),
    ("consent", "campus", "go", "adjusting", {"own_time": True, "consent": True}, (409, "no-infraction")),
    ("own_time", "campus", "go", "adjusting", {"own_time": True, "consent": False}, None),
    ("grave", "campus", "go", "obstructing", {"grave": False}, (409, "no-infraction")),
    ("grave", "campus", "go", "advice", {"grave": True}, (409, "no-infraction")),
    ("repeated", "campus", "go", "advice", {"repeated": True}, (409, "fact-contradicts")),
    ("by", "campus", "go", "scattering_the_board", {"by": "outsider"}, (409, "no-infraction")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("fact", "regulations", "game", "infraction", "facts", "refused"),
    [
        pytest.param(*case, marks=plays(f"rulebook.infractions.{case[3]}.facts.*.name", case[0]), id=f"{case[3]} {n}")
        for n, case in enumerate(FACTS)
    ],
)
@plays("rulebook.infractions.*.facts.*.required", False, True)
@plays("rulebook.infractions.*.facts.*.holds", False)
def test_a_fact_that_speaks_against_an_infraction_is_refused_with_its_article(
    tmp_path: Path,
    fact: str,
    regulations: str,
    game: str,
    infraction: str,
    facts: dict[str, Any],
    refused: tuple[int, str] | None,
) -> None:
    with board(tmp_path, game, regulations) as b:
        followed(b.call("POST", f"{G}/start", role="arbiter"))
        body = {"player": 1, "round": 1, "infraction": infraction, "facts": facts}
        answer = b.call("POST", f"{T}/rulings", body, "arbiter")
        if refused is None:
            followed(answer)
        else:
            assert code(answer) == refused and answer.json["article"]


@plays("rulebook.infractions.missing_records.facts.*.least", 4, 180)
@plays("rulebook.infractions.*.facts.*.least", None)
@pytest.mark.parametrize(("missed", "left", "status"), [(4, 180, 201), (3, 180, 409), (4, 179, 409)])
def test_a_number_that_is_a_bound_decides(tmp_path: Path, missed: int, left: int, status: int) -> None:
    """002-X 7.1, 7.2."""
    with board(tmp_path, "xiangqi", "xiangqi-1999") as b:
        body = {"player": 1, "round": 1, "infraction": "missing_records"}
        facts = {"facts": {"missed_in_a_row": missed, "seconds_left": left}}
        assert b.call("POST", f"{T}/rulings", body | facts, "arbiter").status_code == status


@plays("rulebook.infractions.missing_records.facts.*.each", 4)
@plays("rulebook.infractions.*.facts.*.each", 0)
def test_each_so_many_of_a_count_are_an_infraction_more(tmp_path: Path) -> None:
    """002-X 7.1: 每连续漏记4着."""
    with board(tmp_path, "xiangqi", "xiangqi-1999") as b:
        body = {"player": 1, "round": 1, "infraction": "missing_records", "facts": {"missed_in_a_row": 8}}
        made = followed(b.call("POST", f"{T}/rulings", body, "arbiter"))
        assert made and [row[0] for row in rulings(b)] == ["missing_records", "missing_records"]
        foul = {"player": 1, "round": 1, "infraction": "conduct"}
        followed(b.call("POST", f"{T}/rulings", foul, "arbiter"))
        assert rulings(b)[-1][:2] == ("third_foul", "set_marks")


@plays("rulebook.infractions.advice.facts.*.either", False)
@plays("rulebook.infractions.adjusting.facts.*.either", True)
@plays("rulebook.infractions.obstructing.facts.*.holds", True)
def test_one_of_two_facts_is_enough_where_either_is(tmp_path: Path) -> None:
    """000-A 7.8: on the own time, and told before."""
    with board(tmp_path, "xiangqi") as b:
        followed(b.call("POST", f"{G}/start", role="arbiter"))
        for n, facts in enumerate(({"own_time": True, "consent": False}, {"own_time": False, "consent": True})):
            rule(b, 1 + n, "adjusting", facts=facts)
        rule(b, 3, "obstructing", facts={"grave": True})
        assert [kind for _, kind, _ in rulings(b)] == ["foul"] * 3


@plays("rulebook.infractions.scattering_the_board.results", "1/2-1/2", "0-0")
@pytest.mark.parametrize("notation", ["1/2-1/2", "0-0", "1-0"])
def test_a_game_that_nobody_is_accused_for_has_one_of_the_results_of_its_infraction(
    tmp_path: Path, notation: str
) -> None:
    """000-A 围棋, 行棋 3."""
    with board(tmp_path, "go", "go-campus") as b:
        followed(b.moves("Q16 D4"))
        body = {"result": notation, "infraction": "scattering_the_board", "reason": "an outsider upset the board"}
        answer = b.call("POST", f"{G}/decision", body, "chief_arbiter")
        if notation == "1-0":
            assert answer.status_code in (409, 422) and answer.json["article"]
        else:
            followed(answer)
        assert result(b) == (None if notation == "1-0" else notation)


def found(moves: str, *claims: tuple[str, dict[str, Any]]) -> Play:
    def play(b: Board) -> Any:
        followed(b.moves(moves))
        for name, more in claims:
            claim(b, name, **more)
        return sorted({name for name, *_ in rulings(b)})

    return play


def bad_sealed(b: Board) -> Any:
    followed(b.moves("炮二平五 马8进7"), b.step("white", "adjourn"))
    bad = {"side": "white", "step": "unseal", "values": ["车九平五"]}
    followed(b.call("POST", f"{G}/steps", bad, "arbiter"))
    return [name for name, *_ in rulings(b)]


def offers(first: str, *said: tuple[str, str]) -> Play:
    def play(b: Board) -> Any:
        followed(b.moves(first))
        for offer, side in said:
            followed(b.call("POST", f"{G}/offers", {"offer": offer, "side": side}, "player"))
        return [name for name, *_ in rulings(b)]

    return play


XIANGQI_IDLE = "a0a1 a9a8 a1a0 a8a9"
TWICE = (("draw", "white"), ("decline", "black"), ("draw", "white"))
FINDINGS: list[tuple[str, str, str, Play]] = [
    # finding, set, game, what is done
    ("flag", "xiangqi-1999", "xiangqi", found(XIANGQI_IDLE, ("flag", {"side": "black"}))),
    ("flag", "renju", "renju", found("h8 h9 i9", ("flag", {"side": "black"}))),
    ("illegal_move", "xiangqi-1999", "xiangqi",
     found(XIANGQI_IDLE, ("illegal_move", {"side": "black", "move": "b0b2"}))),
    ("illegal_move", "campus", "chess", found("e2e4", ("illegal_move", {"side": "white", "move": "e8e6"}))),
    ("illegal_move", "go-campus", "go", found(KO, ("illegal_move", {"side": "black", "move": "D4"}))),
    ("illegal_move", "gomoku-campus", "gomoku", found("h8", ("illegal_move", {"side": "black", "move": "h3"}))),
    ("facing_generals", "xiangqi-1999", "xiangqi",
     found("h0i2 b7b3 e0e1 f9e8 e1f1", ("illegal_move", {"side": "white", "move": "e9f9"}))),
    ("bad_sealed_move", "campus", "xiangqi", bad_sealed),
    ("false_claim", "campus", "chess", found("e2e4 e7e5", ("fifty_moves", {"side": "white", "role": "player"}))),
    ("false_natural_limit", "xiangqi-1999", "xiangqi",
     found(XIANGQI_IDLE, ("natural_limit", {"side": "white", "role": "player"}))),
    ("irregular_offer", "campus", "xiangqi", offers("h2e2", ("draw", "black"))),
    ("consecutive_offer", "campus", "xiangqi", offers("h2e2", *TWICE)),
    ("consecutive_offer", "xiangqi-1999", "xiangqi", offers("h2e2", *TWICE)),
    ("unmovable_touch", "xiangqi-1999", "xiangqi", found("h2e2 e9e8 a0a1", ("touch", {"squares": ["d9"]}))),
    ("uncapturable_touch", "xiangqi-1999", "xiangqi", found("h2e2 e9e8 a0a1", ("touch", {"squares": ["a1"]}))),
]  # fmt: skip


def infractions_of(finding: str, regulations: str, game: str) -> list[str]:
    """What the rulebook of a shipped set makes of a finding."""
    return sorted({row.infraction for row in load(regulations).rulebook.finding_rules(finding, game)})


@pytest.mark.parametrize(
    ("finding", "regulations", "game", "play", "infractions"),
    [
        pytest.param(
            *case,
            infractions,
            marks=[
                plays("rulebook.findings.*.finding", case[0]),
                plays("rulebook.findings.*.infraction", *infractions),
                plays("rulebook.findings.*.clock", 0),
            ],
            id=f"{case[0]} {case[1]}",
        )
        for case in FINDINGS
        for infractions in [infractions_of(*case[:3])]
    ],
)
def test_what_games_finds_is_ruled_on_by_the_row_of_the_rulebook(
    tmp_path: Path, finding: str, regulations: str, game: str, play: Play, infractions: list[str]
) -> None:
    with board(tmp_path, game, regulations) as b:
        assert play(b) == infractions != []
