"""Lateness 迟到 by each reading of its texts: the limit, at it, and from when it counts (contradictions 4 and 16)."""

from typing import Any

import pytest

from tests.rows.marks import plays
from tests.stories.conftest import Story, T
from tests.stories.test_clocks import HOUR

HALLS = ("embedded",)

LIMIT, STRICTLY = "rulebook.lateness.limit", "rulebook.lateness.strictly"
FROM, BEFORE = "rulebook.lateness.counted_from", "rulebook.lateness.before"
EARLY = {LIMIT: 0, STRICTLY: True, BEFORE: 300}
"""Whoever is not there five minutes before the start loses."""
SHOWN = {100: "1 min 40 s", 300: "5 min"}
G = "/v1/games/T.1.1"


def opened(story: Story, changes: dict[str, Any], regulations: str = "campus", game: str = "xiangqi") -> None:
    cup = {"id": "T", "name": "Cup", "game": game, "format": "swiss", "rounds": 5, "regulations": regulations}
    story.tell("/v1/tournaments", cup | {"changes": changes, "conditions": {"time": HOUR}})
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"选手 {n}"} for n in range(1, 5)]})
    story.paired([1, 2], [3, 4])


def arrive(story: Story, player: int, late: int, **more: Any) -> Any:
    return story.tell(f"{T}/arrivals", {"player": player, "round": 1, "late": late} | more, "arbiter")


def lost(story: Story, answer: Any) -> bool:
    """Whether an arrival lost the game unplayed."""
    setting = story.get(G)["result"]
    assert (setting is not None) == bool(answer["rulings"])
    return setting is not None


@pytest.mark.parametrize(
    ("changes", "late", "loses"),
    [
        pytest.param({}, 601, False, marks=plays(LIMIT, 900)),  # 000-A 8.1
        pytest.param({LIMIT: 600}, 601, True, marks=plays(LIMIT, 600)),  # 000-B 注意 3
        pytest.param({LIMIT: 0}, 1, True, marks=plays(LIMIT, 0)),  # Laws 6.7.1
        pytest.param({}, 900, False, marks=plays(STRICTLY, True)),  # 围棋: 超过规定时限
        pytest.param({STRICTLY: False}, 900, True, marks=plays(STRICTLY, False)),  # 国际象棋 15: 迟到15分钟者
    ],
)
def test_who_is_later_than_the_limit_loses_and_at_it_as_the_article_says(
    story: Story, changes: dict[str, Any], late: int, loses: bool
) -> None:
    opened(story, changes)
    assert lost(story, arrive(story, 2, late)) is loses


@pytest.mark.parametrize(
    ("changes", "more", "counted", "loses"),
    [
        pytest.param({}, {}, 1000, True, marks=plays(FROM, "start")),  # 国际象棋, 对局结束 15: 从比赛开始起算
        pytest.param({FROM: "turn"}, {"turn": 100}, 900, False, marks=plays(FROM, "turn")),  # 8.1: 从轮他走棋时
        pytest.param({FROM: "turn"}, {"turn": 99}, 901, True, marks=plays(FROM, "turn")),
        pytest.param({FROM: "turn"}, {"turn": 0}, 1000, True, marks=plays(FROM, "turn")),
        pytest.param({FROM: "turn", STRICTLY: False}, {"turn": 100}, 900, True, marks=plays(FROM, "turn")),
        pytest.param({FROM: "turn"}, {"turn": 1200}, 0, False, marks=plays(FROM, "turn")),
    ],
)
def test_lateness_counts_from_the_start_or_from_his_turn(
    story: Story, changes: dict[str, Any], more: dict[str, int], counted: int, loses: bool
) -> None:
    """Player 2 moves second, and comes 1,000 seconds after the start."""
    opened(story, changes)
    noted = arrive(story, 2, 1000, **more)
    assert lost(story, noted) is loses
    shown = story.get(f"{T}/arrivals/{noted['arrival']}")
    assert (shown["late"], shown["turn"], shown["counted"]) == (1000, more.get("turn"), counted)
    if loses:
        (ruling,) = noted["rulings"]
        told = story.get(f"{T}/rulings/{ruling}")
        assert (told["late"], told["counted"], told["limit"]) == (1000, counted, 900)


def test_the_clock_of_who_came_after_his_turn_has_run_since_then(story: Story) -> None:
    """000-A 8.1, 8.2: he plays in what is left; the log says when his turn came."""
    opened(story, {FROM: "turn"})
    arrive(story, 2, 1000, turn=400)
    assert story.get(G)["clocks"] == {"white": 3600, "black": 3000}
    assert "came 16 min 40 s late; it had become their turn after 6 min 40 s" in story.get("/t/T/log")


def test_a_turn_noted_wrongly_is_corrected_and_what_followed_follows_no_longer(story: Story) -> None:
    opened(story, {FROM: "turn"})
    noted = arrive(story, 2, 1000, turn=10)
    assert lost(story, noted)
    body = {"late": 1000, "turn": 400, "reason": "the wrong row"}
    corrected = story.tell(f"{T}/arrivals/{noted['arrival']}/correction", body, "arbiter")
    assert not lost(story, corrected)
    later = {"late": 1400, "reason": "he came later, his turn is as it was noted"}
    again = story.tell(f"{T}/arrivals/{corrected['arrival']}/correction", later, "arbiter")
    assert lost(story, again)
    assert story.get(f"{T}/arrivals/{again['arrival']}")["counted"] == 1000


