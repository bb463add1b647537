"""Readings of the texts in stories: announced as changes of a set, and what came of each."""

from typing import Any

import pytest

from tests.rows.marks import plays
from tests.stories.conftest import Story, T

G = "/v1/games/T.1.1"


def announced(story: Story, path: str, value: Any, game: str = "xiangqi", regulations: str = "campus") -> None:
    """Round 1 of a tournament with this value, 1-2 and 3-4 at its boards."""
    cup = {"id": "T", "name": "Cup", "game": game, "format": "swiss", "rounds": 5, "regulations": regulations}
    story.tell("/v1/tournaments", cup | {"changes": {path: value}})
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"选手 {n}"} for n in (1, 2, 3, 4)]})
    story.paired([1, 2], [3, 4])


def each(path: str, *readings: tuple[Any, ...]) -> pytest.MarkDecorator:
    """Each value at the path with what comes of it, in a tournament of its own."""
    return pytest.mark.parametrize(
        ("path", "value", "then"),
        [pytest.param(path, value, then, marks=plays(path, _written(value))) for value, then in readings],
    )


def _written(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def reported(story: Story, infraction: str, player: int = 1, round: int = 1, **more: Any) -> Any:
    body = {"player": player, "round": round, "infraction": infraction} | more
    return story.tell(f"{T}/rulings", body, "arbiter")


def refusal(story: Story, path: str, body: Any, role: Any = "arbiter") -> dict[str, Any]:
    """The problem by which a command is refused."""
    story.near("POST", path)
    answer = story.ask("POST", path, body, role, If_Match=f'"{story.seq}"')
    problem: dict[str, Any] = answer.get_json()
    return problem | {"code": problem["type"].rpartition(":")[2]}


def rulings(story: Story, player: int = 1) -> list[tuple[str, str | None]]:
    """The rulings on a player, each with what it counts towards."""
    told = story.get(f"{T}/rulings?player={player}")["rulings"]
    return [(r["infraction"], r["counter"]) for r in told]


def withdrawn(story: Story) -> list[int]:
    """The players who have left, or were expelled."""
    told = story.get(f"{T}/events?type=arbiter.player.withdrew.v2")["events"]
    return [e["event"]["data"]["player"] for e in told]


def offer(story: Story, said: str, side: str) -> None:
    story.tell(f"{G}/offers", {"offer": said, "side": side}, "board")


def moves(story: Story, ply: int, said: str) -> None:
    story.tell(f"{G}/moves", {"ply": ply, "moves": said.split()}, "board")
