"""What counts in a table where the texts have two readings, each chosen by a change (rules.md 21, 23; 002-X 15, 18.4)."""

from typing import Any

import pytest

from tests.rows.marks import plays
from tests.stories.conftest import Story, T
from tests.stories.readings import WARNED, announced, four_teams, parts, played, ranks, reading, results, values

HALLS = ("embedded",)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        reading("ranking.encounter", "next", {4: 1, 1: 2, 2: 3, 3: 4}),
        reading("ranking.encounter", "shared", {4: 1, 1: 2, 2: 2, 3: 4}),
    ],
)
def test_equals_who_drew_with_each_other_are_parted_by_their_wins_or_share_the_place(
    story: Story, changes: Any, expected: Any
) -> None:
    # 000-A 破同分 3 and 4: 1 and 2 have met and drawn, and only 1 has won a game
    announced(story, "campus", changes, tiebreaks=["DE/A", "WIN"])
    played(story, "1-2 1/2-1/2", "3-4 0-1")
    played(story, "1-3 1-0", "2-4 1/2-1/2")
    played(story, "4-1 1-0", "2-3 1/2-1/2")
    assert (story.points()[1], story.points()[2]) == (1.5, 1.5)
    assert (values(story, "DE/A")[1], values(story, "DE/A")[2], values(story, "WIN")[1]) == (1, 1, 1)
    assert ranks(story) == expected


@pytest.mark.parametrize("changes", [reading("ranking.encounter", "shared")])
def test_equals_who_have_not_met_are_parted_by_their_wins_in_either_reading(story: Story, changes: Any) -> None:
    # 000-A 破同分 4: 如棋手没有彼此相遇过
    announced(story, "campus", changes, tiebreaks=["DE/A", "WIN"])
    played(story, "1-2 1-0", "3-4 1/2-1/2")
    played(story, "1-4 0-1", "3-2 1/2-1/2")
    assert (story.points()[1], story.points()[3]) == (1.0, 1.0)
    assert ranks(story) == {4: 1, 1: 2, 3: 3, 2: 4}


@pytest.mark.parametrize(
    ("changes", "of_three", "explained", "first"),
    [
        reading("ranking.unmet", "c07", 0.5, [(1, None)], 3),
        reading("ranking.unmet", "nothing", 0, [], 1),
    ],
)
def test_a_bye_gives_the_points_of_a_dummy_or_nothing(
    story: Story, changes: Any, of_three: float, explained: Any, first: int
) -> None:
    # 000-A 破同分 1: 所遇每个对手的积分; C.07 16.4
    announced(story, "campus", changes, players=3)
    played(story, "1-2 1-0", bye=3)
    assert values(story, "BH") == {1: 0, 2: 1, 3: of_three}
    assert parts(story, 3, "BH") == explained
    assert story.get(f"{T}/standings")["players"][0]["id"] == first


@pytest.mark.parametrize(
    ("changes", "expected"), [reading("ranking.unmet", "c07", 1.5), reading("ranking.unmet", "nothing", 1)]
)
def test_an_opponent_gives_the_points_that_he_has_or_those_that_c07_adjusts(
    story: Story, changes: Any, expected: float
) -> None:
    # C.07 16.3: a bye asked for, with nothing played after it, counts as a draw
    announced(story, "campus", changes)
    story.tell(f"{T}/byes", {"player": 1, "round": 2, "kind": "Z"})
    played(story, "1-2 1-0", "3-4 1/2-1/2")
    played(story, "3-2 1-0", bye=4)
    assert values(story, "BH")[2] == expected + story.points()[3]


@pytest.mark.parametrize(
    ("changes", "wins", "explained"),
    [
        reading("ranking.bye_wins", True, {3: 1, 1: 1}, [(1, None)]),
        reading("ranking.bye_wins", False, {3: 0, 1: 1}, [(1, "no game won: bye")]),
        reading("ranking.forfeit_wins", True, {3: 0, 1: 1}, [(1, "no game won: bye")]),
        reading("ranking.forfeit_wins", False, {3: 0, 1: 0}, [(1, "no game won: bye")]),
    ],
)
def test_a_bye_and_a_game_that_is_won_by_forfeit_count_as_wins_where_the_regulations_say_so(
    story: Story, changes: Any, wins: dict[int, int], explained: Any
) -> None:
    # 002-X 15.2: 胜局; 000-A 破同分 4: 胜棋数
    announced(story, "xiangqi-1999", changes, players=3)
    played(story, "1-2 +/-", bye=3)
    assert story.points() == {1: 1.0, 2: 0.0, 3: 1.0}
    assert {player: values(story, "WIN")[player] for player in wins} == wins
    assert parts(story, 3, "WIN") == explained


