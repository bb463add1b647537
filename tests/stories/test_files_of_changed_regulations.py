"""What is taken home as a file says which regulations it was played under, and how much was changed in them."""

import csv
from io import StringIO

import pytest

from shared.trf.reader import read
from tests.stories.conftest import Story, T
from tests.stories.readings import announced, played

HALLS = ("embedded",)

LIMIT, HALL = "game.xiangqi.natural_limit_rounds", "rulebook.lateness.limit"


@pytest.fixture
def cup(story: Story) -> Story:
    """An event under two changes of the organiser's, with a game on its board and another that is over."""
    announced(story, "xiangqi-1999", {LIMIT: 40, HALL: 600})
    played(story, "1-2 1-0", "3-4 *")
    return story


@pytest.mark.parametrize("edition", ["16", "26"])
def test_the_report_file_names_them_as_a_comment_that_is_read_and_kept(cup: Story, edition: str):
    file = cup.get(f"{T}/trf?edition={edition}", Accept="text/plain")
    assert "\n### regulations: xiangqi-1999, 2 changes\n" in file
    again = read(file.encode(), "cup.trf")
    assert [r.text for r in again.records if r.text.startswith("### regulations")] == [
        "### regulations: xiangqi-1999, 2 changes"
    ]


def test_the_table_for_spreadsheets_names_them_in_its_last_column(cup: Story):
    head, *rows = csv.reader(StringIO(cup.get(f"{T}/standings", Accept="text/csv")))
    assert head[-1] == "regulations"
    assert {row[-1] for row in rows} == {"xiangqi-1999, 2 changes"}


def test_a_game_as_pgn_names_them_in_a_tag(cup: Story):
    cup.tell("/v1/games/T.1.2/moves", {"ply": 1, "moves": ["炮二平五"]}, "arbiter")
    pgn = cup.get("/v1/games/T.1.2/sheet", Accept="application/x-chess-pgn")
    assert '\n[Regulations "xiangqi-1999, 2 changes"]\n' in pgn


def test_a_game_as_sgf_names_them_beside_the_rules(story: Story):
    announced(story, "go-campus", {"game.go.size": 13}, game="go")
    story.paired([1, 2], [3, 4])
    story.tell("/v1/games/T.1.1/moves", {"ply": 1, "moves": ["D4"]}, "arbiter")
    assert "GC[Regulations: go-campus, 1 change]" in story.get("/v1/games/T.1.1/sheet", Accept="application/x-go-sgf")


def test_what_was_changed_by_nobody_is_the_name_alone(story: Story):
    announced(story, "xiangqi-1999", {})
    assert "\n### regulations: xiangqi-1999\n" in story.get(f"{T}/trf", Accept="text/plain")
