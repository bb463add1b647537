"""Players removed during an event, over HTTP: 002-X 18.2, 18.3, 20.3, 20.4; 000-A 6.2, 五子棋 F; 000-B 8, 注意 3, 8, 9."""

import threading
import time
from typing import Any

import pytest

from shared.core.terms import PENALTIES
from tests.stories.conftest import Story, T
from tests.stories.hall import Lagging

G = "/v1/games/T.1.1"
FIRST = {"ply": 1, "moves": ["h2e2"]}
SECOND = {"ply": 2, "moves": ["h9g7"]}
THIRD = {"ply": 3, "moves": ["h0g2"]}


def announced(story: Story, format: str, regulations: str = "xiangqi-1999", game: str = "xiangqi") -> None:
    cup = {"id": "T", "name": "Cup", "game": game, "format": format, "rounds": 3, "regulations": regulations}
    story.tell("/v1/tournaments", cup)
    entered = [{"id": n, "name": f"选手 {n}", "rating": 2000 - 10 * n} for n in range(1, 5)]
    story.tell(f"{T}/entries", {"players": entered})


def begun(story: Story, format: str = "swiss", timing: str = "in progress") -> None:
    """Round 1 of 1 v 2 and 3 v 4, and the first game not begun, after two moves, or won by player 1."""
    announced(story, format)
    if format == "knockout":
        story.tell(f"{T}/rounds", {"seed": 2})
    else:
        story.paired([1, 2], [3, 4])
    if timing == "in progress":
        story.tell(f"{G}/moves", FIRST, "board")
        story.tell(f"{G}/moves", SECOND, "board")
    if timing == "after":
        story.report("1-0")


def removed(story: Story, kind: str, player: int = 1) -> str:
    """Remove the player; the ruling, or nothing for one who leaves."""
    if kind == "withdraw":
        story.tell(f"{T}/entries/{player}/withdrawal", {"reason": "ill"}, "organiser")
        return ""
    effect = {"kind": "expel"} if kind == "expel" else {"kind": "exclude", "rounds": [1]}
    body = {"player": player, "round": 1, "infraction": "grave_misconduct", "effect": effect}
    told = story.tell(f"{T}/rulings", body, "organiser" if kind == "expel" else "chief_arbiter")
    ruling: str = told["events"][0]["data"]["ruling"]
    return ruling


def taken_away(story: Story, kind: str, ruling: str, fate: str) -> None:
    maker: Any = "organiser" if kind == "expel" else "chief_arbiter"
    if fate == "annulled":
        story.annul(ruling)
    elif fate == "retracted":
        story.tell(f"{T}/rulings/{ruling}/retraction", {"reason": "a slip"}, maker)
    else:
        appeal = story.appeal(1, ruling)
        story.tell(f"{T}/appeals/{appeal}/decision", {"upheld": True, "grounds": "no proof"}, "appeals")


def result(story: Story, game: str = "T.1.1") -> str | None:
    found = story.get(f"/v1/games/{game}")["result"]
    notation: str | None = None if found is None else found["notation"]
    return notation


@pytest.mark.parametrize("timing", ["before", "in progress"])
@pytest.mark.parametrize("kind", ["expel", "exclude", "withdraw"])
def test_removed_player_can_do_nothing_more_in_the_game(story: Story, kind: str, timing: str) -> None:
    begun(story, timing=timing)
    removed(story, kind)
    assert result(story) == ("0-1" if timing == "in progress" else "-/+")
    assert story.points()[2] == 1.0

    # the player's own token, an arbiter and a board: moves, offers, claims, steps and results
    asked: list[tuple[str, dict[str, Any], Any]] = [
        (f"{G}/moves", THIRD if timing == "in progress" else FIRST, "player"),
        (f"{G}/offers", {"side": "white", "offer": "draw"}, "player"),
        (f"{G}/claims", {"side": "white", "claim": "natural_limit"}, "player"),
        (f"{G}/claims", {"side": "white", "claim": "resignation"}, "player"),
        (f"{G}/moves", THIRD if timing == "in progress" else FIRST, "arbiter"),
        (f"{G}/end", {"termination": "agreement"}, "arbiter"),
    ]
    for path, body, role in asked:
        assert story.refused(path, body, role) == (409, "game-over"), (path, role)
    if timing == "before":
        assert story.refused(f"{G}/start", {}, "arbiter") == (409, "game-over")
    won = {"round": 1, "results": [{"board": 1, "result": "1-0"}]}
    assert story.refused(f"{T}/results", won, "arbiter") == (409, "result-exists")
    if kind != "withdraw":
        corrected = won | {"reason": "he won all the same"}
        assert story.refused(f"{T}/corrections", corrected) == (409, "player-removed")


