"""What becomes of who leaves, and of a match that is not played, by each reading (rules.md 22; 002-X 20.3, 21.4)."""

from typing import Any

import pytest

from tests.stories.conftest import Story, T
from tests.stories.readings import WARNED, announced, four_teams, parts, played, ranks, reading, results, values

HALLS = ("embedded",)


@pytest.mark.parametrize(
    ("changes", "counted", "stand"),
    [reading("leaving.walkover_meets", False, 1, False), reading("leaving.walkover_meets", True, 2, True)],
)
def test_a_walkover_is_an_opponent_met_or_not(story: Story, changes: Any, counted: int, stand: bool) -> None:
    # 002-X 20.3: one of three opponents is fewer than half, two are more
    announced(story, "xiangqi-1999", changes, format="round_robin")
    played(story, "1-4 0-1", "2-3 1-0")
    played(story, "4-3 +/-", "1-2 1-0")
    left = story.tell(f"{T}/entries/4/withdrawal", {"reason": "ill"}, "organiser")["events"][0]["data"]
    assert (left["played"], left["results_stand"]) == (counted, stand)
    assert story.points()[4] == (2.0 if stand else 0.0)


@pytest.mark.parametrize(
    ("changes", "stand"),
    [reading("leaving.walkover_meets", False, False), reading("leaving.walkover_meets", True, True)],
)
def test_a_match_that_was_won_by_forfeit_is_a_team_met_or_not(story: Story, changes: Any, stand: bool) -> None:
    # 002-X 20.3: 棋手(队)
    four_teams(story, changes)
    forfeited = story.tell(f"{T}/rounds")
    results(story, forfeited, lambda seats: "+/-" if seats[0] in (7, 8) else "-/+" if seats[1] in (7, 8) else "1-0")
    results(story, story.tell(f"{T}/rounds"), lambda seats: "1-0")
    left = story.tell(f"{T}/teams/4/withdrawal", {"reason": "ill"}, "organiser")["events"]
    assert {event["data"]["results_stand"] for event in left} == {stand}


@pytest.mark.parametrize(
    ("changes", "counted", "stand"),
    [reading("leaving.half_of", "opponents", 1, True), reading("leaving.half_of", "games", 1, False)],
)
@pytest.mark.parametrize("twice", [("double_round_robin", {}), ("round_robin", {"games": 2})])
def test_half_is_of_the_opponents_or_of_the_games_with_them(
    story: Story, changes: Any, counted: int, stand: bool, twice: Any
) -> None:
    # 002-X 13.5, 20.3: one game of four, against one opponent of two
    format, conditions = twice
    announced(story, "xiangqi-1999", changes, 3, format, conditions=conditions)
    paired = story.tell(f"{T}/rounds")
    results(story, paired, lambda seats: "1-0")
    left = story.tell(f"{T}/entries/{paired['boards'][0]['white']}/withdrawal", {"reason": "ill"}, "organiser")
    left = left["events"][0]["data"]
    assert (left["played"], left["results_stand"]) == (counted, stand)


@pytest.mark.parametrize(
    ("changes", "stand"),
    [reading("leaving.half_of", "opponents", True), reading("leaving.half_of", "games", False)],
)
def test_of_teams_too_half_is_of_the_teams_or_of_the_rounds_with_them(story: Story, changes: Any, stand: bool) -> None:
    # 002-X 20.3: one match of four, against one team of two
    team = {"kind": "fixed", "boards": 1, "substitutes": 0}
    announced(story, "xiangqi-1999", changes, 3, "double_round_robin", conditions={"team": team})
    story.tell(f"{T}/teams", {"teams": [{"name": f"{n} 队", "members": [n]} for n in (1, 2, 3)]})
    paired = story.tell(f"{T}/rounds")
    results(story, paired, lambda seats: "1-0")
    (seats,) = ({b["white"], b["black"]} for b in paired["boards"])
    left = story.tell(f"{T}/teams/{max(seats)}/withdrawal", {"reason": "ill"}, "organiser")["events"][0]["data"]
    assert (left["played"], left["results_stand"]) == (1, stand)


