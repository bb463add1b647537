"""Leaving and coming back, over HTTP (002-X 18.3, 20, 21.4; C.04.2)."""

from typing import Any

import pytest

from tests.rows.marks import row
from tests.stories.conftest import Story, T

CIRCLE_OF_FOUR = ([[1, 4], [2, 3]], [[4, 3], [1, 2]], [[2, 4], [3, 1]])


def announced(story: Story, format: str, regulations: str = "xiangqi-1999", players: int = 4, rounds: int = 3) -> None:
    game = "chess" if regulations.startswith("fide") else "xiangqi"
    cup = {"id": "T", "name": "Cup", "game": game, "format": format, "rounds": rounds, "regulations": regulations}
    story.tell("/v1/tournaments", cup)
    entered = [{"id": n, "name": f"选手 {n}", "rating": 2000 - 10 * n} for n in range(1, players + 1)]
    story.tell(f"{T}/entries", {"players": entered})


def leave(story: Story, player: int) -> dict[str, Any]:
    told = story.tell(f"{T}/entries/{player}/withdrawal", {"reason": "ill"}, "organiser")
    data: dict[str, Any] = told["events"][0]["data"]
    return data


def cell(story: Story, player: int, round: int) -> dict[str, Any]:
    rows = {row["id"]: row for row in story.get(f"{T}/crosstable")["players"]}
    found: dict[str, Any] = rows[player]["rounds"][round - 1]
    return found


def played(story: Story, *rounds: list[list[int]]) -> None:
    """These rounds by hand, White winning throughout."""
    for boards in rounds:
        number = story.paired(*boards)["round"]
        story.report(*["1-0"] * len(boards), round=number)


def test_who_leaves_a_round_robin_before_half_of_it_has_the_results_annulled(story: Story) -> None:
    # W2, 20.3: of three opponents one is fewer than half
    announced(story, "round_robin")
    played(story, CIRCLE_OF_FOUR[0])
    assert story.points() == {1: 1.0, 2: 1.0, 3: 0.0, 4: 0.0}

    left = leave(story, 4)
    assert (left["played"], left["results_stand"], left["article"]) == (1, False, "002-X 20.3")

    # the result stays in the cross table, crossed out, with the reason, and gives nothing
    assert story.points() == {1: 0.0, 2: 1.0, 3: 0.0, 4: 0.0}
    shown = cell(story, 1, 1)
    assert (shown["result"], shown["points"], shown["annulled"]) == ("1", 0, "4 left too early (002-X 20.3)")
    assert story.seq in shown["events"]
    page = story.get("/t/T/crosstable")
    assert page.count("<s>4r1</s>") == 1 and "4 left too early (002-X 20.3)" in page
    explained = story.get(f"{T}/standings/1")
    assert explained["rounds"][0]["annulled"] == shown["annulled"]
    assert story.seq in explained["events"]
    assert story.refused(f"{T}/entries/4/withdrawal", {"reason": "again"}) == (409, "player-left")


def test_who_leaves_it_later_keeps_the_results_and_forfeits_the_rest(story: Story) -> None:
    # W2 and W4, 20.3 and 21.4: two of three are more than half
    announced(story, "round_robin")
    played(story, *CIRCLE_OF_FOUR[:2])
    before = story.points()
    left = leave(story, 4)
    assert (left["played"], left["results_stand"], left["unplayed"]) == (2, True, "forfeit")

    # when the table has them meet, the opponent wins without a game, and nothing need be reported
    story.paired(*CIRCLE_OF_FOUR[2])
    assert story.points()[2] == before[2] + 1
    assert (cell(story, 2, 3)["result"], cell(story, 4, 3)["result"]) == ("+", "-")
    story.report("*", "1-0", round=3)
    story.tell(f"{T}/publications", {"final": True})


def test_who_leaves_a_swiss_keeps_the_results_and_a_published_game_is_forfeited(story: Story) -> None:
    # W3, 20.4
    announced(story, "swiss")
    played(story, [[1, 2], [3, 4]])
    story.paired([3, 1], [4, 2])
    left = leave(story, 3)
    assert (left["after_round"], left["results_stand"], left["unplayed"]) == (1, True, "forfeit")
    assert story.points() == {1: 2.0, 2: 0.0, 3: 1.0, 4: 0.0}
    # a board that was played all the same is corrected as any other
    body = {"round": 2, "results": [{"board": 1, "result": "1-0"}], "reason": "they had begun"}
    story.tell(f"{T}/corrections", body, "arbiter")
    assert story.points()[3] == 2.0


def test_by_fide_who_leaves_a_swiss_is_not_paired_any_more(story: Story) -> None:
    # W3, C.04.2
    announced(story, "swiss", "fide-2026")
    played(story, [[1, 2], [3, 4]])
    assert leave(story, 4)["unplayed"] == "not_paired"
    second = story.paired()
    seated = {p for b in second["boards"] for p in (b["white"], b["black"])} | {s["player"] for s in second["byes"]}
    assert seated == {1, 2, 3}


