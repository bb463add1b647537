"""Claims, findings and ends of games of which the texts have two readings: each is chosen by ``changes``, and plays otherwise."""

from hashlib import sha256
from typing import Any

import pytest

from tests.rows.marks import plays
from tests.stories.conftest import Story, T
from tests.stories.test_clocks import HOUR, all_answered

HALLS = ("embedded",)

G = "/v1/games/T.1.1"
SALTS = {"black": "0123456789abcdef", "white": "fedcba9876543210"}
KNIGHTS = "g1f3 g8f6 f3g1 f6g8"
LONE_KING = (
    "c2c4 d7d5 c4d5 c8h3 g2h3 e7e5 d5e6 b7b6 e6f7 e8e7 f7g8q d8d3 g8h7 d3c3 h7h8 b8a6 b1c3 b6b5 c3b5 a6b4 b5c7 b4a6 "
    "c7a8 e7d7 h8f8 a6c5 f8c5 g7g5 c5g5 a7a5 g5a5 d7c6"
)
"""White has taken all that Black had but the king, and is to move."""
CHECKS = "h2c2 f9e8 i0i1 h9i7 i1d1 e8f9 d1d9 e9e8" + " d9e9 e8d8 e9d9 d8e8" * 5 + " d9e9 e8d8"
"""Red's chariot takes an advisor, then checks eleven times in eleven rounds."""
KO = "D5 E5 C4 F4 D3 E3 K10 D4 E4"
IN_THE_CORNER = "K10 A2 K11 B1 K12 Q16"
"""Black is to move, and A1 is 禁着点."""


def opened(story: Story, game: str, regulations: str, changes: dict[str, Any], **conditions: Any) -> None:
    """A tournament by these regulations so changed; player 1 sits on White's seat."""
    cup = {"id": "T", "name": "Cup", "game": game, "format": "swiss", "rounds": 5, "regulations": regulations}
    story.tell("/v1/tournaments", cup | {"changes": changes} | ({"conditions": conditions} if conditions else {}))
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"选手 {n}"} for n in range(1, 5)]})
    story.paired([1, 2], [3, 4])


def played(story: Story, moves: str, ply: int = 1, clock: int | None = None) -> Any:
    said = [move if clock is None else {"move": move, "clock": clock} for move in moves.split()]
    return story.tell(f"{G}/moves", {"ply": ply, "moves": said}, "board")


def step(story: Story, side: str, step: str, *values: str) -> Any:
    return story.tell(f"{G}/steps", {"side": side, "step": step, "values": list(values)}, "board")


def claim(story: Story, claim: str, role: Any = "board", **more: str) -> Any:
    told = story.tell(f"{G}/claims", {"claim": claim} | more, role)
    all_answered(story)
    return told


def ruled(story: Story) -> list[tuple[str, str, str]]:
    """The rulings, all of the rulebook: infraction, effect, article."""
    rulings = story.get(f"{T}/rulings")["rulings"]
    assert {r["role"] for r in rulings} <= {"rulebook"}
    return [(r["infraction"], r["effect"]["kind"], r["article"]) for r in rulings]


def result(story: Story) -> str | None:
    setting = story.get(G)["result"]
    return None if setting is None else setting["notation"]


# ---------------------------------------------------------------- 1, 20: the natural limit 自然限着

LIMIT, CAP = "game.xiangqi.natural_limit_rounds", "game.xiangqi.own_checks_counted"
FALSE, MINUTES = (
    "rulebook.findings.false_natural_limit.applies",
    "rulebook.findings.false_natural_limit_minutes.applies",
)


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        pytest.param({}, "1/2-1/2", marks=plays(LIMIT, 40)),  # 000-A 2, 和 4
        pytest.param({LIMIT: 60}, None, marks=plays(LIMIT, 60)),  # 002-X 4.2.4
    ],
)
def test_forty_rounds_are_the_natural_limit_or_sixty(
    story: Story, changes: dict[str, Any], outcome: str | None
) -> None:
    opened(story, "xiangqi", "campus", changes)
    played(story, " ".join(["a0a1 a9a8 a1a0 a8a9"] * 20))
    claim(story, "natural_limit", side="white")
    assert result(story) == outcome