@pytest.mark.parametrize(
    ("changes", "fouls", "explained"),
    [
        reading("ranking.annulled_fouls", True, 1, [(1, None)]),
        reading("ranking.annulled_fouls", False, 0, [(1, "in an annulled game")]),
    ],
)
def test_a_foul_in_a_game_that_was_annulled_counts_or_not(
    story: Story, changes: Any, fouls: int, explained: Any
) -> None:
    # 002-X 15.1, 18.4, 20.3
    announced(story, "xiangqi-1999", changes, format="round_robin")
    story.paired([1, 4], [2, 3])
    story.foul(1)
    story.tell(f"{T}/rulings", WARNED | {"player": 1, "game": "T.1.1"}, "arbiter")
    story.report("1-0", "1/2-1/2")
    assert (values(story, "FOULS")[1], values(story, "WARNED")[1]) == (1, 1)
    story.tell(f"{T}/entries/4/withdrawal", {"reason": "ill"}, "organiser")
    assert (values(story, "FOULS")[1], values(story, "WARNED")[1]) == (fouls, fouls)
    assert parts(story, 1, "FOULS") == parts(story, 1, "WARNED") == explained


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        reading("leaving.annulled_place", "last", {2: 1, 1: 2, 3: 2, 4: 4}),
        reading("leaving.annulled_place", "points", {2: 1, 1: 2, 3: 2, 4: 2}),
    ],
)
def test_whose_results_were_annulled_stands_last_or_by_the_points_left(
    story: Story, changes: Any, expected: Any
) -> None:
    # 002-X 20.3: 注销
    announced(story, "xiangqi-1999", changes, format="round_robin")
    played(story, "1-4 1-0", "2-3 1-0")
    story.tell(f"{T}/entries/4/withdrawal", {"reason": "ill"}, "organiser")
    assert ranks(story) == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        reading("leaving.annulled_place", "last", {2: 1, 1: 2, 3: 2, 4: 4}),
        reading("leaving.annulled_place", "points", {2: 1, 1: 2, 3: 2, 4: 2}),
    ],
)
def test_a_team_whose_results_were_annulled_stands_so_too(story: Story, changes: Any, expected: Any) -> None:
    four_teams(story, changes)
    results(story, story.tell(f"{T}/rounds"), lambda seats: "1-0" if seats[0] < seats[1] else "0-1")
    story.tell(f"{T}/teams/4/withdrawal", {"reason": "ill"}, "organiser")
    assert {row["id"]: row["rank"] for row in story.get(f"{T}/standings/teams")["teams"]} == expected


@pytest.mark.parametrize(
    ("changes", "of_forfeit", "of_bye"),
    [
        reading("teams.walkover_games", "boards", 2, 2),
        reading("teams.walkover_games", "least", 1.5, 1.5),
        reading("teams.walkover_games", "none", 0, 0),
    ],
)
def test_a_match_won_unplayed_gives_two_match_points_and_so_many_game_points(
    story: Story, changes: Any, of_forfeit: float, of_bye: float
) -> None:
    # 002-X 21.4: 如果缺席者是队, + 等于2分
    team = {"kind": "fixed", "boards": 2, "substitutes": 0}
    announced(story, "xiangqi-1999", changes, 6, "swiss", conditions={"team": team})
    teams = [{"name": f"{n} 队", "members": [2 * n - 1, 2 * n]} for n in (1, 2, 3)]
    story.tell(f"{T}/teams", {"teams": teams})
    paired = story.tell(f"{T}/rounds")
    seated = {p for b in paired["boards"] for p in (b["white"], b["black"])}
    here = min(seated)
    results(story, paired, lambda seats: "+/-" if (seats[0] + 1) // 2 == (here + 1) // 2 else "-/+")
    table = {row["id"]: row for row in story.get(f"{T}/standings/teams")["teams"]}
    winner, (free,) = (here + 1) // 2, {1, 2, 3} - {(p + 1) // 2 for p in seated}
    assert (table[winner]["points"], table[winner]["game_points"]) == (2, of_forfeit)
    assert (table[free]["points"], table[free]["game_points"]) == (2, of_bye)
    (shown,) = story.get(f"{T}/standings/teams/{winner}")["matches"]
    assert (shown["kind"], shown["game_points"]) == ("forfeit", of_forfeit)
