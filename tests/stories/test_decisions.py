"""Games that cannot go on and that nobody is accused for (000-A 围棋, 行棋 3), and what a game's marks may be together."""

from typing import Any

from tests.rows.marks import row
from tests.stories.conftest import Story, T

G = "/v1/games/T.1.1"
REASON = "a spectator upset the board, and the players could not agree on the moves"
DRAW = {"result": "1/2-1/2", "infraction": "scattering_the_board", "reason": REASON}
BOTH_LOSE = DRAW | {"result": "0-0"}


def scattered(story: Story) -> None:
    """Round 1 of a go event is 1-2, 3-4; an outsider has scattered the board of 1-2."""
    story.announced(game="go", regulations="go-campus")
    story.paired([1, 2], [3, 4])
    story.tell(f"{G}/moves", {"ply": 1, "moves": ["Q16", "D4"]}, "board")


def the_ruling(story: Story, id: str) -> Any:
    return story.get(f"{T}/rulings/{id}")


@row("G4", under="go-campus")
def test_the_chief_arbiter_decides_a_scattered_game_and_the_table_arbiter_does_not(story: Story) -> None:
    # given a board that an outsider has scattered, which the table arbiter can neither decide nor report as lost for both
    scattered(story)
    assert story.refused(f"{G}/decision", BOTH_LOSE, "arbiter") == (403, "role-may-not")
    both = {"round": 1, "results": [{"board": 1, "result": "0-0"}]}
    assert story.refused(f"{T}/results", both, "arbiter") == (403, "role-may-not")

    # when the chief arbiter decides that both lose, having seen what would be written
    seen = story.ask("POST", f"{G}/decision?preview=true", BOTH_LOSE, "chief_arbiter").get_json()
    made = story.tell(f"{G}/decision", BOTH_LOSE)

    # then a ruling on nobody sets the marks, by the article, and the game is over
    assert [e["data"]["effect"] for e in seen["events"]] == [e["data"]["effect"] for e in made["events"]]
    ruling = the_ruling(story, made["ruling"])
    assert (ruling["player"], ruling["article"], ruling["role"]) == (None, "000-A 围棋, 行棋 3", "chief_arbiter")
    assert ruling["note"] is not None and ruling["effective"]
    game = story.get(G)
    assert (game["result"]["notation"], game["status"], game["ruling"]) == ("0-0", "decided", made["ruling"])
    assert story.refused(f"{G}/moves", {"ply": 3, "moves": ["D16"]}, "board") == (409, "game-over")
    assert story.points() == {1: 0.0, 2: 0.0, 3: 0.0, 4: 0.0}
    line = next(e for e in story.get(f"{T}/events?type=arbiter.ruling.made.v2&player=2")["events"])
    assert line["event"]["data"]["player"] is None, "it is found by the players of its game"
    assert "nobody" in story.get("/t/T/rulings")


def test_a_decision_stands_above_what_the_hall_reports_and_falls_by_an_appeal(story: Story) -> None:
    # given a game whose result was reported before the chief arbiter heard that its board had been scattered
    scattered(story)
    story.report("1-0")
    first = story.tell(f"{G}/decision", DRAW)["ruling"]
    assert story.get(G)["result"]["notation"] == "1/2-1/2"
    assert story.refused(f"{G}/decision", BOTH_LOSE) == (409, "game-decided")

    # when a player of the game appeals and is right
    appeal = story.appeal(1, first)
    story.tell(f"{T}/appeals/{appeal}/decision", {"upheld": True}, "appeals")

    # then the report counts again, and the chief arbiter may decide anew
    assert story.get(G)["result"]["notation"] == "1-0"
    second = story.tell(f"{G}/decision", BOTH_LOSE)["ruling"]
    assert [the_ruling(story, id)["standing"] for id in (first, second)] == [False, True]


def test_who_loses_by_violations_a_game_lost_for_both_gives_the_opponent_no_win(story: Story) -> None:
    # given a game that both have lost by a decision
    scattered(story)
    decided = story.tell(f"{G}/decision", BOTH_LOSE)["ruling"]

    # when one of them is ruled in violation for the third time
    abuse = {"player": 1, "round": 1, "infraction": "abuse"}
    third = [story.tell(f"{T}/rulings", abuse, "arbiter") for _ in range(3)][-1]

    # then both have lost, as the loss rests on the decision too; without the decision it is made again, now against a winner
    (loss,) = [e["data"] for e in third["events"] if e["role"] == "rulebook"]
    assert loss["because"][-1] == decided
    assert story.get(G)["result"]["notation"] == "0-0"
    story.annul(decided)
    assert story.get(G)["result"]["notation"] == "0-1"


def test_the_marks_of_a_game_are_bounded_together_whoever_gives_them(story: Story) -> None:
    # given a game under regulations that let an authority choose its marks
    story.announced()
    story.paired([1, 2], [3, 4])
    full = {"points": 1, "played": True}
    marks = {"white": full, "black": full}

    # when both sides are given a full point: by the hall, by a correction, by a ruling
    report = {"round": 1, "results": [{"board": 1, "result": marks}]}
    grave = {"player": 1, "round": 1, "infraction": "grave_misconduct", "effect": {"kind": "set_marks"} | marks}

    # then each is refused
    assert story.refused(f"{T}/results", report, "arbiter") == (422, "marks-together")
    story.report("1-0")
    assert story.refused(f"{T}/corrections", report | {"reason": "x"}) == (422, "marks-together")
    assert story.refused(f"{T}/rulings", grave) == (422, "marks-together")

    # and the chief arbiter may say that both have lost, in the sign for it
    both = {"round": 1, "results": [{"board": 1, "result": "0-0"}], "reason": "both refused to go on"}
    assert story.refused(f"{T}/corrections", both, "arbiter") == (403, "role-may-not")
    story.tell(f"{T}/corrections", both)
    assert story.get(G)["result"]["notation"] == "0-0"
