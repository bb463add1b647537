"""Breaks that are measured, and a time control that the announcement chooses."""

from typing import Any

import pytest

from tests.rows.marks import plays, row
from tests.stories.conftest import Story, T
from tests.stories.test_clocks import all_answered

G = "/v1/games/T.1.1"
CUP = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 5, "regulations": "campus"}
SUDDEN_DEATH = {"periods": [{"seconds": 300}], "flag": "at_once"}


def away(story: Story, seconds: int, **who: Any) -> Any:
    return story.tell(f"{G}/breaks", {"seconds": seconds, **who}, "arbiter")


@row("C16", under="gomoku-campus")
def test_one_break_of_five_minutes_is_allowed_and_a_second_loses_until_it_is_annulled(story: Story) -> None:
    # given a game of the free gomoku event (000-B 注意 9, 12)
    story.announced(game="gomoku", regulations="gomoku-campus")
    story.paired([1, 2], [3, 4])

    # when player 1 is away for five minutes, nothing follows
    assert away(story, 300, player=1)["brought"] == []
    assert story.refused(f"{G}/breaks", {"seconds": 60, "player": 1}, "player") == (403, "role-may-not")
    assert story.refused(f"{G}/breaks", {"seconds": 60}, "arbiter") == (422, "bad-fields")
    assert story.refused(f"{G}/breaks", {"seconds": 60, "player": 3}, "arbiter") == (422, "not-a-player-of-the-game")

    # and when he goes again: what would follow is shown, and then follows
    seen = story.seq
    shown = story.ask("POST", f"{G}/breaks?preview=true", {"seconds": 20, "side": "white"}, "arbiter").get_json()
    assert [e["type"].rpartition(".v")[0] for e in shown["events"]] == ["arbiter.break.taken", "arbiter.ruling.made"]
    again = away(story, 20, side="white")
    assert story.seq == seen + 2
    (ruling,) = again["brought"]
    told = story.get(f"{T}/rulings/{ruling}")
    assert (told["infraction"], told["article"], told["role"]) == ("leaving_the_game", "000-B 7, 注意 9", "rulebook")
    assert story.get(G)["result"]["notation"] == "0-1"
    assert story.points() == {1: 0.0, 2: 2.0, 3: 0.0, 4: 0.0}
    assert story.refused(f"{G}/breaks", {"seconds": 60, "player": 2}, "arbiter") == (409, "game-decided")

    # then the table without the ruling is another, and with its annulment the game is open again
    assert story.points(f"?without={ruling}")[2] == 0.0
    story.annul(ruling)
    assert (story.points()[2], story.get(G)["status"]) == (0.0, "paired")


@row("C16", under="gomoku-campus")
def test_a_break_of_more_than_five_minutes_loses_the_game(story: Story) -> None:
    story.announced(game="gomoku", regulations="gomoku-campus")
    story.paired([1, 2], [3, 4])
    (ruling,) = away(story, 301, side="black")["brought"]
    assert story.get(f"{T}/rulings/{ruling}")["infraction"] == "long_break"
    assert story.get(G)["result"]["notation"] == "1-0"
    assert story.refused(
        f"{T}/rulings", {"player": 1, "round": 1, "infraction": "long_break"}, "arbiter"
    ) == (422, "noted-as-break")  # fmt: skip


def test_where_no_article_measures_breaks_they_are_noted_alone(story: Story) -> None:
    story.announced()
    story.paired([1, 2], [3, 4])
    assert [away(story, 3000, player=1)["brought"] for _ in range(2)] == [[], []]
    assert story.get(G)["status"] == "paired"


@row("C15", under="gomoku-campus")
def test_third_technical_foul_of_the_event_expels(story: Story) -> None:
    """000-B 注意 8: 取消资格."""
    story.announced(game="gomoku", regulations="gomoku-campus")
    story.paired([1, 2], [3, 4])
    for act in ("noise", "telephone"):
        story.tell(f"{T}/rulings", {"player": 1, "round": 1, "infraction": act}, "arbiter")
    third = story.tell(f"{T}/rulings", {"player": 1, "round": 1, "infraction": "over_step_time"}, "arbiter")
    expelled = third["events"][-1]["data"]
    assert (expelled["effect"]["kind"], expelled["because"]) == ("expel", ["r1", "r2", "r3"])
    # the rulebook lets him leave by itself
    story.until(lambda: story.get(f"{T}/events?type=arbiter.player.withdrew.v2")["events"] != [])