@pytest.mark.parametrize("timing", ["before", "in progress"])
@pytest.mark.parametrize(
    ("kind", "fate"), [("expel", "annulled"), ("expel", "retracted"), ("exclude", "appealed"), ("exclude", "retracted")]
)
def test_lapsed_removal_reopens_the_game(story: Story, kind: str, fate: str, timing: str) -> None:
    begun(story, timing=timing)
    before = story.get(f"{G}")
    taken_away(story, kind, removed(story, kind), fate)
    assert result(story) is None
    assert story.points() == {1: 0.0, 2: 0.0, 3: 0.0, 4: 0.0}
    after = story.get(f"{G}")
    assert {name: after[name] for name in ("status", "moves", "clocks", "turn") if name in after} == {
        name: before[name] for name in ("status", "moves", "clocks", "turn") if name in before
    }

    # the player's own token moves again, wins, and plays the next round
    story.tell(f"{G}/moves", THIRD if timing == "in progress" else FIRST, "player", name="1")
    story.report("1-0", "1-0")
    assert story.points() == {1: 1.0, 2: 0.0, 3: 1.0, 4: 0.0}
    paired = story.paired()["events"][0]["data"]["boards"]
    assert {frozenset((b["white"], b["black"])) for b in paired} == {frozenset((1, 3)), frozenset((2, 4))}


def test_final_of_a_lapsed_expulsion_is_not_paired_with_the_opponent(story: Story) -> None:
    # the expulsion decides the semi-final; annulled, the semi-final is open and the final cannot be paired
    begun(story, "knockout", "before")
    boards = story.get(f"{T}/rounds/1")["boards"]
    player, opponent = boards[0]["white"], boards[0]["black"]
    ruling = removed(story, "expel", player)
    story.report("*", "1-0")
    story.annul(ruling)
    assert story.refused(f"{T}/rounds", {}) == (409, "round-unfinished")
    story.report("1-0")
    final = story.tell(f"{T}/rounds", {})["events"][0]["data"]["boards"]
    assert {final[0]["white"], final[0]["black"]} == {player, boards[1]["white"]}
    assert opponent not in {final[0]["white"], final[0]["black"]}


def test_third_technical_foul_in_a_game_lets_the_opponent_advance(story: Story) -> None:
    announced(story, "knockout", "gomoku-campus", "gomoku")
    boards = story.tell(f"{T}/rounds", {"seed": 2})["events"][0]["data"]["boards"]
    player, opponent = boards[0]["white"], boards[0]["black"]
    story.tell(f"{G}/start", {}, "arbiter")
    foul = {"player": player, "round": 1, "infraction": "repeated_draw_offer"}
    first = story.tell(f"{T}/rulings", foul, "arbiter")["events"][0]["data"]["ruling"]
    story.tell(f"{T}/rulings", foul, "arbiter")
    made = [e["data"]["effect"]["kind"] for e in story.tell(f"{T}/rulings", foul, "arbiter")["events"]]
    assert made == ["foul", "expel", "set_marks"]
    assert result(story) == "0-1"
    story.report("*", "1-0")
    final = story.tell(f"{T}/rounds", {})["events"][0]["data"]["boards"]
    assert {final[0]["white"], final[0]["black"]} == {opponent, boards[1]["white"]}

    # one of the three fouls is annulled: the expulsion and the loss lapse with it
    story.tell(f"{T}/rounds/2/withdrawal", {"reason": "the semi-final is open"})
    story.annul(first)
    assert result(story) is None
    assert story.refused(f"{T}/rounds", {}) == (409, "round-unfinished")