@pytest.mark.parametrize(
    ("changes", "late", "counted", "loses"),
    [
        pytest.param({}, 301, 301, False, marks=plays(BEFORE, 0)),  # 000-B 注意 3: 迟到10分钟
        pytest.param({BEFORE: 300}, 299, 599, False, marks=plays(BEFORE, 300)),  # 比赛开始前5分钟必须到场
        pytest.param({BEFORE: 300}, 300, 600, True, marks=plays(BEFORE, 300)),
        pytest.param(EARLY, -100, 200, True, marks=plays(BEFORE, 300)),
        pytest.param(EARLY, -300, 0, False, marks=plays(BEFORE, 300)),
    ],
)
def test_lateness_counts_from_the_start_or_from_five_minutes_before_it(
    story: Story, changes: dict[str, Any], late: int, counted: int, loses: bool
) -> None:
    opened(story, changes, "gomoku-campus", "gomoku")
    noted = arrive(story, 2, late)
    assert lost(story, noted) is loses
    assert story.get(f"{T}/arrivals/{noted['arrival']}")["counted"] == counted
    if late < 0:
        assert f"came {SHOWN[-late]} before the start" in story.get("/t/T/log")


def test_a_round_is_checked_in_with_the_turns_of_those_who_came_late(story: Story) -> None:
    opened(story, {FROM: "turn"})
    boards = [
        {"board": 1, "white": {"late": 0}, "black": {"late": 1000, "turn": 200}},
        {"board": 2, "white": {"late": 901, "turn": 0}},
    ]
    story.tell(f"{T}/arrivals", {"round": 1, "boards": boards}, "arbiter")
    assert (story.get(G)["result"], story.get("/v1/games/T.1.2")["result"]["notation"]) == (None, "-/+")


@pytest.mark.parametrize(
    ("changes", "body", "code", "told", "article"),
    [
        ({FROM: "turn"}, {"late": 901}, "turn-missing", "give it in seconds after the start", "000-A 8.1"),
        ({}, {"late": 901, "turn": 5}, "turn-not-asked", "lateness from the start of the round", "000-A 8.1"),
        (
            {FROM: "turn"},
            {"absent": True, "turn": 5},
            "turn-not-asked",
            "the player did not come to the seat",
            "000-A 8.1",
        ),
        (
            {FROM: "turn"},
            {"late": 5, "turn": 5, "place": "hall"},
            "turn-not-asked",
            "the player did not come",
            "000-A 8.1",
        ),
        ({}, {"late": -1}, "bad-lateness", "at least 0", "000-A 8.1"),
        ({BEFORE: 300}, {"late": -301}, "bad-lateness", "at least -300", "000-A 8.1"),
        ({FROM: "turn"}, {"late": 5, "turn": -1}, "bad-fields", "turn", None),
    ],
)
def test_an_arrival_that_does_not_say_what_its_reading_needs_is_refused(
    story: Story, changes: dict[str, Any], body: dict[str, Any], code: str, told: str, article: str | None
) -> None:
    opened(story, changes)
    sent = {"player": 2, "round": 1} | body
    assert story.refused(f"{T}/arrivals", sent, "arbiter") == (422, code)
    refused = story.ask("POST", f"{T}/arrivals", sent, "arbiter").json
    assert told in str(refused) and (refused.get("article") or "").startswith(article or "")
    assert story.get(f"{T}/arrivals")["arrivals"] == []


@pytest.mark.parametrize(
    ("changes", "body", "code"),
    [
        ({FROM: "turn"}, {"late": 901, "place": "seat"}, "turn-missing"),
        ({FROM: "turn"}, {"absent": True, "turn": 5}, "turn-not-asked"),
        ({}, {"late": 60, "turn": 5, "place": "seat"}, "turn-not-asked"),
        ({BEFORE: 300}, {"late": -301}, "bad-lateness"),
    ],
)
def test_a_correction_needs_what_its_reading_needs(
    story: Story, changes: dict[str, Any], body: dict[str, Any], code: str
) -> None:
    opened(story, changes)
    noted = arrive(story, 2, 60, place="hall")["arrival"]
    path, sent = f"{T}/arrivals/{noted}/correction", {"reason": "the wrong row"} | body
    assert story.refused(path, sent, "arbiter") == (422, code)
    assert story.ask("POST", path, sent, "arbiter").json["article"].startswith("000-A 8.1")
    assert story.get(f"{T}/arrivals/{noted}")["in_force"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({FROM: "own_turn"}, "must be start or turn"),
        ({BEFORE: 3601}, "must be 0 to 3600 seconds"),
        ({LIMIT: 7201}, "must be 0 to 7200 seconds (002-X 21.1"),
        ({FROM: "turn", BEFORE: 300}, "before is counted from the start, and counted_from is a turn"),
    ],
)
def test_a_lateness_outside_its_bounds_is_refused_with_them(story: Story, changes: dict[str, Any], why: str) -> None:
    cup = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 5, "regulations": "campus"}
    refused = story.ask("POST", "/v1/tournaments", cup | {"changes": changes}, "organiser")
    assert (refused.status_code, why in str(refused.json["errors"])) == (422, True), refused.text
    opened(story, {})
