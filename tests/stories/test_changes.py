"""Regulations with changes: set at the announcement or between rounds, played by, kept in the log, refused by name."""

from typing import Any

import pytest

from tests.stories.conftest import Story, T

QUIET = (("a0a1", "a9a8"), ("a1a0", "a8a9"))
CUP = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 5}
LIMIT, LATE = "game.xiangqi.natural_limit_rounds", "rulebook.lateness.limit"


def announced(story: Story, changes: dict[str, Any] | None = None, regulations: str = "xiangqi-1999") -> None:
    story.tell(
        "/v1/tournaments", CUP | {"regulations": regulations} | ({} if changes is None else {"changes": changes})
    )
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"选手 {n}"} for n in (1, 2, 3, 4)]})


def adopted(story: Story) -> list[dict[str, Any]]:
    events = story.get(f"{T}/events?type=arbiter.regulations.adopted.v5")["events"]
    return [e["event"]["data"]["regulations"] for e in events]


def claim_after(story: Story, rounds: int) -> Any:
    """Red's claim of the natural limit after so many quiet rounds."""
    moves = [move for n in range(rounds) for move in QUIET[n % 2]]
    story.tell("/v1/games/T.1.1/moves", {"ply": 1, "moves": moves}, "board")
    return story.tell("/v1/games/T.1.1/claims", {"claim": "natural_limit", "side": "white"}, "board")


def test_the_natural_limit_is_lowered_at_the_announcement(story: Story) -> None:
    announced(story, {LIMIT: 50})
    (regulations,) = adopted(story)
    assert (regulations["name"], regulations["changes"]) == ("xiangqi-1999", {LIMIT: 50})
    assert regulations["game"]["rules"]["xiangqi"]["natural_limit_rounds"] == 50
    told = story.get(T)["regulations"]
    assert (told["decisions"], told["digest"], told["changes"]) == (3, regulations["digest"], {LIMIT: 50})
    assert "(xiangqi-1999)</a>, 1 value changed by the organiser<" in story.get("/t/T")
    assert "The regulations xiangqi-1999, 1 change (1999) are adopted." in story.get("/t/T/log")
    story.paired([1, 2], [3, 4])
    claim_after(story, 50)
    assert story.get("/v1/games/T.1.1")["result"]["notation"] == "1/2-1/2"


def test_unchanged_fifty_rounds_are_a_false_claim(story: Story) -> None:
    announced(story)
    assert adopted(story)[0]["changes"] == {}
    story.paired([1, 2], [3, 4])
    claim_after(story, 50)
    assert story.get("/v1/games/T.1.1")["result"] is None


def test_lateness_is_changed_between_rounds_with_a_reason(story: Story) -> None:
    announced(story)
    digest = adopted(story)[0]["digest"]
    body = {"regulations": "xiangqi-1999", "changes": {LATE: 600}, "reason": "the hall closes early"}
    story.tell(f"{T}/regulations", body, "organiser")
    assert [(r["changes"], r["digest"]) for r in adopted(story)] == [({}, digest), ({LATE: 600}, digest)]
    story.paired([1, 2], [3, 4])
    story.tell(f"{T}/arrivals", {"player": 1, "round": 1, "late": 601}, "arbiter")
    assert story.points() == {1: 0.0, 2: 1.0, 3: 0.0, 4: 0.0}


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({LIMIT: 61}, {LIMIT: ["must be 1 to 60 rounds (002-X 4.2.4: 60回合, 也可根据比赛等级酌减)"]}),
        ({LIMIT: "fifty"}, {LIMIT: ["must be 1 to 60 rounds (002-X 4.2.4: 60回合, 也可根据比赛等级酌减)"]}),
        ({"game.go.size": 13}, {"game.go.size": ["xiangqi-1999 has no such value"]}),
        (
            {LIMIT: [50]},
            {LIMIT: {"value": ["a value must be true or false, a whole number, a word, or a list of words"]}},
        ),
    ],
)
def test_a_change_that_is_not_taken_is_named_with_what_would_be(story: Story, changes: Any, error: Any) -> None:
    announced(story)
    for path, body in ((f"{T}/regulations", {"reason": "a try"}), ("/v1/tournaments", {**CUP, "id": "U"})):
        answer = story.ask("POST", path, body | {"regulations": "xiangqi-1999", "changes": changes}, "organiser")
        assert (answer.status_code, answer.json["errors"]) == (422, {"changes": error})


def test_an_unknown_path_is_refused_with_those_that_there_are(story: Story) -> None:
    announced(story)
    body = {"regulations": "xiangqi-1999", "changes": {"points.win": 6}, "reason": "a try"}
    answer = story.ask("POST", f"{T}/regulations", body, "organiser")
    (why,) = answer.json["errors"]["changes"]["points.win"]
    assert (answer.status_code, LIMIT in why) == (422, True)


def test_a_change_of_a_game_that_is_not_played_is_refused(story: Story) -> None:
    changes = {"game.chess.flag_needs": "possible_mate"}
    answer = story.ask("POST", "/v1/tournaments", CUP | {"regulations": "campus", "changes": changes}, "organiser")
    assert (answer.status_code, answer.json["type"]) == (422, "urn:arbiter:problem:change-of-another-game")
    announced(story, regulations="campus")
    body = {"regulations": "campus", "changes": changes, "reason": "a mistake"}
    assert story.refused(f"{T}/regulations", body, "organiser") == (422, "change-of-another-game")


def test_points_of_an_announcement_are_changes_and_told_as_points(story: Story) -> None:
    story.tell("/v1/tournaments", CUP | {"regulations": "campus", "points": {"win": 3, "draw": 1}})
    assert adopted(story)[0]["changes"] == {"points.win": 6, "points.draw": 2}
    assert story.get(T)["regulations"]["changes"] == {"points.win": 3.0, "points.draw": 1.0}