def test_player_who_left_in_a_game_keeps_the_loss_after_a_return(story: Story) -> None:
    begun(story)
    removed(story, "withdraw")
    story.tell(f"{T}/entries/1/return", {"reason": "well again"}, "organiser")
    assert result(story) == "0-1"
    story.report("*", "1-0")
    paired = story.paired()["events"][0]["data"]["boards"]
    assert 1 in {player for board in paired for player in (board["white"], board["black"])}


def test_annulment_preview_and_question_show_the_open_game(story: Story) -> None:
    begun(story)
    ruling = removed(story, "expel")
    without = {row["id"]: row["points"] for row in story.get(f"{T}/standings?without={ruling}")["players"]}
    assert without == {1: 0.0, 2: 0.0, 3: 0.0, 4: 0.0}
    story.near("POST", f"{T}/preview")
    asked = {"path": f"{T}/rulings/{ruling}/annulment", "body": {"reason": "no proof"}}
    shown = story.ask("POST", f"{T}/preview", asked, "appeals").get_json()
    (change,) = [row for row in shown["table"]["changes"] if row["id"] == 2]
    (cause,) = [one for one in change["causes"] if one["kind"] == "round"]
    assert (cause["game"], cause["before"], cause["after"]) == ("T.1.1", 1, None)
    story.annul(ruling)
    assert story.get(f"{T}/standings")["players"] == story.get(f"{T}/standings?without={ruling}")["players"]


def test_file_of_a_game_ended_by_a_removal_is_refused(story: Story) -> None:
    begun(story)
    removed(story, "exclude")
    path, file = f"{G}/moves/file?format=pgn", b'[Result "1-0"]\n\n1. h2e2 h9g7 2. h0g2 1-0\n'
    story.near("POST", path)
    client, there = story.hall.client("POST", path)
    headers = {"Authorization": f"Bearer {story.token('board')}", "If-Match": f'"{story.seq}"'}
    answer = client.post(there, data=file, content_type="application/octet-stream", headers=headers)
    assert (answer.status_code, answer.json["type"].rpartition(":")[2]) == (409, "game-over")
    assert answer.json["article"] == "002-X 8.8, 18.2, 18.3"


@pytest.mark.parametrize("first", ["move of the game", "later move"])
@pytest.mark.parametrize("hall", ["lagging"], indirect=True)
def test_move_beside_an_expulsion_is_listed_as_concurrent(story: Story, hall: Lagging, first: str) -> None:
    begun(story, timing="before" if first == "move of the game" else "in progress")
    effect = {"kind": "expel"}
    ruling = {"player": 1, "round": 1, "infraction": "grave_misconduct", "effect": effect}
    move = FIRST if first == "move of the game" else THIRD
    asked = [(f"{T}/rulings", ruling, "organiser"), (f"{G}/moves", move, "player")]
    for path, *_ in asked:
        story.near("POST", path)
    answers: list[int] = []

    def tell(path: str, json: Any, role: Any) -> None:
        answers.append(story.ask("POST", path, json, role).status_code)

    threads = [threading.Thread(target=tell, args=one) for one in asked]
    with hall.standing_still():
        threads[0].start()
        story.until(lambda: hall.pending(PENALTIES, "T"))
        threads[1].start()
        time.sleep(0.5)
    for thread in threads:
        thread.join()
    assert answers == [201, 201]
    hall.settled()
    story.seq = len(hall.lines("T"))
    assert {crossing["noted"] for crossing in story.integrity()["crossings"]} == {False}
    assert result(story) == "0-1"
    later = {"ply": 2 if first == "move of the game" else 4, "moves": ["b9c7"]}
    assert story.refused(f"{G}/moves", later, "board") == (409, "game-over")
