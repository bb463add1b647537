"""Repetitions in a game: when one is judged, what follows, and by which articles it is told to have been decided."""

from typing import Any

import pytest

from tests.rows.marks import plays, row
from tests.stories.conftest import Story, T
from tests.stories.test_changes import announced
from tests.stories.test_games_claims import claimed
from tests.stories.test_games_kinds import G, opened, played

HALLS = ("embedded",)
"""Games alone judges; over the log that lags, `test_games_claims` has a repetition."""

BEFORE_CHASES, CHASES = "i0i1 b7b4 i1f1 g9i7", "f1f4 h7b7 f4f1 b7h7"
"""In `CHASES` every black move attacks 长捉; Red's are idle."""
BEFORE_CHECKS = "b2f2 g9i7 i0i2 e6e5 h2h9 f9e8"
IDLE = "a0a1 a9a8 a1a0 a8a9"
CHECKS = "f2f9 i7g9 a0a1 a9a8 f9f2 g9i7 a1a0 a8a9"
"""Red checks with every other move 一将一闲."""


def game(story: Story, moves: str, **changes: Any) -> None:
    announced(story, {f"game.xiangqi.{name}": value for name, value in changes.items()})
    story.paired([1, 2], [3, 4])
    played(story, 1, moves)


def ended(story: Story) -> tuple[str, str] | None:
    """By what, and with which result; None: it goes on."""
    result, events = story.get(G)["result"], story.get(f"{T}/events?type=arbiter.game.ended.v1")["events"]
    return (events[0]["event"]["data"]["termination"], result["notation"]) if events else None


@plays("game.xiangqi.three_checks", "by_cycle")
def test_three_checks_with_idle_moves_between_are_allowed_and_drawn(story: Story) -> None:
    """002-X 24.2, 25.2: 数将一闲."""
    game(story, f"{BEFORE_CHECKS} {CHECKS} {CHECKS}")
    drawn = claimed(story, "black", "repetition")
    assert drawn["article"] == "002-X 24.2, 26.2" and "check, and an idle move, allowed" in drawn["grounds"]
    assert ended(story) == ("repetition", "1/2-1/2")


@plays("game.xiangqi.three_checks", "loses")
def test_three_checks_lose_where_that_is_forbidden(story: Story) -> None:
    """003 胜负和: 循环反复向对方将军三次."""
    game(story, f"{BEFORE_CHECKS} {CHECKS} {CHECKS}", three_checks="loses")
    lost = claimed(story, "black", "repetition")
    assert lost["article"] == "003 胜负和: 不得将三将" and "Red loses at once" in lost["grounds"]
    assert ended(story) == ("perpetual_check", "0-1")


@row("X20", under="xiangqi-folk")
def test_three_checks_in_a_cycle_lose_where_xiangqi_is_played_as_at_home(story: Story) -> None:
    """003 胜负和."""
    opened(story, "xiangqi", "xiangqi-folk")
    played(story, 1, f"{BEFORE_CHECKS} {CHECKS} {CHECKS}")
    assert claimed(story, "black", "repetition")["article"] == "003 胜负和: 不得将三将"
    assert ended(story) == ("perpetual_check", "0-1")


@plays("game.xiangqi.repeated", "told_to_vary")
def test_who_must_vary_is_told_so_and_loses_when_the_cycle_comes_once_more(story: Story) -> None:
    """002-X 24.3."""
    game(story, f"{BEFORE_CHASES} {CHASES} {CHASES} {CHASES}")
    assert claimed(story, "white", "repetition")["article"] == "002-X 24.3, 26.4"
    assert ended(story) is None, "nobody had told him"
    played(story, 17, CHASES)
    assert claimed(story, "white", "repetition")["article"] == "002-X 24.3, 4.1.7"
    assert ended(story) == ("forbidden_repetition", "1-0")


@plays("game.xiangqi.repeated", "goes_on")
def test_who_must_vary_has_lost_untold_once_it_goes_on_after_three_times(story: Story) -> None:
    """000-A 2.6, 和 3: 三次后仍在延续; 应变不变."""
    game(story, f"{BEFORE_CHASES} {CHASES} {CHASES}", repeated="goes_on")
    early = claimed(story, "white", "repetition")
    assert (early["upheld"], ended(story)) == (False, None) and "000-A 2.6, 和 3" in early["grounds"]
    played(story, 13, CHASES)
    assert claimed(story, "white", "repetition")["article"] == "000-A 2.6, 和 3"
    assert ended(story) == ("forbidden_repetition", "1-0")


@pytest.mark.parametrize("occurrences", [pytest.param(n, marks=plays("game.xiangqi.repetitions", n)) for n in (3, 4)])
def test_a_position_has_come_often_enough_after_two_cycles_or_three(story: Story, occurrences: int) -> None:
    """002-X 24: 循环反复三次, three occurrences of the position or three cycles."""
    game(story, f"{IDLE} {IDLE}", repetitions=occurrences)
    assert claimed(story, "black", "repetition")["upheld"] == (occurrences == 3)
    if occurrences == 4:
        played(story, 9, IDLE)
        assert claimed(story, "black", "repetition")["upheld"]
    assert ended(story) == ("repetition", "1/2-1/2")


def test_a_decision_names_every_article_that_decided_on_the_page_too(story: Story) -> None:
    game(story, f"{BEFORE_CHASES} {CHASES} {CHASES}")
    grounds = claimed(story, "white", "repetition")["grounds"]
    decided = "decided by 002-X 24.3, 002-X 26.4, 002-X 25.2, 002-X 28.3, 002-X 28.9"
    assert decided in grounds and decided in story.get("/games/T.1.1")


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"repetitions": 5}, "must be 3 or 4 (002-X 24: 循环反复三次)"),
        ({"three_checks": "draws"}, "must be by_cycle or loses (003 胜负和)"),
        ({"repeated": 1}, "must be told_to_vary or goes_on (002-X 24; 000-A 2.6, 和 3)"),
        ({"mate_threat": "old"}, "must be standing or new (002-X 28.2, 29.2)"),
        (
            {"mate_within": 0},
            "must be 1 to 5 checks "
            "(002-X 28.2: 连续照将, without a limit; Arbiter sets the bounds)",
        ),
        (
            {"chase_within": 4},
            "must be 0 to 3 checks "
            "(002-X 29.1: 连续照将吃子, without a limit; Arbiter sets the bounds)",
        ),
        (
            {"sound_within": -1},
            "must be 0 to 3 checks "
            "(002-X 29.4: 不致被将死; Arbiter sets the bounds)",
        ),
    ],
)  # fmt: skip
def test_a_reading_that_there_is_not_is_refused_with_those_that_there_are(
    story: Story, change: dict[str, Any], error: str
) -> None:
    changes = {f"game.xiangqi.{name}": value for name, value in change.items()}
    announced(story)
    again = {"regulations": "campus", "changes": changes, "reason": "a try"}
    answer = story.ask("POST", f"{T}/regulations", again, "organiser")
    assert (answer.status_code, answer.json["errors"]) == (422, {"changes": {next(iter(changes)): [error]}})
