"""How stories of readings are told: the change that chooses one, and the event that it plays otherwise in."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.rows.marks import plays
from tests.stories.conftest import Story, T

WARNED = {"round": 1, "infraction": "misconduct"}


def reading(path: str, value: Any, *expected: Any) -> Any:
    """A case of a test: the change that chooses this reading, and what comes of it."""
    return pytest.param({path: value}, *expected, marks=plays(path, value), id=f"{path.rpartition('.')[2]}-{value}")


def announced(
    story: Story, regulations: str, changes: dict[str, Any], players: int = 4, format: str = "swiss", **more: Any
) -> None:
    cup = {"id": "T", "name": "Cup", "game": "xiangqi", "format": format, "regulations": regulations}
    rounds = {"rounds": 3} if format == "swiss" else {}
    story.tell("/v1/tournaments", cup | {"changes": changes} | rounds | more)
    entered = [{"id": n, "name": f"选手 {n}", "rating": 2000 - 10 * n} for n in range(1, players + 1)]
    story.tell(f"{T}/entries", {"players": entered})


def played(story: Story, *games: str, bye: int | None = None) -> None:
    """A round by hand: ``"1-2 +/-"``, White, Black and the result."""
    seats, results = zip(*(game.split(" ") for game in games), strict=True)
    round = story.paired(*([int(p) for p in seat.split("-")] for seat in seats), bye=bye)["round"]
    story.report(*results, round=round)


def ranks(story: Story) -> dict[int, int]:
    return {row["id"]: row["rank"] for row in story.get(f"{T}/standings")["players"]}


def values(story: Story, code: str) -> dict[int, Any]:
    return {row["id"]: row["tb"][code] for row in story.get(f"{T}/standings")["players"]}


def parts(story: Story, player: int, code: str) -> list[tuple[int, str | None]]:
    """The rounds that a player's tie-break is explained by, and why one does not count."""
    told = {row["name"]: row for row in story.get(f"{T}/standings/{player}")["tiebreaks"]}
    return [(part["round"], part["cut"]) for part in told[code]["parts"]]


def four_teams(story: Story, changes: dict[str, Any]) -> None:
    """Teams of two, in a round robin: 1 and 2, 3 and 4, 5 and 6, 7 and 8."""
    team = {"kind": "fixed", "boards": 2, "substitutes": 0}
    announced(story, "xiangqi-1999", changes, 8, "round_robin", conditions={"team": team})
    teams = [{"name": f"{n} 队", "members": [2 * n - 1, 2 * n]} for n in (1, 2, 3, 4)]
    story.tell(f"{T}/teams", {"teams": teams})


def results(story: Story, paired: Any, said: Callable[[tuple[int, int]], str]) -> None:
    listed = [{"board": b["board"], "result": said((b["white"], b["black"]))} for b in paired["boards"]]
    story.tell(f"{T}/results", {"round": paired["round"], "results": listed}, "arbiter")