@pytest.mark.parametrize(
    ("changes", "upheld", "grounds"),
    [
        pytest.param({}, False, "of 11 own checks at most 10 count", marks=plays(CAP, 10)),  # 002-X 23.3
        pytest.param({CAP: 60}, True, "of 11 own checks at most 60 count", marks=plays(CAP, 60)),  # 000-A knows no cap
    ],
)
def test_of_the_claimants_checks_ten_count_or_all(
    story: Story, changes: dict[str, Any], upheld: bool, grounds: str
) -> None:
    opened(story, "xiangqi", "campus", {LIMIT: 11} | changes)
    played(story, CHECKS)
    told = claim(story, "natural_limit", side="white")
    assert (told["state"] == "upheld", grounds in told["grounds"]) == (upheld, True)
    assert result(story) == ("1/2-1/2" if upheld else None)


FOUL = ("false_natural_limit", "foul", "002-X 9.1.4, 23.3")
FIVE_MINUTES = ("false_natural_limit", "adjust_clock", "002-X 23.3")


@pytest.mark.parametrize(
    ("changes", "rulings", "clock"),
    [
        pytest.param({}, [FOUL, FIVE_MINUTES], 3200, marks=[plays(FALSE, True), plays(MINUTES, True)]),
        pytest.param({MINUTES: False}, [FOUL], 3500, marks=plays(MINUTES, False)),
        pytest.param({FALSE: False, MINUTES: False}, [], 3500, marks=plays(FALSE, False)),  # 000-A is silent
    ],
)
def test_a_false_natural_limit_costs_a_foul_and_five_minutes_or_nothing(
    story: Story, changes: dict[str, Any], rulings: list[Any], clock: int
) -> None:
    opened(story, "xiangqi", "campus", changes, time=HOUR)
    played(story, "a0a1 a9a8", clock=3500)
    told = claim(story, "natural_limit", side="white")
    assert (told["state"], told["clocks"]["white"], ruled(story)) == ("denied", clock, rulings)
    assert result(story) is None


def test_a_false_natural_limit_that_costs_nothing_overruns_no_clock(story: Story) -> None:
    opened(story, "xiangqi", "campus", {FALSE: False, MINUTES: False}, time=HOUR)
    played(story, "a0a1 a9a8", clock=100)
    assert claim(story, "natural_limit", side="white")["clocks"]["white"] == 100
    assert result(story) is None


# ---------------------------------------------------------------- 3, 19: claims in chess

CLAIM, OVERRUN, LAPSED = (
    "rulebook.findings.false_claim.clock",
    "rulebook.findings.overrun.draws",
    "game.chess.lapsed_claim",
)
FIDE_COLOURS = {"game.chess.touch_ends_claim": False}


@pytest.mark.parametrize(
    ("regulations", "changes", "clocks"),
    [
        pytest.param("campus", {}, {"white": 3200, "black": 3400}, marks=plays(CLAIM, -300)),  # 13(2)
        pytest.param("campus", {CLAIM: 120}, {"white": 3500, "black": 3520}, marks=plays(CLAIM, 120)),  # Laws 9.5.3
        pytest.param("fide-2026", {}, {"white": 3500, "black": 3520}, marks=plays(CLAIM, 120)),
        pytest.param("fide-2026", {CLAIM: -300}, {"white": 3200, "black": 3400}, marks=plays(CLAIM, -300)),
    ],
)
def test_a_wrong_claim_costs_the_claimant_five_minutes_or_gives_the_opponent_two(
    story: Story, regulations: str, changes: dict[str, Any], clocks: dict[str, int]
) -> None:
    opened(story, "chess", regulations, changes, time=HOUR)
    played(story, "b1c3", clock=3500)
    played(story, "b8c6", 2, 3400)
    told = claim(story, "threefold_repetition", side="white")
    assert (told["state"], told["clocks"], story.get(G)["clocks"]) == ("denied", clocks, clocks)
    assert [r[:2] for r in ruled(story)] == [("false_claim", "adjust_clock")]


@plays("rulebook.findings.*.finding", "overrun")
@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        pytest.param({}, "1/2-1/2", marks=plays(OVERRUN, True)),  # 5: 只剩单王的一方不能作胜方
        pytest.param({OVERRUN: False}, "0-1", marks=plays(OVERRUN, False)),  # 13(2): 判提和方负
    ],
)
def test_a_wrong_claim_that_overruns_the_clock_against_a_lone_king_is_drawn_or_loses(
    story: Story, changes: dict[str, Any], outcome: str
) -> None:
    opened(story, "chess", "campus", changes, time=HOUR)
    played(story, LONE_KING, clock=250)
    claim(story, "fifty_moves", side="white")
    story.until(lambda: story.ask("GET", G).json["status"] == "decided")
    assert [r[0] for r in ruled(story)] == ["false_claim", "flag"]
    assert result(story) == outcome


