"""An accelerated Swiss (C.04.7): paired by virtual points, which give nothing in the table."""

from typing import Any

import pytest

from tests.stories.conftest import Story, T

HALLS = ("embedded",)
"""Pairing alone knows virtual points; results reach it over the log that lags in `test_formats`."""

UPPER_HALF = [{"player": n, "first": 1, "last": 2, "points": 1} for n in (1, 2, 3, 4)]


def met(paired: Any) -> list[tuple[int, int]]:
    return sorted((min(b["white"], b["black"]), max(b["white"], b["black"])) for b in paired["boards"])


def given(story: Story, rows: Any) -> None:
    story.tell(f"{T}/virtual-points", {"given": rows, "reason": "Baku"})


def test_who_has_virtual_points_meets_each_other_and_has_no_more_points_in_the_table(story: Story) -> None:
    # given eight players, the upper half of whom is paired with a point more in two rounds
    story.announced(players=8, game="chess", regulations="fide-2026")
    given(story, UPPER_HALF)

    # then the halves play apart, and the second round is by points won and virtual ones
    assert met(story.paired()) == [(1, 3), (2, 4), (5, 7), (6, 8)]
    story.report("1-0", "1-0", "1-0", "1-0")
    table = story.points()
    winners = [p for p, points in table.items() if points]
    assert sorted(table.values()) == [0, 0, 0, 0, 1, 1, 1, 1]
    second = met(story.paired())
    assert (min(winners), sorted(winners)[1]) in second, "2 points: 1 won, 1 virtual"
    below = [p for p in winners if p > 4]
    assert not any(set(below) == set(pair) for pair in second), "1 point won meets who has 1 virtual"

    # and the report file says them, by either edition
    assert [x for x in story.get(f"{T}/trf").splitlines() if x.startswith("XXA")] == [
        f"XXA    {n}  1.0  1.0" for n in (1, 2, 3, 4)
    ]
    assert "250       1.0   1   2    1    4" in story.get(f"{T}/trf?edition=26").splitlines()
    assert story.get(f"{T}/audit")["verdict"] == "agrees"


def test_who_is_given_nothing_is_not_accelerated_any_more(story: Story) -> None:
    story.announced(players=8, game="chess", regulations="fide-2026")
    given(story, UPPER_HALF)
    given(story, [{"player": 1, "first": 1, "last": 1, "points": 0}])
    assert met(story.paired()) == [(1, 5), (2, 6), (3, 7), (4, 8)]


def test_records_that_were_kept_of_a_file_give_way_to_the_virtual_points_of_the_log(story: Story) -> None:
    story.announced(players=8, game="chess", regulations="fide-2026")
    story.tell(f"{T}/report-file", {"records": [{"line": "XXA    1   1.0  1.0"}, {"line": "102 Nora"}]})
    given(story, [{"player": 1, "first": 1, "last": 2, "points": 1}])
    assert "XXA    1   1.0  1.0" in story.get(f"{T}/trf").splitlines(), "it says the same"
    given(story, [{"player": 2, "first": 1, "last": 1, "points": 0.5}])
    assert [x for x in story.get(f"{T}/trf").splitlines() if x.startswith("XXA")] == ["XXA    2  0.5"]


@pytest.mark.parametrize(
    ("rows", "refused"),
    [
        ([{"player": 9, "first": 1, "last": 2, "points": 1}], (404, "unknown-player")),
        ([{"player": 1, "first": 2, "last": 1, "points": 1}], (422, "rounds-reversed")),
        ([*UPPER_HALF, {"player": 1, "first": 2, "last": 3, "points": 1}], (422, "points-twice")),
        ([{"player": 1, "first": 1, "last": 2, "points": 0.3}], (422, "bad-fields")),
        ([], (422, "bad-fields")),
    ],
)
def test_what_makes_no_acceleration_is_refused(story: Story, rows: Any, refused: tuple[int, str]) -> None:
    story.announced(players=4, game="chess", regulations="fide-2026")
    assert story.refused(f"{T}/virtual-points", {"given": rows}) == refused


def test_only_the_dutch_system_is_accelerated(story: Story) -> None:
    story.announced(players=4)
    assert story.refused(f"{T}/virtual-points", {"given": UPPER_HALF}) == (409, "not-accelerated")
