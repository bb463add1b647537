"""Every code and modifier of C.07, compared with the text itself; `make campaign NAME=tiebreaks` plays a thousand events."""

import re

import pytest

from services.standings.rules.teams.tiebreaks import TEAM_TIEBREAKS
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from tests.tiebreaks.compare import ENCOUNTERS, OF_PLAYERS, OF_TEAMS, TEAM_ORDERS, differences

BY_RATINGS = ("ARO", "TPR", "PTP")
"""Codes that are compared in events of players only."""


def test_every_code_of_c07_is_compared() -> None:
    players, teams = (*OF_PLAYERS, *ENCOUNTERS), (*OF_TEAMS, *TEAM_ORDERS, *BY_RATINGS)
    for known, compared in ((TIEBREAKS, players), (TEAM_TIEBREAKS, teams)):
        of_c07 = {row.base for row in known.rows if row.article.startswith("C.07")}
        assert of_c07 - {re.split("[:/]", code)[0] for code in compared} == set()


@pytest.mark.parametrize("block", range(10))
def test_no_value_and_no_order_differs_from_the_text_of_c07(block: int) -> None:
    assert list(differences(range(6 * block, 6 * (block + 1)))) == []