# ---------------------------------------------------------------- the time of a game


def announce(story: Story, time: Any, **more: Any) -> Any:
    made = story.tell("/v1/tournaments", CUP | {"conditions": {"time": time}} | more)
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"选手 {n}"} for n in range(1, 5)]})
    story.paired([1, 2], [3, 4])
    return made


def play(ply: int, *moves: tuple[str, int]) -> dict[str, Any]:
    return {"ply": ply, "moves": [{"move": move, "clock": clock} for move, clock in moves]}


def test_announced_sudden_death_of_five_minutes_is_kept_by_the_clocks(story: Story) -> None:
    # given five minutes each, and no more (包干), where the regulations themselves name no time
    announce(story, SUDDEN_DEATH)
    time = story.get(T)["conditions"]["time"]
    period = {"seconds": 300, "moves": 0, "increment": 0}
    assert (time["periods"], time["flag"], time["article"]) == ([period], "at_once", "002-X 6")
    assert "<li>all moves in 5 min</li>" in story.get("/t/T")

    # when a clock shows more than it can, it is read and found, and nothing follows by itself
    story.tell(f"{G}/moves", play(1, ("h2e2", 300), ("h9g7", 300)), "board")
    gained = story.tell(f"{G}/moves", play(3, ("h0g2", 301)), "board")["events"][-1]["data"]
    assert (gained["kind"], gained["player"], gained["article"]) == ("clock_gained", 1, "002-X 6")
    shown = {"side": "white", "shown": 301, "over": 1, "most": 300}
    assert gained["grounds"] == [{"code": "clock_gained", "facts": shown}]
    assert "clock shows 301 seconds, 1 more than the 300 it can" in story.get("/games/T.1.1")
    all_answered(story)
    assert story.get(f"{T}/rulings")["rulings"] == []

    # then a reading of nothing is a flag found, and the game is lost
    found = story.tell(f"{G}/moves", play(4, ("i9h9", 290), ("i0h0", 0)), "board")
    assert [e["data"]["kind"] for e in found["events"] if e["type"].startswith("arbiter.finding.made")] == ["flag"]
    story.until(lambda: story.get(G)["status"] == "decided")
    assert story.get(G)["result"]["notation"] == "0-1"
    assert story.points()[2] == 1.0


@row("X21", under="xiangqi-1999")
@plays("game.schemes.*.clocks_after", 0)
def test_a_scheme_is_announced_by_the_name_of_its_article(story: Story) -> None:
    announce(story, "002-X 6.3", regulations="xiangqi-1999")
    time = story.get(T)["conditions"]["time"]
    assert (time["article"], time["periods"][0]) == ("002-X 6.3", {"seconds": 600, "moves": 40, "increment": 0})
    gained = story.tell(f"{G}/moves", play(1, ("h2e2", 601)), "board")["events"][-1]["data"]
    assert (gained["kind"], gained["article"]) == ("clock_gained", "002-X 6.3")
    all_answered(story)


@pytest.mark.parametrize(
    ("time", "code", "where"),
    [
        ("002-X 6.9", "bad-fields", "002-X 6.1, 002-X 6.2, 002-X 6.3, 002-X 6.4"),
        (300, "bad-fields", "must be the name of a time control"),
        ({"periods": [{"seconds": 300}]}, "bad-fields", "flag"),
        ({"periods": [{"seconds": "300"}], "flag": "at_once"}, "bad-fields", "seconds"),
        ({"periods": [{"seconds": 300}], "flag": "at_once", "delay": 5}, "bad-fields", "delay"),
        ({"flag": "at_once", "increment": 10}, "conditions-do-not-fit", "conditions.time"),
        ({"periods": [{"seconds": 0}], "flag": "at_once"}, "conditions-do-not-fit", "conditions.time.periods[0].seconds"),
    ],
)  # fmt: skip
def test_a_time_that_cannot_be_announced_is_named(story: Story, time: Any, code: str, where: str) -> None:
    said = CUP | {"conditions": {"time": time}, "regulations": "xiangqi-1999"}
    refused = story.ask("POST", "/v1/tournaments", said, "chief_arbiter")
    assert (refused.status_code, refused.json["type"].rpartition(":")[2]) == (422, code)
    assert where in refused.text
    story.announced()
