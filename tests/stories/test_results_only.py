"""A game that the ruleset does not have is accepted only if results alone are reported."""

from typing import Any

from tests.stories.conftest import Story, T

HALLS = ("embedded",)
"""Whether a game has moves is announced; `test_games_kinds` has one without, over the log that lags."""

CUP = {"id": "T", "name": "跳棋比赛", "format": "swiss", "rounds": 3, "regulations": "campus"}
G = "/v1/games/T.1.1"


def begun(story: Story, body: dict[str, Any]) -> None:
    story.tell("/v1/tournaments", CUP | body)
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"选手 {n}"} for n in range(1, 5)]})
    story.paired([1, 2], [3, 4])


def problem(story: Story, body: dict[str, Any]) -> Any:
    return story.ask("POST", "/v1/tournaments", CUP | body, "organiser").json


def test_a_misspelt_game_is_refused_with_the_nearest_name(story: Story) -> None:
    told = problem(story, {"game": "xianqi"})
    assert (told["status"], told["type"], told["where"]) == (422, "urn:arbiter:problem:no-rules-for-the-game", "game")
    assert "the nearest name is xiangqi, a game of campus, campus-xiangqi" in told["detail"]
    chess = problem(story, {"game": "chess", "regulations": "xiangqi-1999"})
    assert "choose one of campus, campus-chess, fide-2024, fide-2026" in chess["detail"]
    story.announced()


def test_a_chinese_name_of_a_game_is_told_how_games_are_named(story: Story) -> None:
    (why,) = problem(story, {"game": "跳棋", "results_only": True})["errors"]["game"]
    assert why.startswith("'跳棋' is not the name of a game: use lower-case letters, digits and -, such as tiaoqi")
    story.announced()


def test_a_game_without_rules_has_results_and_no_moves(story: Story) -> None:
    begun(story, {"game": "tiaoqi", "results_only": True})
    assert story.get(T)["results_only"] is True
    story.near("POST", f"{G}/moves")
    moved = story.ask("POST", f"{G}/moves", {"ply": 1, "moves": ["a1a2"]}, "board").json
    assert (moved["status"], moved["see"]) == (409, f"{T}/results")
    assert moved["detail"] == (
        "T was announced with results_only: its games have no moves and no clocks; report the result"
    )
    story.report("1-0", "1/2-1/2")
    assert story.points() == {1: 1.0, 3: 0.5, 4: 0.5, 2: 0.0}


def test_a_game_of_the_ruleset_has_no_moves_either_if_results_alone_are_reported(story: Story) -> None:
    begun(story, {"game": "xiangqi", "results_only": True})
    assert story.refused(f"{G}/moves", {"ply": 1, "moves": ["h2e2"]}, "board") == (409, "no-score-sheet")
    body = {"regulations": "fide-2026", "reason": "results alone need no rules of xiangqi"}
    story.tell(f"{T}/regulations", body, "organiser")
    story.report("1-0", "0-1")


def test_a_game_of_the_ruleset_has_moves_and_keeps_its_rules(story: Story) -> None:
    begun(story, {"game": "chess"})
    assert story.get(T)["results_only"] is False
    story.tell(f"{G}/start", {}, "arbiter")
    story.tell(f"{G}/moves", {"ply": 1, "moves": ["e4"]}, "board")
    body = {"regulations": "xiangqi-1999", "reason": "a mistake"}
    assert story.refused(f"{T}/regulations", body, "organiser") == (422, "no-rules-for-the-game")