@pytest.mark.parametrize("changes", [{}, {OVERRUN: False}])
def test_a_wrong_claim_that_overruns_the_clock_loses_against_more_than_a_king(
    story: Story, changes: dict[str, Any]
) -> None:
    """000-A 国际象棋, 对局结束 13(2); by both readings."""
    opened(story, "chess", "campus", changes, time=HOUR)
    played(story, "b1c3 b8c6", clock=250)
    claim(story, "fifty_moves", side="white")
    story.until(lambda: story.ask("GET", G).json["status"] == "decided")
    assert story.refused(f"{G}/moves", {"ply": 3, "moves": ["c3b1"]}, "board") == (409, "game-over")
    assert result(story) == "0-1"


def moved_on(story: Story, changes: dict[str, Any]) -> dict[str, str]:
    """White had the third occurrence at its turn, and moved on; its claim."""
    opened(story, "chess", "campus", changes, time=HOUR)
    played(story, f"{KNIGHTS} {KNIGHTS} b1c3 b8c6", clock=3500)
    return {"claim": "threefold_repetition", "side": "white"}


@plays(LAPSED, "wrong")
def test_a_claim_after_the_right_to_it_has_lapsed_is_a_wrong_one(story: Story) -> None:
    """000-A 国际象棋, 对局结束 13(2)."""
    moved_on(story, {})
    told = claim(story, "threefold_repetition", side="white")
    assert (told["state"], told["clocks"]["white"]) == ("denied", 3200)
    assert ruled(story) == [("false_claim", "adjust_clock", "000-A 国际象棋, 对局结束 13(2)")]


@plays(LAPSED, "refused")
def test_a_claim_after_the_right_to_it_has_lapsed_is_none_and_the_right_comes_back(story: Story) -> None:
    """000-A 国际象棋, 对局结束 11: 他便失去了提和的权利."""
    asked = moved_on(story, {LAPSED: "refused"})
    refused = story.ask("POST", f"{G}/claims", asked, "board")
    assert (refused.status_code, refused.json["type"].rpartition(":")[2]) == (409, "claim-right-lost")
    assert "对局结束 11" in refused.json["article"] and "3 are needed" in refused.json["detail"]
    assert (ruled(story), story.get(G)["clocks"]["white"]) == ([], 3500)

    # the fifty moves are no right that lapses, and after a pawn's move there is no repetition to have missed
    assert claim(story, "fifty_moves", side="white")["state"] == "denied"
    played(story, "c3b1 c6b8", 11, 3200)
    claim(story, "threefold_repetition", side="white")
    assert result(story) == "1/2-1/2"


@plays(LAPSED, "refused")
def test_a_new_wrong_claim_is_a_wrong_one_by_either_reading(story: Story) -> None:
    moved_on(story, {LAPSED: "refused"})
    played(story, "e2e4 e7e5", 11, 3500)
    assert claim(story, "threefold_repetition", side="white")["state"] == "denied"
    assert [r[:2] for r in ruled(story)] == [("false_claim", "adjust_clock")]


# ---------------------------------------------------------------- 6, 18: moves that are none

XIANGQI, CHESS = "rulebook.findings.illegal_move_xiangqi.infraction", "rulebook.findings.illegal_move_chess.applies"
TWO_MINUTES = "rulebook.findings.illegal_move_minutes.applies"
KO_TOO, POINT_TOO = "rulebook.findings.ko_violation.applies", "rulebook.findings.forbidden_point.applies"


@pytest.mark.parametrize(
    ("changes", "ruling", "outcome"),
    [
        pytest.param({}, ("illegal_move", "set_marks", "000-A 2.5"), "0-1", marks=plays(XIANGQI, "illegal_move")),
        pytest.param(
            {XIANGQI: "breach_of_rules"},
            ("breach_of_rules", "foul", "000-A 7.9: 不符合行棋规则者,判违例"),
            None,
            marks=plays(XIANGQI, "breach_of_rules"),
        ),
    ],
)
def test_an_illegal_move_of_xiangqi_loses_or_is_a_violation(
    story: Story, changes: dict[str, Any], ruling: Any, outcome: str | None
) -> None:
    opened(story, "xiangqi", "campus", changes)
    played(story, "a0a1 a9a8")
    claim(story, "illegal_move", "arbiter", move="b0b2")
    assert (ruled(story), result(story)) == ([ruling], outcome)


def test_the_third_illegal_move_that_is_a_violation_loses(story: Story) -> None:
    """000-A 7.9, 7.10."""
    opened(story, "xiangqi", "campus", {XIANGQI: "breach_of_rules"})
    for n, moves in enumerate(("a0a1 a9a8", "a1a0 a8a9", "a0a1 a9a8")):
        played(story, moves, 1 + 2 * n)
        claim(story, "illegal_move", "arbiter", move="b0b2")
    assert [r[0] for r in ruled(story)] == [*["breach_of_rules"] * 3, "third_violation"]
    assert result(story) == "0-1"


