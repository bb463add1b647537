"""What the rounds of a knock-out are called is told in the reader's language."""

import pytest

from services.standings.descriptions.words import stage_name
from shared.core.rounds.bracket_plan import round_name


@pytest.mark.parametrize("name", ["preliminary", *(round_name(2**n, byes=False) for n in range(1, 7))])
def test_every_round_of_a_bracket_has_words_of_its_own(name: str):
    assert str(stage_name(name)) == name
    assert stage_name(name).text != stage_name("of our own").text


def test_a_stage_that_was_announced_by_a_name_keeps_it():
    assert str(stage_name("last of all")) == "last of all"
