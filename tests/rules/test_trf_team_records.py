"""What the records of teams say wrongly is named with its line and column: nothing of it is passed over."""

import pytest

from shared.regulations import load
from shared.trf.comparison import differences
from shared.trf.teams.matches import matches
from tests.rules.test_trf import refused_at, trf
from tests.rules.test_trf_comparison import TEAMS, of_team

POINTS = load("fide-2026").points
TOLD = """802   1 A        5.0    5.5    2 w  1.5   ZPB    0.0   FPB    2.0     2 w  2.0f
802   2 B        3.0    3.0    1 b  0.5   HPB    1.0     3 w  1.5     1 b  0.0f
802   3 C        3.0    3.5   PAB    1.0   HPB    1.0     2 b  0.5   PAB    1.0
"""
FIRST = len(TEAMS.splitlines()) + 1
A, B, _ = TOLD.splitlines()


def told(text: str) -> list[tuple[int, int, str]]:
    return [(d.line, d.column, str(d.detail)) for d in differences(trf(text), POINTS)]


def test_records_802_that_are_what_the_teams_made_are_no_difference():
    assert told(TEAMS + TOLD) == []


@pytest.mark.parametrize(
    ("line", "column", "detail"),
    [
        (A.replace("  2 w  1.5 ", "  2 w  1.5f"), 32, "team 1 has 2 w 1.5f in round 1, but its results give 2 w 1.5"),
        (A.replace("2.0f", "2.0"), 71, "team 1 has 2 w 2.0 in round 4, but its results give 2 w 2.0f"),
        (A.replace("FPB", "QPB"), 56, "'QPB' is not a valid entry for a round of a team"),
        (A + "   junk", 83, "'junk' is not a valid entry for a round of a team"),
        (A + "   3 w  1.0", 83, "team 1 has 3 w 1.0 in round 5, but its results give ZPB 0.0"),
        (A[:67].rstrip(), 66, "team 1: the record has no entry for round 4, but its results give 2 w 2.0f"),
        (A.replace(" 5.0 ", " x.0 "), 18, "team 1 has 'x.0' match points, but its results give 5.0"),
        (A.replace(" 5.5 ", " 5.25"), 25, "team 1 has '5.25' game points, but its results give 5.5"),
        (A.replace("802   1", "802 777"), 5, "777 is not a team of the file; correct the number"),
        (A.replace("802   1", "802    "), 5, "the number of the team is missing"),
        (A.replace("802   1", "802  x1"), 5, "team 'x1' is not a number"),
        (B, 5, f"team 2 is already on line {FIRST + 1}"),
    ],
)
def test_what_a_record_802_says_otherwise_is_named_at_its_place(line, column, detail):
    at = FIRST + 3 if line == B else FIRST
    text = TEAMS + (TOLD + line if line == B else TOLD.replace(A, line))
    assert [d for d in told(text) if d[0] == at] == [(at, column, detail)]


@pytest.mark.parametrize(
    ("column", "field", "detail"),
    [
        (55, "   x.0", "team 1 has 'x.0' match points, but its results give 5.0"),
        (62, "  5.25", "team 1 has '5.25' game points, but its results give 5.5"),
        (69, " 1x", "team 1 has rank 1x, but with 5.0 points it must be from 1 to 1"),
    ],
)
def test_what_is_no_number_in_a_record_310_is_named(column, field, detail):
    row = of_team(1, "A", 5, 5.5, 1, 1, 2)
    text = TEAMS.replace(row, row[: column - 1] + field + row[column - 1 + len(field) :])
    assert told(text) == [(9, column, detail)]


def test_a_total_below_nothing_is_a_total():
    """Given a team that a penalty leaves with -1 match points, when its 801 says so, then it is as it is."""
    text = TEAMS.replace("299    -1.0   0.0   2    1", "299    -9.0   0.0   2    1")
    text = text.replace(of_team(1, "A", 5, 5.5, 1, 1, 2), of_team(1, "A", -3, 5.5, 3, 1, 2))
    text = text.replace("  2     3    4", "  1     3    4").replace("  2     5    6", "  1     5    6")
    line = "801   1 A     -3.0  5.5    2 w 1= 12    ZZ     FF    2 w ++ 12"
    assert told(text + line) == []


def test_byes_and_forfeits_that_games_or_each_other_contradict_are_named():
    found = [detail for _, _, detail in told(TEAMS + "240 F   1    1\n240 H   1    3\n330 +-   4   3   1\n")]
    assert "team 1 has games in round 1, so only these count" in found
    assert "team 3 already has a bye or a forfeit in round 1, on line 12" in found
    assert "team 1 already has a bye or a forfeit in round 4, on line 15" in found


def test_games_that_are_no_matches_are_named_where_totals_are_said():
    """Given a member who is in no team, when 310 says totals, then these were not compared: not in silence."""
    row = of_team(1, "A", 5, 5.5, 1, 1, 2)
    assert told(TEAMS.replace(row, row.removesuffix("    2"))) == [
        (2, 92, "player 2 must be in a team, but is not, so the points of teams are not compared")
    ]
    alone = [*TEAMS.splitlines()[:6], f"013 {'A':32s}    1"]
    assert told("\n".join(alone)) == [], "teams of an event of single players"


