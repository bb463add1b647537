"""What a file says of its own size is held against its lines: players, rated players, teams, rounds."""

import pytest

from tests.rules.test_trf import THREE_ROUNDS
from tests.rules.test_trf_comparison import TEAMS
from tests.rules.test_trf_team_records import told

FIRST = len(TEAMS.splitlines()) + 1


@pytest.mark.parametrize(
    ("record", "column", "detail"),
    [
        ("082 4", 5, "the file states 4 teams, but has 3"),
        ("082   2", 7, "the file states 2 teams, but has 3"),
        ("082 three", 5, "the file states 'three' teams, but has 3"),
        ("062 7", 5, "the file states 7 players, but has 6"),
        ("072 5 (4)", 5, "the file states 5 rated players, but has 6"),
        ("142 3", 5, "the file states 3 rounds, but has 4"),
        (
            "299    -1.0   0.0   5    1",
            20,
            "record 299 was not counted, because it is of round 5, but the file has only 4 rounds",
        ),
        (
            "299 W   2.0   2.0   9    1",
            20,
            "record 299 was not counted, because it is of round 9, but the file has only 4 rounds",
        ),
        (
            "299 W  2.0  2.0   9    1",
            17,
            "record 299 was not counted, because it is of round 9, but the file has only 4 rounds",
        ),
    ],
)
def test_a_size_that_the_file_does_not_have_is_named_at_its_place(record, column, detail):
    assert (FIRST, column, detail) in told(f"{TEAMS}{record}\n")


def test_sizes_that_the_file_has_are_no_difference():
    """Given counts with words behind the number, a blank one, and more rounds than are played yet; then nothing is said."""
    assert told(TEAMS + "062 6 (6 rated)\n072 6\n082 3\n082\n142 4\n142 9\n") == []


def test_a_file_of_single_players_is_held_against_its_counts_too():
    at = len(THREE_ROUNDS.splitlines()) + 1
    assert told(THREE_ROUNDS + "062 9\n082 2\n142 1\n299 W   0.0   2.0  99    1\n") == [
        (at, 5, "the file states 9 players, but has 4"),
        (at + 1, 5, "the file states 2 teams, but has 0"),
        (at + 2, 5, "the file states 1 rounds, but has 3"),
        (at + 3, 20, "record 299 was not counted, because it is of round 99, but the file has only 3 rounds"),
    ]


def test_a_record_299_that_stands_twice_is_named():
    """Given the same penalty on two lines, which is taken twice; then the second names the first."""
    again = "299    -1.0   0.0   2    1\n"
    assert (FIRST, 1, f"record 299 is already on line {FIRST - 1}") in told(TEAMS + again)
    assert not [d for *_, d in told(TEAMS + "299    -1.0   0.0   3    1\n") if "already" in d]


def test_a_number_of_thousands_of_digits_is_a_difference_too():
    """Given more digits than Python turns into a number, then the file is still read and the place named."""
    ((line, column, _),) = told(TEAMS + "062 " + "9" * 5000 + "\n")
    assert (line, column) == (FIRST, 5)