@pytest.mark.parametrize(
    ("changes", "rulings"),
    [
        pytest.param({}, [("breach_of_rules", "foul", "000-A 国际象棋, 违例 9; 不合规则 1")], marks=plays(CHESS, True)),
        pytest.param({CHESS: False}, [], marks=plays(CHESS, False)),
    ],
)
def test_an_illegal_move_of_chess_is_restored_and_a_violation_too_or_not(
    story: Story, changes: dict[str, Any], rulings: list[Any]
) -> None:
    opened(story, "chess", "campus", changes)
    played(story, "e2e4 e7e5")
    fen = story.get(G)["fen"]
    told = claim(story, "illegal_move", "arbiter", move="e1e3")
    assert (told["state"], ruled(story)) == ("upheld", rulings)
    assert (story.get(G)["fen"], result(story)) == (fen, None), "不合规则 1"
    played(story, "g1f3", 3)


@pytest.mark.parametrize(
    ("changes", "clock"),
    [
        pytest.param({}, 3520, marks=plays(TWO_MINUTES, True)),
        pytest.param({TWO_MINUTES: False}, 3400, marks=plays(TWO_MINUTES, False)),
    ],
)
def test_an_illegal_move_by_the_laws_gives_the_opponent_two_minutes_or_none_and_the_second_loses(
    story: Story, changes: dict[str, Any], clock: int
) -> None:
    """Laws 7.5.5."""
    opened(story, "chess", "fide-2026", changes, time=HOUR)
    played(story, "b1c3", clock=3500)
    played(story, "b8c6", 2, 3400)
    told = claim(story, "illegal_move", "arbiter", move="e1e3")
    assert (told["clocks"]["black"], result(story)) == (clock, None)
    played(story, "c3b1 c6b8", 3)
    claim(story, "illegal_move", "arbiter", move="e1e3")
    assert result(story) == "0-1"


WARNED = ("ko_without_a_threat", "warn", "000-A 围棋, 行棋 4")
VIOLATION = ("breach_of_rules", "foul", "000-A 围棋, 违例 9: 不符合行棋规则者")


@pytest.mark.parametrize("regulations", ["campus", "go-campus"])
@pytest.mark.parametrize(
    ("changes", "rulings"),
    [
        pytest.param({}, [WARNED], marks=plays(KO_TOO, False)),
        pytest.param({KO_TOO: True}, [WARNED, VIOLATION], marks=plays(KO_TOO, True)),
    ],
)
def test_a_ko_retaken_without_a_threat_is_warned_and_a_violation_too_or_not(
    story: Story, regulations: str, changes: dict[str, Any], rulings: list[Any]
) -> None:
    opened(story, "go", regulations, changes)
    played(story, KO)
    told = claim(story, "illegal_move", "arbiter", move="D4")
    assert ("one turn is lost" in told["grounds"], ruled(story)) == (True, rulings)
    assert (story.get(G)["to_move"], result(story)) == ("black", None)


@plays("rulebook.findings.*.finding", "forbidden_point")
@pytest.mark.parametrize("regulations", ["campus", "go-campus"])
@pytest.mark.parametrize(
    ("changes", "rulings"),
    [
        pytest.param({}, [], marks=plays(POINT_TOO, False)),
        pytest.param({POINT_TOO: True}, [VIOLATION], marks=plays(POINT_TOO, True)),
    ],
)
def test_a_stone_on_a_forbidden_point_costs_the_turn_and_is_a_violation_too_or_not(
    story: Story, regulations: str, changes: dict[str, Any], rulings: list[Any]
) -> None:
    """000-A 围棋, 行棋 5: 判着手无效, 弃权一次."""
    opened(story, "go", regulations, changes)
    played(story, IN_THE_CORNER)
    told = claim(story, "illegal_move", "arbiter", move="A1")
    assert ("one turn is lost" in told["grounds"], ruled(story)) == (True, rulings)
    assert (story.get(G)["to_move"], result(story)) == ("white", None)
    played(story, "D4", 8)


def test_three_forbidden_points_that_are_violations_lose(story: Story) -> None:
    """000-A 围棋, 违例 9, 10."""
    opened(story, "go", "go-campus", {POINT_TOO: True})
    played(story, IN_THE_CORNER)
    for n, stone in enumerate(("D4", "D5", "D6")):
        claim(story, "illegal_move", "arbiter", move="A1")
        if n < 2:
            played(story, stone, 8 + 2 * n)
    assert [r[0] for r in ruled(story)] == [*["breach_of_rules"] * 3, "third_violation"]
    assert result(story) == "1-0"


