"""What the rounds of a knock-out are called is told in the reader's language."""

import pytest

from services.pairing.rules.formats.knockout import NAMES
from services.standings.descriptions.words import stage_name


@pytest.mark.parametrize("name", [*NAMES.values(), "preliminary", "last 16", "last 64"])
def test_every_round_of_a_bracket_has_words_of_its_own(name: str):
    assert str(stage_name(name)) == name
    assert stage_name(name).text != stage_name("of our own").text


def test_a_stage_that_was_announced_by_a_name_keeps_it():
    assert str(stage_name("last of all")) == "last of all"