@plays("ranking.bye_wins", True)
@plays("ranking.forfeit_wins", True)
def test_by_fide_both_are_wins(story: Story) -> None:
    # C.07 7.1
    announced(story, "fide-2026", {}, players=3, game="chess")
    played(story, "1-2 +/-", bye=3)
    assert values(story, "WIN") == {1: 1, 2: 0, 3: 1}


@pytest.mark.parametrize(
    ("changes", "sums", "order"),
    [
        reading("ranking.shared_place", "first", {1: 7, 2: 4, 3: 4}, {1: 3, 2: 1, 3: 1}),
        reading("ranking.shared_place", "counted", {1: 4, 2: 4, 3: 4}, {1: 1, 2: 2, 3: 2}),
        reading("ranking.shared_place", "mean", {1: 7, 2: 7, 3: 7}, {1: 1, 2: 2, 3: 2}),
    ],
)
def test_a_place_that_members_share_has_one_of_three_numbers_in_the_sum(
    story: Story, changes: Any, sums: Any, order: Any
) -> None:
    # K6, 002-X 15.5: four share the second place, and the next is the sixth; where sums are equal the best place parts
    team = {"kind": "members", "boards": 2, "substitutes": 0}
    announced(story, "xiangqi-1999", changes, 6, rounds=1, conditions={"team": team}, tiebreaks=["FOULS"])
    members = {"甲队": [1, 5], "乙队": [2, 3], "丙队": [4, 6]}
    story.tell(f"{T}/teams", {"teams": [{"name": name, "members": two} for name, two in members.items()]})
    played(story, "1-5 1-0", "2-3 1/2-1/2", "4-6 1/2-1/2")
    assert ranks(story) == {1: 1, 2: 2, 3: 2, 4: 2, 6: 2, 5: 6}
    table = story.get(f"{T}/standings/teams")["teams"]
    assert {row["id"]: row["places"] for row in table} == sums
    assert {row["id"]: row["rank"] for row in table} == order


# ---------------------------------------------------------------- 23: 002-X 18.4


@pytest.mark.parametrize(
    ("changes", "order"),
    [
        reading("ranking.discipline.ranks", True, ["BARRED", "WARNED", "WON", "PO"]),
        reading("ranking.discipline.ranks", False, ["WON", "PO"]),
    ],
)
def test_who_was_warned_stands_last_among_equals_or_not(story: Story, changes: Any, order: list[str]) -> None:
    announced(story, "xiangqi-1999", changes, tiebreaks=["WON"])
    played(story, "1-2 1-0", "3-4 +/-")
    story.tell(f"{T}/rulings", WARNED | {"player": 1}, "arbiter")
    assert story.get(f"{T}/standings")["tiebreaks"] == story.get(T)["tiebreaks"] == order
    first = 3 if "WARNED" in order else 1
    assert story.get(f"{T}/standings")["players"][0]["id"] == first


def test_a_set_without_the_article_ranks_nobody_by_a_warning(story: Story) -> None:
    announced(story, "campus", {}, tiebreaks=["WON"])
    played(story, "1-2 1-0", "3-4 +/-")
    assert story.get(f"{T}/standings")["tiebreaks"] == ["WON"]
    refused = story.ask(
        "POST",
        f"{T}/regulations",
        {"regulations": "campus", "changes": {"ranking.discipline.ranks": True}, "reason": "as of 1999"},
        "organiser",
    ).get_json()
    assert refused["errors"]["changes"] == {"ranking.discipline.ranks": ["campus has no such value"]}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        reading("ranking.discipline.equally_punished", "next", {1: 2, 3: 3}),
        reading("ranking.discipline.equally_punished", "shared", {1: 2, 3: 2}),
    ],
)
def test_those_equally_punished_are_parted_by_the_tie_breaks_or_share_their_place(
    story: Story, changes: Any, expected: Any
) -> None:
    announced(story, "xiangqi-1999", changes, 6, tiebreaks=["WON", "DE/A"])
    played(story, "1-2 1-0", "3-4 +/-", "5-6 +/-")
    for player in (1, 3):
        story.tell(f"{T}/rulings", WARNED | {"player": player}, "arbiter")
    told = ranks(story)
    assert (told[5], {p: told[p] for p in expected}) == (1, expected)
    # nothing but the punishment that is another parts them
    story.tell(f"{T}/rulings", WARNED | {"player": 1}, "arbiter")
    assert (ranks(story)[3], ranks(story)[1]) == (2, 3)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        reading("ranking.discipline.of_members", True, [(2, 1), (1, 2)]),
        reading("ranking.discipline.of_members", False, [(1, 1), (2, 1)]),
    ],
)
def test_a_warning_of_a_member_is_the_teams_or_not(story: Story, changes: Any, expected: Any) -> None:
    # 18.4: 人(队)
    four_teams(story, changes)
    results(story, story.tell(f"{T}/rounds"), lambda seats: "1-0" if seats[0] < seats[1] else "0-1")
    story.tell(f"{T}/rulings", WARNED | {"player": 1}, "arbiter")
    table = story.get(f"{T}/standings/teams")["teams"]
    assert [(row["id"], row["rank"]) for row in table][:2] == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        reading("ranking.discipline.equally_punished", "next", [1, 2]),
        reading("ranking.discipline.equally_punished", "shared", [1, 1]),
    ],
)
def test_teams_equally_punished_are_parted_by_the_tie_breaks_or_share_their_place(
    story: Story, changes: Any, expected: Any
) -> None:
    four_teams(story, changes)
    # both of the first two teams win their match, one of them by fewer games
    results(story, story.tell(f"{T}/rounds"), lambda seats: _lower(seats, drawn=(2,)))
    for player in (1, 3):
        story.tell(f"{T}/rulings", WARNED | {"player": player}, "arbiter")
    table = story.get(f"{T}/standings/teams")["teams"]
    ranked = {row["game_points"]: row["rank"] for row in table if row["points"] == 2}
    assert ranked == dict(zip((2, 1.5), expected, strict=True))


