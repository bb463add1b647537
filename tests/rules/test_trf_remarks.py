"""Contradictory and unknown words of a report file: used, or named at their place; and the fault that comes first."""

import pytest

from deploy.imports import remarks
from services.pairing.rules.engines.fide_dutch import pair_next
from services.standings.files.trf.to_events import tournament_of
from shared.core.terms import Refusal
from shared.regulations import load
from shared.trf.comparison import differences
from shared.trf.model.columns import TrfError
from tests.rules.test_trf import THREE_ROUNDS, line_of, trf

POINTS = load("fide-2026").points
REMARKS = [
    ("XXC blue1", "9:5: the word 'blue1' is not used; known words: white1, black1, rank"),
    ("162  X 3.0", "9:6: the points of X, a result that is not known yet, are not used"),
    ("142 9", "9:1: record 142 states 9, but line 6 (XXR) states 5; 9 is used"),
    ("XXR 9", "9:1: record XXR states 9, but line 6 (XXR) states 5; 9 is used"),
    ("152 W", "9:1: record 152 states white, but line 7 (XXC) states black; white is used"),
    ("XXC white1", "9:1: record XXC states white, but line 7 (XXC) states black; white is used"),
    ("012 Other Open", "9:1: record 012 states Other Open, but line 1 (012) states Harbour Open; Other Open is used"),
    ("042 2026\n042 2027", "10:1: record 042 states 2027, but line 9 (042) states 2026; 2027 is used"),
    ("192 FIDE_DUTCH\n192 OTHER", "10:1: record 192 states OTHER, but line 9 (192) states FIDE_DUTCH; OTHER is used"),
    ("212 PTS,BH\n212 PTS,SB", "10:1: record 212 states PTS,SB, but line 9 (212) states PTS,BH; PTS,SB is used"),
    ("162 W 3.0\nXXS W=2", "10:1: record XXS states WW 2.0, but line 9 (162) states WW 3.0; WW 2.0 is used"),
    ("XXS W=3\nBBW 2.0", "10:1: record BBW states WW 2.0, but line 9 (XXS) states WW 3.0; WW 2.0 is used"),
]  # fmt: skip


@pytest.mark.parametrize(("records", "remark"), REMARKS, ids=[records for records, _ in REMARKS])
def test_unused_or_contradictory_record_is_named_at_its_place(records: str, remark: str):
    assert [str(one) for one in remarks.on_records(trf(f"{THREE_ROUNDS}{records}\n"))] == [f"open.trf:{remark}"]


AGREEING = [
    "152 B",
    "XXR 5",
    "142 5",
    "XXC rank",
    "XXC rank, black1",
    "XXS W=3\nXXS WW=2",
    "162 W 3.0\nXXS FW=2",
    "202 BH\n212 SB",
]


@pytest.mark.parametrize("records", AGREEING)
def test_records_that_agree_get_no_remark(records: str):
    assert not [*remarks.on_records(trf(f"{THREE_ROUNDS}{records}\n"))]


@pytest.mark.parametrize(
    ("record", "column", "detail"),
    [
        ("240 F   3    1", 14, "record 240 gives player 1 the bye F in round 3, but the player's line has the bye H"),
        ("240 H   2    3    1", 14, "record 240 gives player 3 the bye H in round 2, but the player's line has a game"),
    ],
)
def test_bye_of_240_beside_another_entry_is_a_difference(record: str, column: int, detail: str):
    found = [d for d in differences(trf(f"{THREE_ROUNDS}{record}\n"), POINTS) if d.line == 9]
    assert (found[0].column, str(found[0].detail)) == (column, detail)


def test_bye_of_240_that_the_line_has_is_no_difference():
    assert not [d for d in differences(trf(f"{THREE_ROUNDS}240 H   3    1    3\n"), POINTS) if d.line == 9]


ORDERED = "\n".join(["XXR 4", "XXC {words}", *(line_of(n, "") for n in (3, 1, 4, 2, 6, 5))])


@pytest.mark.parametrize(
    ("words", "pairs"),
    [("white1", [(1, 4), (5, 2), (3, 6)]), ("rank white1", [(3, 2), (6, 1), (4, 5)]), ("black1 rank", [(2, 3), (1, 6), (5, 4)])],
)  # fmt: skip
def test_rank_numbers_the_players_by_their_lines(words: str, pairs: list[tuple[int, int]]):
    """The second pairing is that of bbpPairings 6.0."""
    file = trf(ORDERED.format(words=words))
    paired = pair_next(tournament_of(file, rounds=4), 1, initial=file.settings.initial_colour)
    assert not isinstance(paired, Refusal)
    assert [(board.white, board.black) for board in paired[0]] == pairs


DISAGREES = "round 1: 1 won against 2, who has '='"
FIRST_FAULTS = [
    ("XXR many\n" + line_of(0, ""), 1, "number of rounds 'many' is not a number"),
    (line_of(1, "     2 w 1") + "\n" + line_of(2, "     1 b =") + "\n" + line_of(0, ""), 1, DISAGREES),
    (line_of(1, "     2 w 1") + "\n" + line_of(2, "     1 b 0") + "\n" + line_of(0, ""), 3, "the starting number is missing"),
    (line_of(1, "     2 w 1") + "\nXXP 1 9\n" + line_of(2, "     1 b ="), 1, DISAGREES),
    (line_of(1, "") + "\nXXP 1 9\n" + line_of(1, ""), 2, "9 is not a player of the file; correct the number"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "detail"), FIRST_FAULTS, ids=[d for *_, d in FIRST_FAULTS])
def test_the_fault_that_comes_first_in_the_file_is_reported(text: str, line: int, detail: str):
    with pytest.raises(TrfError) as refused:
        trf(text)
    assert (refused.value.line, str(refused.value.detail)) == (line, detail)


@pytest.mark.parametrize("line", ["001    1 A    2000 5.0 1 2 w 1", "001    1      A    2000 5.0 1 2 w 1"])
def test_values_that_are_separated_by_blanks_alone_are_no_name(line: str):
    name = line[14:].strip()
    with pytest.raises(TrfError) as refused:
        trf(line)
    assert str(refused.value) == (
        f"open.trf:1:15: '{name}' is read as the name, and the columns after it are empty: put each value into the columns"
        " of its field"
    )


def test_name_with_a_number_is_a_name():
    assert trf("001    1      Team 2 Player 1").players[0].name == "Team 2 Player 1"
