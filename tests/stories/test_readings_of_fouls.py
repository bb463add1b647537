"""What the texts say in two ways of the third foul 犯规 or violation 违例, of who bars, and of fouls after the end."""

from typing import Any

import pytest

from tests.rows.marks import plays
from tests.stories.conftest import Story, T
from tests.stories.readings_of_fouls import G, announced, each, refusal, reported, rulings, withdrawn

HALLS = ("embedded",)

# ---------------------------------------------------------------- the ladder, and who bars


@each("rulebook.ladder.third_violation.scope", ("game", 2), ("tournament", 3))
def test_three_violations_in_two_games(story: Story, path: str, value: str, then: int) -> None:
    """000-A 7.10 does not say within what; 000-E 4(六): 在同一局棋中."""
    announced(story, path, value)
    for _ in range(2):
        reported(story, "abuse")
    story.report("1-0", "1-0")
    story.paired([1, 3], [2, 4])
    third = reported(story, "abuse", round=2)
    assert len(third["brought"]) == then - 2
    assert (story.get("/v1/games/T.2.1")["result"] or {}).get("notation") == ("0-1" if then == 3 else None)


@each(
    "rulebook.authority.expel.roles",
    (["organiser"], ("organiser", "chief_arbiter")),
    (["deputy_chief_arbiter", "chief_arbiter"], ("chief_arbiter", "organiser")),
)
def test_who_bars_from_the_event(story: Story, path: str, value: Any, then: Any) -> None:
    """000-A 7.10 names nobody; 002-X 18.3, 000-A 6.2."""
    announced(story, path, value)
    body = {"player": 1, "round": 1, "infraction": "grave_misconduct", "effect": {"kind": "expel"}}
    may, may_not = then
    problem = refusal(story, f"{T}/rulings", body, may_not)
    assert (problem["status"], problem["code"]) == (403, "role-may-not")
    assert f"roles that may: {' or '.join(value)}" in problem["detail"]
    story.tell(f"{T}/rulings", body, may)
    story.until(lambda: withdrawn(story) == [1])


@pytest.mark.parametrize(
    ("path", "value", "game", "then"),
    [
        pytest.param("rulebook.ladder.third_foul.games", value, game, then, marks=plays(
            "rulebook.ladder.third_foul.games", tuple(value)
        ))
        for value, lost in ((["xiangqi"], 1), (["xiangqi", "chess"], 2), ([], 3))
        for game, then in zip(("xiangqi", "chess", "go"), (True,) * lost + (False,) * (3 - lost), strict=True)
    ],
)  # fmt: skip
def test_the_third_foul_loses_in_these_games(story: Story, path: str, value: Any, game: str, then: bool) -> None:
    """000-A 2.7 is of xiangqi; the chapter of chess lists 犯规 and no third that loses, that of go has no list."""
    announced(story, path, value, game)
    brought = [story.foul(1)["brought"] for _ in range(3)][-1]
    assert bool(brought) == then


# ---------------------------------------------------------------- technical fouls 技术犯规 of 000-B

TECHNICAL = "rulebook.ladder.third_technical_foul"


def best_of_three(story: Story, **changes: Any) -> None:
    """A knock-out of four players in the free gomoku event, best of three."""
    cup = {"id": "T", "name": "Cup", "game": "gomoku", "format": "knockout", "regulations": "gomoku-campus"}
    conditions = {"games": 3, "best": True}
    changed = {f"{TECHNICAL}.{name}": value for name, value in changes.items()}
    story.tell("/v1/tournaments", cup | {"conditions": conditions, "changes": changed})
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"选手 {n}", "rating": 2000 - n} for n in (1, 2, 3, 4)]})


def next_game(story: Story) -> int:
    """The next round is paired: its number."""
    return int(story.tell(f"{T}/rounds", {})["round"])


def won(story: Story, round: int) -> None:
    """Every game of a round is won by the smaller number."""
    boards = story.get(f"{T}/rounds/{round}")["boards"]
    said = [{"board": b["board"], "result": "1-0" if b["white"] < b["black"] else "0-1"} for b in boards]
    story.tell(f"{T}/results", {"round": round, "results": said}, "arbiter")


@each(f"{TECHNICAL}.scope", ("game", 0), ("match", 1), ("tournament", 1))
def test_three_technical_fouls_over_two_games_of_a_match(story: Story, path: str, value: str, then: int) -> None:
    """000-B 注意 8 says no scope."""
    best_of_three(story, scope=value)
    first = next_game(story)
    assert [reported(story, "foul", round=first)["brought"] for _ in range(2)] == [[], []]
    won(story, first)
    assert len(reported(story, "foul", round=next_game(story))["brought"]) == then


@each(f"{TECHNICAL}.scope", ("match", 0), ("tournament", 1))
def test_three_technical_fouls_over_two_matches(story: Story, path: str, value: str, then: int) -> None:
    best_of_three(story, scope=value)
    for _ in range(2):
        round = next_game(story)
        reported(story, "foul", round=round)
        won(story, round)
    final = next_game(story)
    assert len(reported(story, "foul", round=final)["brought"]) == then