@pytest.mark.parametrize(
    ("record", "column", "detail"),
    [
        ("352 BW", 1, "record 352 is already on line 8"),
        ("362 TW 2.0   TD 1.0   TW 3.0", 23, "points for TW are given twice: remove one"),
        ("320  1.0  1.0   3", 1, "record 320 is already on line 12"),
        ("330 +-   1   1   1", 16, "team 1 against itself"),
        ("330 +-   1   1", 16, "the number of the team is missing"),
        ("330 +- 999   1   2", 8, "the round must be 1 to 100, not 999"),
        ("260   2   1    1    2", 9, "the last round, 1, lies before the first, 2"),
        ("250  2.0        1   2    1    9", 28, "9 is not a team of the file; correct the number"),
        ("250  x.0        1   2    1    2", 5, "points 'x.0' are not a number"),
        ("300   1   1   9    1", 13, "9 is not a team of the file; correct the number"),
        ("300   1   1   2    3", 20, "player 3 is not a member of team 1"),
        ("300 999   1   2    1", 5, "the round must be 1 to 100, not 999"),
    ],
)
def test_a_record_of_teams_that_cannot_be_is_refused_at_its_place(record, column, detail):
    refused_at(TEAMS + record + "\n", FIRST, column, detail)


LINEUPS = """001    1      A1                                2400                             1.0    1     5 w 1
001    2      A2                                2300                             0.0    4     6 b 0
001    3      A3                                2200                             0.0    4  0000 - Z
001    4      B1                                2100                             0.0    4  0000 - Z
001    5      B2                                2000                             0.0    4     1 b 0
001    6      B3                                1900                             1.0    1     2 w 1
352 BW
{a}
{b}
""".format(a=of_team(1, "A", 1, 1, 1, 1, 2, 3), b=of_team(2, "B", 1, 1, 1, 4, 5, 6))
SEATS = "801   1 A      1.0  1.0    2 b 01 21\n"


@pytest.mark.parametrize("seats", [SEATS, "300   1   1   2    2    1\n", "300   1   2   1    6    5\n"])
def test_boards_are_those_of_the_line_up_that_the_file_tells(seats):
    """Given a line-up that is not in the order of the members, when 801 or 300 tells it, then so are the boards."""

    def order(text: str) -> list[int]:
        held = matches(trf(text), 1)
        assert held is not None
        return [white.id for games in held.values() for white, _ in games]

    assert order(LINEUPS) == [1, 6]
    assert order(LINEUPS + seats) == [6, 1]
    assert told(LINEUPS + seats) == []
    said = [d for _, _, d in told(LINEUPS + seats + "802   1 A      1.0    1.0    2 w  1.0\n")]
    assert said == ["team 1 has 2 w 1.0 in round 1, but its results give 2 b 1.0"]


def test_a_first_board_that_nobody_sat_at_has_its_colour_by_the_pattern():
    """Given a line-up that begins with nobody, when the second board is black's, then the first is white's."""
    text = LINEUPS.replace("352 BW", "352 WB").replace("     6 b 0", "  0000 - Z").replace("     2 w 1", "  0000 - +")
    text = text.replace("     5 w 1", "     5 b 1").replace("     1 b 0", "     1 w 0")
    seats = "300   1   1   2    0    1\n"
    assert told(text + seats + "802   1 A      1.0    1.0    2 w  1.0\n") == []


def test_a_record_299_that_is_not_counted_is_named():
    """Given points of an outcome of a team, or of nobody; then who compares totals knows what they are without."""
    assert told(TEAMS + "299 W   2.0   2.0   1    1\n299 -   0.0   1.5\n") == [
        (FIRST, 5, "record 299 'W' of teams was not counted"),
        (FIRST + 1, 1, "record 299 was not counted, because it does not state a player or team"),
    ]


def test_a_match_of_more_games_than_352_has_boards_is_named():
    assert (8, 5, "teams 1 and 2 have 2 games in round 1, on 1 boards") in told(TEAMS.replace("352 WB", "352 W"))


def test_a_line_up_that_stands_twice_is_refused():
    """Given two records 300 of one team in a round, equal or not, then which of both holds is not known."""
    for players in ("   2    1", "   1    2"):
        text = LINEUPS + "300   1   1   2    2    1\n" + f"300   1   1   2 {players}\n"
        refused_at(text, 11, 5, "the line-up of team 1 in round 1 is already on line 10")


@pytest.mark.parametrize(
    ("records", "found"),
    [
        (SEATS + "300   1   1   2    2    1\n", []),
        (
            SEATS + "300   1   1   2    1    2\n",
            [(11, 20, "team 1 has 1 at board 1 in round 1, but 2 by its record 801 (line 10)")],
        ),
        (
            "300   1   1   2    1    2\n" + SEATS,
            [(10, 20, "team 1 has 1 at board 1 in round 1, but 2 by its record 801 (line 11)")],
        ),
        (
            SEATS + "300   1   1   2    2\n",
            [(11, 21, "team 1 has nobody at board 2 in round 1, but 1 by its record 801 (line 10)")],
        ),
        ("362 TW 2.0   TX 5.0\n", [(10, 14, "points for TX are not counted")]),
    ],
)
def test_boards_and_points_that_two_places_tell_otherwise_are_named(records, found):
    assert told(LINEUPS + records) == found


def test_another_number_of_boards_than_the_matches_have_is_named():
    assert told(LINEUPS) == []
    assert (7, 5, "the file states 3 boards, but the matches have 2") in told(LINEUPS.replace("352 BW", "352 BWB"))
