"""Score sheets read beside a log that goes on: as they stood when the log had the lines that were read before them."""

import json

import pytest

from shared.desk.score_sheets import lines_until

GAMES, PAIRING = "/services/games", "/services/pairing"


def line(command: str, basis: int, *, source: str = GAMES, number: int = 1, official: int | None = None) -> bytes:
    """As much of a line as says where it stands."""
    said = {"source": source, "sourceseq": number, "basis": basis, "causationid": command}
    return json.dumps(said | ({} if official is None else {"official": official})).encode()


LOG = [line("a", 0, source=PAIRING), line("b", 1, number=1), line("c", 2, source=PAIRING, number=2)]
STANDING = [line("b", 1, official=0), line("d", 3, official=1)]


@pytest.mark.parametrize(
    ("later", "since"),
    [
        ([line("e", 4, official=1)], []),
        ([line("e", 3, official=2)], []),
        ([line("e", 3, official=1)], [line("e", 3, number=2)]),
        ([line("e", 3, official=1), line("e", 3, official=1), line("f", 5, official=2)], [line("e", 3, number=2)]),
    ],
    ids=["on a later line", "after a later line of games", "of a command that wrote a later line", "several"],
)
def test_what_was_written_since_the_log_was_read_is_left_to_the_next(later: list[bytes], since: list[bytes]):
    assert lines_until([*STANDING, *later], LOG, since) == STANDING


@pytest.mark.parametrize("forged", [line("e", 99, official=1), line("e", 3, official=99), b"{", b"\xff"])
def test_a_line_within_the_sheet_stays_whatever_it_says(forged: bytes):
    sheet = [STANDING[0], forged, STANDING[1]]
    assert lines_until(sheet, LOG, []) == sheet


def test_a_sheet_of_a_game_that_the_log_does_not_know_yet_is_no_sheet():
    assert lines_until([line("e", 7, official=1)], LOG, []) == []