def _lower(seats: tuple[int, int], drawn: tuple[int, ...]) -> str:
    """The lower number wins, but for games of these players, which are drawn."""
    return "1/2-1/2" if set(drawn) & set(seats) else "1-0" if seats[0] < seats[1] else "0-1"


@pytest.mark.parametrize(
    ("changes", "first"),
    [reading("ranking.discipline.of_members", True, 2), reading("ranking.discipline.of_members", False, 1)],
)
def test_a_members_warning_parts_teams_of_one_sum_of_places_or_not(story: Story, changes: Any, first: int) -> None:
    # 002-X 12.5, 15.5, 18.4: places 1 and 4 against 2 and 3, and the fourth was warned
    team = {"kind": "members", "boards": 2, "substitutes": 0}
    announced(story, "xiangqi-1999", changes, rounds=1, conditions={"team": team}, tiebreaks=["FOULS"])
    story.tell(f"{T}/teams", {"teams": [{"name": "甲队", "members": [1, 4]}, {"name": "乙队", "members": [2, 3]}]})
    played(story, "1-4 1-0", "2-3 1-0")
    story.foul(2)
    story.tell(f"{T}/rulings", WARNED | {"player": 4}, "arbiter")
    assert ranks(story) == {1: 1, 2: 2, 3: 3, 4: 4}
    table = story.get(f"{T}/standings/teams")["teams"]
    assert [row["places"] for row in table] == [5, 5]
    assert [row["rank"] for row in table] == [1, 2]
    assert table[0]["id"] == first


@pytest.mark.parametrize(
    ("changes", "progress", "counted", "words"),
    [
        reading("ranking.progressive_deductions", "not_counted", {1: 6, 2: 3}, {}, "without the points"),
        reading("ranking.progressive_deductions", "counted", {1: 4, 2: 3}, {2, 3}, "from their round on"),
    ],
)
def test_a_deduction_counts_from_its_round_on_in_the_progressive_score_or_not(
    story: Story, changes: Any, progress: dict[int, float], counted: Any, words: str
) -> None:
    # 000-A 破同分 2: 每轮的比赛积分; C.07 7.5
    announced(story, "campus", changes)
    played(story, "1-2 1-0", "3-4 1-0")
    played(story, "1-3 1-0", "2-4 1-0")
    played(story, "4-1 0-1", "3-2 0-1")
    effect = {"kind": "adjust_points", "points": -1}
    deducted = {"player": 1, "round": 2, "infraction": "grave_misconduct", "effect": effect}
    made = story.tell(f"{T}/rulings", deducted, "organiser")["ruling"]
    assert story.points()[1] == 2.0
    seq = story.seq
    assert {player: values(story, "PS")[player] for player in progress} == progress
    shown = {row["name"]: row for row in story.get(f"{T}/standings/1")["tiebreaks"]}["PS"]
    assert {part["round"] for part in shown["parts"] if seq in part["events"]} == set(counted)
    assert words in shown["counts"] and words in story.get("/t/T/players/1")
    story.annul(made)
    assert values(story, "PS")[1] == 6