def test_who_leaves_before_the_first_round_is_drawn_no_more(story: Story) -> None:
    # W1, 20.2
    announced(story, "round_robin", players=5, rounds=5)
    assert leave(story, 5)["unplayed"] == "not_paired"
    story.tell(f"{T}/starting-numbers", {"lot": True})
    first = story.paired()
    assert {p for b in first["boards"] for p in (b["white"], b["black"])} == {1, 2, 3, 4}
    assert first["byes"] == []


def test_who_returns_plays_again_and_what_was_forfeited_stays_so(story: Story) -> None:
    announced(story, "round_robin")
    story.tell(f"{T}/check-in", {"came": [1, 2, 3, 4]}, "arbiter")
    story.tell(f"{T}/check-in", {"absent": [4]}, "arbiter")
    assert story.refused(f"{T}/check-in", {"came": [1]}, "arbiter") == (409, "nobody-checked-in")
    played(story, *CIRCLE_OF_FOUR[:2])
    leave(story, 4)
    story.paired(*CIRCLE_OF_FOUR[2])
    story.tell(f"{T}/entries/4/return", {"reason": "well again"}, "organiser")
    assert (cell(story, 2, 3)["result"], cell(story, 4, 3)["result"]) == ("+", "-")
    assert story.refused(f"{T}/entries/4/return", {"reason": "x"}) == (409, "player-here")
    assert "plays again" in story.get("/t/T/log")


@row("C14", under="xiangqi-1999")
def test_an_expulsion_is_a_withdrawal_and_falls_with_its_ruling(story: Story) -> None:
    # W5, 18.3
    announced(story, "round_robin")
    played(story, CIRCLE_OF_FOUR[0])
    expulsion = {"player": 4, "round": 1, "infraction": "grave_misconduct", "effect": {"kind": "expel"}}
    assert story.refused(f"{T}/rulings", expulsion, "chief_arbiter") == (403, "role-may-not")
    ruling = story.tell(f"{T}/rulings", expulsion, "organiser")["ruling"]

    # the rulebook withdraws the player by itself, and by the article on leaving
    follows(story, "arbiter.player.withdrew.v2")
    (left,) = events(story, "arbiter.player.withdrew.v2")
    assert (left["role"], left["data"]["ruling"], left["data"]["results_stand"]) == ("rulebook", ruling, False)
    story.until(lambda: story.points()[1] == 0.0)
    assert story.refused(f"{T}/entries/4/return", {"reason": "x"}) == (409, "player-expelled")

    # and when the committee annuls the ruling, the player is back, with the results
    story.annul(ruling)
    follows(story, "arbiter.player.returned.v1")
    story.until(lambda: story.points()[1] == 1.0)
    played(story, CIRCLE_OF_FOUR[1])


def follows(story: Story, type: str) -> None:
    """Wait until the rulebook has written a line of that type, and have seen it."""
    story.until(lambda: last(story)["event"]["type"] == type)
    story.seq = last(story)["seq"]


def last(story: Story) -> dict[str, Any]:
    listed: list[dict[str, Any]] = story.get(f"{T}/events?limit=500")["events"]
    return listed[-1]


def events(story: Story, type: str) -> list[dict[str, Any]]:
    return [e["event"] for e in story.get(f"{T}/events?type={type}")["events"]]


@pytest.mark.parametrize("player", [9, 1])
def test_refusals_of_leaving_and_returning(story: Story, player: int) -> None:
    announced(story, "swiss")
    code = (404, "unknown-player") if player == 9 else (409, "player-here")
    assert story.refused(f"{T}/entries/{player}/return", {"reason": "x"}) == code


def test_a_shared_first_place_is_shown_until_a_play_off_parts_it(story: Story) -> None:
    # K7, 15.6
    announced(story, "swiss", rounds=1)
    story.paired([1, 2], [3, 4])
    story.report("1/2-1/2", "1/2-1/2")
    story.tell(f"{T}/publications", {"final": False})
    assert {row["rank"] for row in story.get(f"{T}/standings")["players"]} == {1}
    off = {"boards": [[1, 2], [3, 4]], "reason": "the first place is not shared"}
    assert story.tell(f"{T}/play-offs", off)["round"] == 2
    story.report("1-0", "1/2-1/2", round=2)
    rows = {row["id"]: row for row in story.get(f"{T}/standings")["players"]}
    assert (rows[1]["points"], rows[1]["rank"], rows[1]["tb"]["PO"]) == (0.5, 1, 1)
    story.tell(f"{T}/publications", {"final": True})
    assert "shared" not in story.integrity()
