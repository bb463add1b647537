"""The time controls that regulations name: what a clock may show, and what becomes of a flag."""

from typing import Any

import pytest

from shared.regulations import load
from tests.federation import set_with
from tests.rows.marks import plays
from tests.stories.conftest import Story, T
from tests.stories.test_breaks_and_times import play
from tests.stories.test_clocks import all_answered

HALLS = ("embedded",)

G = "/v1/games/T.1.1"
FIELDS = ("increment", "byo_yomi", "byo_yomi_periods", "flag", "clocks_after")


def begun(story: Story, game: str, book: dict[str, str], **more: Any) -> None:
    story.tell(
        "/v1/tournaments", {"id": "T", "name": "Cup", "game": game, "format": "swiss", "rounds": 3, **book, **more}
    )
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"选手 {n}"} for n in range(1, 5)]})
    story.paired([1, 2], [3, 4])


def time_of(name: str, game: str) -> list[pytest.MarkDecorator]:
    """The marks of every value of a set's own time control."""
    time = load(name).game.time(game)
    assert time is not None
    periods = [
        plays(f"game.times.*.periods.*.{field}", getattr(period, field))
        for period in time.periods
        for field in ("seconds", "moves", "increment")
    ]
    return periods + [plays(f"game.times.*.{field}", getattr(time, field)) for field in FIELDS]


@pytest.mark.parametrize(
    ("regulations", "game", "move", "most"),
    [
        pytest.param("xiangqi-1999", "xiangqi", "h2e2", 5400, marks=time_of("xiangqi-1999", "xiangqi")),
        pytest.param("gomoku-campus", "gomoku", "h8", 900, marks=time_of("gomoku-campus", "gomoku")),
        pytest.param("friendly-xiangqi", "xiangqi", "h2e2", 15, marks=time_of("friendly-xiangqi", "xiangqi")),
    ],
)
def test_a_clock_shows_no_more_than_the_time_of_its_set(
    story: Story, regulations: str, game: str, move: str, most: int
) -> None:
    """002-X 6.1; 000-E 3; 000-E 2."""
    begun(story, game, {"regulations": regulations})
    events = story.tell(f"{G}/moves", play(1, (move, most + 1)), "board")["events"]
    made = next(one["data"] for one in events if one["type"].startswith("arbiter.finding.made"))
    assert (made["kind"], made["grounds"][0]["facts"]["most"]) == ("clock_gained", most)
    all_answered(story)


@pytest.mark.parametrize(
    ("flag", "result"),
    [
        pytest.param("at_once", "0-1", marks=[plays("game.times.*.flag", "at_once")]),
        pytest.param("claimed", None, marks=[plays("game.times.*.flag", "claimed")]),
    ],
)
def test_a_fallen_flag_loses_at_once_or_when_it_is_claimed(story: Story, flag: str, result: str | None) -> None:
    begun(story, "xiangqi", {"regulations_file": set_with("xiangqi-1999", {"game.times.xiangqi.flag": flag})})
    story.tell(f"{G}/moves", play(1, ("h2e2", 5000), ("h9g7", 5000), ("h0g2", 0)), "board")
    if result is None:
        assert story.get(G)["result"] is None
        story.tell(f"{G}/claims", {"claim": "flag", "side": "black"}, "board")
    story.until(lambda: story.get(G)["status"] == "decided")
    assert story.get(G)["result"]["notation"] == "0-1"


@pytest.mark.parametrize(
    ("flag", "open"),
    [
        pytest.param("at_once", False, marks=[plays("game.schemes.*.flag", "at_once")]),
        pytest.param("claimed", True, marks=[plays("game.schemes.*.flag", "claimed")]),
    ],
)
def test_a_scheme_says_whether_a_flag_has_to_be_claimed(story: Story, flag: str, open: bool) -> None:
    book = {"regulations_file": set_with("xiangqi-1999", {"game.schemes.xiangqi.flag": flag})}
    begun(story, "xiangqi", book, conditions={"time": "002-X 6.1"})
    story.tell(f"{G}/moves", play(1, ("h2e2", 5000), ("h9g7", 5000), ("h0g2", 0)), "board")
    if not open:
        story.until(lambda: story.get(G)["status"] == "decided")
    assert (story.get(G)["result"] is None) == open
