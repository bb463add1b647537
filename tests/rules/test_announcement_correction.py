"""Corrections of an announcement: the values, the rounds to come, and the refusals."""

from typing import Any

import pytest

from services.pairing.rules import commands as co
from shared.core.events import TournamentCorrected
from tests.rules.pairing_story import ORGANISER, WHY, Office


def correction(**values: Any) -> co.CorrectTournament:
    return co.CorrectTournament(ORGANISER, TournamentCorrected(WHY, **values))


def test_corrected_values_replace_the_announced_ones_and_the_others_stay():
    office = Office(4)
    before = office.t.announced
    office.do(correction(name="Open", place="Room 2"))
    now = office.t.announced
    assert (now.name, now.place, now.game, now.rounds) == ("Open", "Room 2", before.game, before.rounds)
    office.do(correction(place=""))
    assert (office.t.announced.name, office.t.announced.place) == ("Open", "")


def test_rounds_to_come_are_corrected_but_not_below_the_rounds_paired():
    office = Office(8)
    for _ in range(2):
        office.pair()
        office.results("1-0", "=")
    assert office.refused(correction(rounds=1)).code == "round-paired"
    paired = office.t.pairings[:]
    office.do(correction(rounds=2))
    assert office.t.announced.rounds == 2 and office.t.pairings == paired
    office.do(correction(rounds=3))
    office.pair()
    assert office.t.rounds_paired() == 3


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"begins": "2026-03-09", "ends": "2026-03-08"}, "bad-days"),
        ({"begins": "soon"}, "bad-days"),
        ({"time_zone": "not a zone"}, "bad-time-zone"),
        ({"place": "x" * 300}, "bad-place"),
        ({"rounds": 0}, "round-paired"),
        ({}, "nothing-corrected"),
    ],
)
def test_wrong_correction_of_the_announcement_is_refused(values: dict[str, Any], code: str):
    assert Office(4).refused(correction(**values)).code == code


def test_nothing_announced_is_corrected_after_the_final_table():
    office = Office(4)
    office.close()
    assert office.refused(correction(name="Open")).code == "tournament-closed"
