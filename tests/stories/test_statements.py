"""Results that players state of their own games: two equal statements report the result, and rulings make them inert."""

from typing import Any

from tests.stories.conftest import Story, T

GAME = "/v1/games/T.1.1/statements"


def states(story: Story, player: int, result: str) -> Any:
    return story.tell(GAME, {"result": result}, "player", name=str(player))


def refused(story: Story, player: int, result: str = "1-0", path: str = GAME) -> tuple[int, str]:
    return story.refused(path, {"result": result}, "player", name=str(player))


def result(story: Story) -> tuple[float, float] | None:
    """Return the points of both seats of board 1, or None without a result."""
    rows = [row for row in story.get(f"{T}/results")["results"] if row["board"] == 1]
    return (rows[0]["white"]["points"], rows[0]["black"]["points"]) if rows else None


def paired(story: Story) -> None:
    story.announced(players=4, changes={"players.allowed_acts": ["call", "report"]})
    story.paired([1, 2], [3, 4])


def test_two_equal_statements_report_the_result(story: Story) -> None:
    paired(story)
    first = states(story, 1, "1/2-1/2")
    assert (first["player"], first["reported"]) == (1, False) and result(story) is None
    second = states(story, 2, "1/2-1/2")
    assert second["reported"]
    stated, reported = second["events"]
    assert (stated["role"], stated["data"]["player"], reported["role"]) == ("player", 2, "rulebook")
    assert reported["type"] == "arbiter.result.reported.v1" and reported["causationid"] == stated["causationid"]
    assert result(story) == (0.5, 0.5)
    assert story.points() == {1: 0.5, 2: 0.5, 3: 0, 4: 0}
    assert refused(story, 1) == (409, "result-exists")


def test_statements_that_differ_leave_the_game_open_until_one_gives_way(story: Story) -> None:
    paired(story)
    states(story, 1, "1-0")
    assert refused(story, 1) == (409, "stated-already")
    states(story, 2, "0-1")
    assert result(story) is None
    assert states(story, 2, "1-0")["reported"] and result(story) == (1, 0)


def test_player_states_only_the_own_game_and_a_result_of_a_played_game(story: Story) -> None:
    paired(story)
    assert refused(story, 3) == (403, "other-game")
    assert story.refused(GAME, {"result": "1-0"}, "arbiter") == (403, "role-may-not")
    assert refused(story, 1, "0-0") == (422, "bad-fields")
    assert refused(story, 1, path="/v1/games/T.9.1/statements") == (404, "unknown-game")
    for said in ("1-0", "0-1", "1-0", "0-1", "1-0"):
        states(story, 1, said)
    assert refused(story, 1, "0-1") == (409, "stated-already")


def test_ruling_makes_statements_inert_and_its_annulment_lets_them_count_again(story: Story) -> None:
    paired(story)
    states(story, 1, "1-0")
    for _ in range(3):
        story.foul(1)
    assert result(story) == (0, 1), "the third foul loses the game"
    assert refused(story, 2) == (409, "result-exists")
    story.annul("r2")
    assert result(story) is None
    assert states(story, 2, "1-0")["reported"], "the statement of player 1 counts again"
    assert result(story) == (1, 0)


def test_correction_of_an_agreed_result_counts_and_ends_the_statements(story: Story) -> None:
    paired(story)
    states(story, 1, "1-0")
    states(story, 2, "1-0")
    story.tell(f"{T}/corrections", {"round": 1, "results": [{"board": 1, "result": "0-1"}], "reason": "as signed"})
    assert result(story) == (0, 1) and refused(story, 2) == (409, "result-exists")


def test_player_who_left_states_nothing_and_neither_does_the_opponent(story: Story) -> None:
    paired(story)
    states(story, 2, "0-1")
    story.tell(f"{T}/entries/1/withdrawal", {"reason": "ill"}, "organiser")
    assert refused(story, 1, "0-1") == (409, "player-removed")
    assert refused(story, 2, "1-0") == (409, "result-exists"), "the opponent has won by forfeit"


def test_call_of_an_arbiter_is_open_until_an_arbiter_answers(story: Story) -> None:
    paired(story)
    call = "/v1/games/T.1.1/calls"
    assert story.refused(call, {}, "player", name="3") == (403, "other-game")
    assert story.refused(call, {"open": False}, "arbiter") == (409, "call-noted")
    assert story.tell(call, {}, "player", name="1")["open"]
    assert story.refused(call, {}, "player", name="2") == (409, "call-noted")
    assert story.refused(call, {"open": False}, "player", name="1") == (403, "role-may-not")
    assert not story.tell(call, {"open": False}, "arbiter")["open"]
    assert story.tell(call, {}, "player", name="2")["open"]
