"""Entries that are corrected: what they say, the starting numbers that follow, and what was paired, which stays."""

from typing import Any

import pytest

from services.pairing.rules import commands as co
from shared.core.terms import PlayerId, TextRef
from tests.rules.pairing_story import ORGANISER, WHY, Office


def correction(player: int, number: int | None = None, **values: Any) -> co.CorrectEntry:
    return co.CorrectEntry(ORGANISER, PlayerId(player), values, WHY, number)


def numbers(office: Office) -> list[int]:
    """The entries, in the order of their starting numbers."""
    return sorted(office.t.players, key=lambda p: office.t.players[p].starting_number)


def test_what_is_corrected_is_otherwise_and_the_rest_stays():
    office = Office(4)
    before = office.t.players[PlayerId(2)]
    (line,) = office.do(correction(2, name=TextRef("c" * 64), federation="CHN"))
    after = office.t.players[PlayerId(2)]
    assert line.changed == ("name", "federation")
    assert after == before._replace(name=TextRef("c" * 64), federation="CHN", corrected=office.t.seq)
    assert after.lines == {before.seq, office.t.seq}


def test_before_the_first_pairing_the_starting_order_follows_a_rating():
    office = Office(4)
    assert numbers(office) == [1, 2, 3, 4]
    assert len(office.do(correction(4, rating=2385))) == 2
    assert numbers(office) == [1, 4, 2, 3]
    assert len(office.do(correction(3, rating=2371))) == 1, "the order is the same"


def test_an_order_that_is_not_of_strength_or_was_drawn_stays():
    office = Office(4)
    office.do(correction(4, 1, rating=2000))
    assert numbers(office) == [4, 1, 2, 3]
    office.do(correction(3, rating=2800))
    assert numbers(office) == [4, 1, 2, 3]
    drawn = Office(2)
    seed = next(s for s in range(1, 50) if _drawn_in_order(s))
    drawn.do(co.AssignNumbers(ORGANISER, seed=seed))
    drawn.do(correction(2, rating=2800))
    assert numbers(drawn) == [1, 2]


def _drawn_in_order(seed: int) -> bool:
    office = Office(2)
    office.do(co.AssignNumbers(ORGANISER, seed=seed))
    return numbers(office) == [1, 2]


def test_after_a_pairing_the_numbers_stay_unless_they_are_asked_for_and_no_round_is_paired_anew():
    office = Office(8)
    office.pair()
    paired = office.t.pairings[:]
    office.do(correction(8, rating=2900))
    assert numbers(office) == [1, 2, 3, 4, 5, 6, 7, 8]
    office.do(correction(8, 1))
    assert numbers(office) == [8, 1, 2, 3, 4, 5, 6, 7] and office.t.pairings == paired


def test_numbers_are_asked_for_until_round_4_is_paired_and_data_corrected_after_it():
    office = Office(8)
    for _ in range(4):
        office.pair()
        office.results("1-0", "=")
    assert office.refused(correction(3, 1)).code == "numbers-fixed"
    office.do(correction(3, 3, rating=2500))
    assert office.t.players[PlayerId(3)].rating == 2500 and numbers(office) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_a_number_beyond_all_is_given_and_the_others_stay():
    office = Office(4)
    office.do(correction(1, 40))
    assert numbers(office) == [2, 3, 4, 1] and office.t.players[PlayerId(1)].starting_number == 40


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (correction(9, rating=1), "unknown-player"),
        (correction(1), "nothing-corrected"),
        (correction(1, 1), "nothing-corrected"),
        (correction(1, rating=2390), "nothing-corrected"),
        (correction(1, 10_000), "invalid-number"),
        (correction(1, 0), "invalid-number"),
    ],
)
def test_a_wrong_correction_is_refused(command: co.CorrectEntry, code: str):
    assert Office(4).refused(command).code == code


def test_after_the_final_table_nothing_is_corrected():
    office = Office(4)
    office.close()
    assert office.refused(correction(1, rating=1)).code == "tournament-closed"
