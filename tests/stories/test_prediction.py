"""Prediction gomoku 预判 from its announcement to the table: predicting too long, and a game that must be decisive."""

from hashlib import sha256
from typing import Any

from tests.stories.conftest import Story, T
from tests.stories.test_games_kinds import G, opened, played, step, won

HALLS = ("embedded",)
"""Games alone judges; over the log that lags, `test_games_kinds` has a game with predictions."""

SALTS = {"black": "0123456789abcdef", "white": "fedcba9876543210"}


def sealed(story: Story, side: str, said: str, *seconds: str) -> Any:
    return step(story, side, "seal", sha256((SALTS[side] + said).encode()).hexdigest(), *seconds)


def test_who_predicts_longer_than_a_fifth_of_the_announced_time_loses_the_game(story: Story) -> None:
    """An hour was announced: twelve minutes may be spent on a prediction (001 第三条 3(3))."""
    hour = {"periods": [{"seconds": 3600, "moves": 0}], "increment": 0, "byo_yomi": 0, "flag": "claimed"}
    cup = {"id": "T", "name": "Cup", "game": "prediction", "format": "swiss", "rounds": 5, "regulations": "campus"}
    story.tell("/v1/tournaments", cup | {"conditions": {"time": hour}})
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"选手 {n}"} for n in range(1, 5)]})
    story.paired([1, 2], [3, 4])
    played(story, 1, "h8 a1 c1 e1")
    sealed(story, "black", "黑子13手", "720")
    found = sealed(story, "white", "黑子15手", "721")["events"][-1]["data"]
    assert (found["kind"], found["player"], found["article"]) == ("flag", 1, "001 第三条 3(3)")
    story.until(lambda: story.get(G)["status"] == "decided")
    story.seq = max(story.seq, story.get(G)["seq"])
    won(story, "0-1")
    (ruling,) = story.get(f"{T}/rulings")["rulings"]
    assert (ruling["infraction"], ruling["player"]) == ("flag", 1)


def test_five_exactly_at_the_limit_is_won_by_the_colour_that_was_agreed_on(story: Story) -> None:
    """Both think that White has five at ply 10, and so it comes: 恰好 would be drawn, and Black was agreed on to win it."""
    opened(story, "prediction")
    played(story, 1, "a1 c8 o15 d8")
    criterion = {"side": "black", "step": "criterion", "values": ["black"]}
    assert story.refused(f"{G}/steps", criterion, "board") == (403, "role-may-not")
    story.tell(f"{G}/steps", criterion, "arbiter")
    assert story.get(G)["facts"]["criterion"] == "black"
    for side in SALTS:
        sealed(story, side, "白子10手")
    for side, salt in SALTS.items():
        step(story, side, "reveal", salt, "白子10手")
    assert story.refused(f"{G}/end", {"termination": "agreement"}, "arbiter") == (409, "must-be-decisive")
    played(story, 5, "a15 e8 o1 f8 h1 g8")
    assert story.get(G)["facts"]["verdict"] == "黑10手/白10手胜"
    won(story, "0-1")