# ---------------------------------------------------------------- 7, 11: forbidden moves of renju 禁手

FORBIDDEN, ANY_TIME = "game.renju.forbidden", "game.renju.overline_any_time"
FAR = ("e1", "g1", "a15", "c15")


def renju(story: Story, changes: dict[str, Any], *stones: str) -> None:
    """Black's stones, White's far away; Black has just played the last one."""
    opened(story, "renju", "campus", changes)
    played(story, f"{stones[0]} a1 {stones[1]} c1")
    step(story, "black", "offer_fifth", stones[2], "o15")
    step(story, "white", "choose_fifth", stones[2])
    pairs = zip(FAR, stones[3:], strict=False)
    played(story, " ".join(f"{far} {stone}" for far, stone in pairs), 6)


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        pytest.param({}, None, marks=plays(FORBIDDEN, "claimed")),  # 000-A H; 004 3.2 (6); 000-E 5
        pytest.param({FORBIDDEN: "loses"}, "1-0", marks=plays(FORBIDDEN, "loses")),  # 000-E 2; 001 4
    ],
)
def test_a_forbidden_move_loses_once_it_is_claimed_or_at_once(
    story: Story, changes: dict[str, Any], outcome: str | None
) -> None:
    renju(story, changes, "h8", "g8", "i9", "i10", "i8")
    assert result(story) == outcome
    if outcome is None:
        claim(story, "forbidden_point", side="white", move="i8")
        assert result(story) == "1-0"


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        pytest.param({}, "1-0", marks=plays(ANY_TIME, True)),  # 000-A I
        pytest.param({ANY_TIME: False}, None, marks=plays(ANY_TIME, False)),  # 004 3.2 (6); 000-E 5
    ],
)
def test_an_overline_is_pointed_out_any_time_before_the_end_or_at_once(
    story: Story, changes: dict[str, Any], outcome: str | None
) -> None:
    renju(story, changes, "h8", "g8", "i8", "k8", "l8", "j8")
    played(story, "o1 o3", 12)
    told = claim(story, "forbidden_point", side="white", move="j8")
    assert (told["state"] == "upheld", result(story)) == (outcome is not None, outcome)


# ---------------------------------------------------------------- 8, 9: predictions 预判

AT_LIMIT, NAMED = "game.prediction.at_limit", "game.prediction.unlimited_names_colour"


def predicted(story: Story, changes: dict[str, Any], first: str, second: str) -> None:
    """The opening, and what both predicted, shown."""
    opened(story, "prediction", "campus", changes)
    played(story, "a1 c8 o15 d8")
    said = {"black": first, "white": second}
    for side, salt in SALTS.items():
        step(story, side, "seal", sha256((salt + said[side]).encode()).hexdigest())
    for side, salt in SALTS.items():
        step(story, side, "reveal", salt, said[side])


@pytest.mark.parametrize(
    ("changes", "verdict", "outcome"),
    [
        pytest.param({}, "白10手/白10手和", "1/2-1/2", marks=plays(AT_LIMIT, "draw")),  # 例1, 例4
        pytest.param({AT_LIMIT: "win"}, "白10手/白10手胜", "1-0", marks=plays(AT_LIMIT, "win")),  # 3(2): 小于等于
    ],
)
def test_five_exactly_at_the_limit_draws_or_wins(
    story: Story, changes: dict[str, Any], verdict: str, outcome: str
) -> None:
    predicted(story, changes, "白子10手", "白子10手")
    played(story, "a15 e8 o1 f8 h1 g8", 5)
    assert (story.get(G)["facts"]["verdict"], result(story)) == (verdict, outcome)


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        pytest.param({}, "白10手/黑无限制胜", marks=plays(NAMED, True)),  # 例7
        pytest.param({NAMED: False}, "白10手/无限制胜", marks=plays(NAMED, False)),  # 例6
    ],
)
def test_the_verdict_where_black_alone_must_win_names_black_or_no_colour(
    story: Story, changes: dict[str, Any], verdict: str
) -> None:
    predicted(story, changes, "和", "黑子43手")
    played(story, "a15 e8 o1 f8 h1 g8", 5)
    told = story.get(G)
    assert (told["facts"]["verdict"], told["result"]["notation"]) == (verdict, "0-1"), (
        "he who said 和 has White, on Black's seat"
    )
    assert verdict in story.get("/games/T.1.1")