@each(f"{TECHNICAL}.effect", ("expel", "withdrawn"), ("set_marks", "lost"))
def test_the_third_technical_foul_ends_the_event_or_the_game(story: Story, path: str, value: str, then: str) -> None:
    """000-B 注意 8: 取消资格."""
    announced(story, path, value, "gomoku", "gomoku-campus")
    (third,) = [story.foul(1)["brought"] for _ in range(3)][-1]
    assert story.get(f"{T}/rulings/{third}")["effect"]["kind"] == value
    if then == "lost":
        assert story.get(G)["result"]["notation"] == "0-1"
        assert withdrawn(story) == []
    else:
        story.until(lambda: withdrawn(story) == [1])


@each(
    "rulebook.breaks.further",
    ("leaving_the_game", [("leaving_the_game", None)]),
    ("leaving_the_seat", [("leaving_the_seat", "foul"), ("leaving_the_seat", "foul")]),
)
def test_a_second_break_leaves_the_game_or_is_a_technical_foul(story: Story, path: str, value: str, then: Any) -> None:
    """000-B 注意 9; 5, 8: 不得随意离场、上厕所."""
    announced(story, path, value, "gomoku", "gomoku-campus")
    for _ in range(1 + len(then)):
        story.tell(f"{G}/breaks", {"player": 1, "seconds": 60}, "arbiter")
    assert rulings(story) == then
    if value == "leaving_the_game":
        assert story.get(G)["result"]["notation"] == "0-1"
        return
    first, second = (b["break"] for b in story.get(f"{G}/breaks")["breaks"][1:])
    told = story.get(f"{T}/rulings")["rulings"]
    assert [r["breaks"] for r in told] == [[first], [second]] and story.get(G)["result"] is None
    story.tell(f"{G}/breaks/{first}/correction", {"void": True, "reason": "it was player 2"}, "arbiter")
    assert [r["effective"] for r in story.get(f"{T}/rulings")["rulings"]] == [False, True]
    story.tell(f"{G}/breaks", {"player": 1, "seconds": 301}, "arbiter")
    assert rulings(story)[-1] == ("long_break", None)


# ---------------------------------------------------------------- after the end


@each("rulebook.fouls_after_end", ("taken", None), ("refused", "foul-after-end"))
@pytest.mark.parametrize("regulations", ["campus", "xiangqi-1999"])
def test_a_foul_that_is_filed_after_its_game(
    story: Story, regulations: str, path: str, value: str, then: str | None
) -> None:
    """000-A 4; 002-X 9.2: 应当当场明确宣布并及时记录."""
    announced(story, path, value, regulations=regulations)
    story.foul(1)
    story.report("1-0", "1-0")
    if then is None:
        story.foul(1)
        story.foul(1)
        assert story.get(G)["result"]["notation"] == "0-1"
        return
    problem = refusal(story, f"{T}/rulings", {"player": 1, "round": 1, "infraction": "foul"})
    assert (problem["status"], problem["code"], problem["see"]) == (409, then, G)
    assert "当场" in problem["article"] and "T.1.1 has a result" in problem["detail"]
    reported(story, "misconduct")
    assert story.get(G)["result"]["notation"] == "1-0"


# ---------------------------------------------------------------- what no set takes


@pytest.mark.parametrize(
    ("regulations", "path", "value", "why"),
    [
        ("gomoku-campus", f"{TECHNICAL}.scope", "round", "must be tournament or match or game (000-B 注意 8)"),
        ("campus", "rulebook.fouls_after_end", "late", "must be taken or refused (000-A 4; 002-X 9.2)"),
        ("campus", "rulebook.ladder.third_foul.games", ["go"], "must be [xiangqi] or [xiangqi, chess] or [] "),
        ("xiangqi-1999", "rulebook.ladder.third_foul.games", ["xiangqi", "chess"], "the table game.chess is missing"),
        ("xiangqi-1999", "rulebook.infractions.disturbing.counts_as", "advice", "xiangqi-1999 has no such value"),
        ("xiangqi-1999", "game.xiangqi.adjusting", "violation", "xiangqi-1999 has no such value"),
        ("gomoku-campus", "rulebook.fouls_after_end", "refused", "gomoku-campus has no such value"),
        (
            "gomoku-campus",
            "rulebook.findings.consecutive_offer.infraction",
            "consecutive_draw_offers",
            "infraction 'consecutive_draw_offers' is not in the rulebook",
        ),
    ],
)
def test_a_reading_that_the_set_cannot_have_is_refused_by_path(
    story: Story, regulations: str, path: str, value: Any, why: str
) -> None:
    game = "gomoku" if regulations == "gomoku-campus" else "xiangqi"
    cup = {"id": "T", "name": "Cup", "game": game, "format": "swiss", "rounds": 5, "regulations": regulations}
    problem = refusal(story, "/v1/tournaments", cup | {"changes": {path: value}}, "chief_arbiter")
    assert (problem["status"], list(problem["errors"]["changes"])) == (422, [path])
    assert why in str(problem["errors"]["changes"][path])
    story.announced()
