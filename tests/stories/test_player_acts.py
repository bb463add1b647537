"""Acts that the regulations allow players: those of the default, and more or fewer after another adoption."""

from typing import Any

from tests.rows.marks import plays
from tests.stories.conftest import Story, T, in_one_process

CALL, STATEMENT = "/v1/games/T.1.1/calls", "/v1/games/T.1.1/statements"
BYE = {"player": 1, "round": 2, "kind": "H"}


def adopted(story: Story, *acts: str) -> dict[str, Any]:
    """Adopt the regulations again with these acts of players, and return them as the log has them."""
    body = {"regulations": "campus", "changes": {"players.allowed_acts": list(acts)}, "reason": "as agreed"}
    regulations: dict[str, Any] = story.tell(f"{T}/regulations", body)["events"][0]["data"]["regulations"]
    return regulations


def refused(story: Story, path: str, body: dict[str, Any], name: str = "1") -> tuple[int, str]:
    return story.refused(path, body, "player", name=name)


def sees_own_board(story: Story) -> bool:
    return "Opponent" in story.ask("GET", "/t/T/me", None, "player", "1").text


@in_one_process
@plays("players.allowed_acts", "see", "check_in", "call", "claim")
def test_players_may_call_check_in_and_claim_by_default_and_nothing_else(story: Story) -> None:
    story.announced()
    story.tell(f"{T}/check-in", {"came": [1]}, "player", name="1")
    story.paired([1, 2], [3, 4])
    assert story.tell(CALL, {}, "player", name="1")["open"] and sees_own_board(story)
    assert refused(story, STATEMENT, {"result": "1-0"}) == (403, "role-may-not")
    assert refused(story, f"{T}/byes", BYE) == (403, "role-may-not")
    story.tell("/v1/games/T.1.1/start", {}, "arbiter")
    story.tell("/v1/games/T.1.1/claims", {"claim": "resignation", "side": "white"}, "player", name="1")
    assert story.get(f"{T}/audit")["verdict"] == "agrees"


@in_one_process
@plays("players.allowed_acts", "report")
def test_acts_that_are_not_allowed_are_refused_by_name_until_they_are(story: Story) -> None:
    story.announced()
    story.paired([1, 2], [3, 4])
    assert adopted(story)["players"]["allowed_acts"] == [] and not sees_own_board(story)
    for path, body in ((CALL, {}), (f"{T}/check-in", {"came": [1]}), (STATEMENT, {"result": "1-0"})):
        answer = story.ask("POST", path, body, "player", "1")
        assert answer.status_code == 403 and "players.allowed_acts" in answer.json["detail"], answer.text
    story.tell("/v1/games/T.1.1/start", {}, "arbiter")
    assert refused(story, "/v1/games/T.1.1/claims", {"claim": "resignation", "side": "white"}) == (403, "role-may-not")
    adopted(story, "report")
    story.tell(STATEMENT, {"result": "1-0"}, "player", name="1")
    assert "players" not in adopted(story, "see", "check_in", "call", "claim"), "the default is not written"
    assert refused(story, STATEMENT, {"result": "0-1"}) == (403, "role-may-not")
    assert story.get(f"{T}/audit")["verdict"] == "agrees"


@in_one_process
def test_list_of_acts_with_an_unknown_or_repeated_act_is_refused(story: Story) -> None:
    story.announced()
    for acts in (["resign"], ["see", "see"], ["report", "see"], "see"):
        body = {"regulations": "campus", "changes": {"players.allowed_acts": acts}, "reason": "as agreed"}
        assert story.refused(f"{T}/regulations", body) == (422, "bad-fields")


@in_one_process
@plays("players.allowed_acts", "half_bye")
def test_player_takes_one_half_point_bye_of_their_own(story: Story) -> None:
    story.announced(players=4, changes={"players.allowed_acts": ["half_bye"]})
    story.paired([1, 2], [3, 4])
    assert refused(story, f"{T}/byes", BYE, "2") == (403, "another-players")
    assert refused(story, f"{T}/byes", BYE | {"kind": "Z"}) == (409, "bye-kind")
    assert refused(story, f"{T}/byes", BYE | {"round": 1}) == (409, "round-paired")
    story.tell(f"{T}/byes", BYE, "player", name="1")
    assert refused(story, f"{T}/byes", BYE | {"round": 3}) == (409, "bye-granted")
    story.tell(f"{T}/byes", BYE | {"round": 3})
    results = [{"board": n, "result": "1-0"} for n in (1, 2)]
    story.tell(f"{T}/results", {"round": 1, "results": results}, "arbiter")
    paired = story.paired()["events"][0]["data"]
    assert 1 not in {player for board in paired["boards"] for player in (board["white"], board["black"])}
    assert story.points()[1] == 1.5
    assert story.get(f"{T}/audit")["verdict"] == "agrees"
