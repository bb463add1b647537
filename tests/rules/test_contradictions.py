"""The contradictions of the texts: each has a value that settles it, and readings of different sources."""

import pytest

from deploy.build.contradictions_build import CHINESE_PAGE, PAGE, chinese_page, page
from shared.regulations import load, names
from shared.regulations.changeable import changeable
from shared.regulations.contradictions import Contradiction, contradictions, settlements

ALL = [pytest.param(one, id=str(one.number)) for one in contradictions()]


def test_there_are_thirty_by_their_numbers() -> None:
    assert [one.number for one in contradictions()] == [*range(1, 31)]
    assert all(one.paths for one in contradictions())


@pytest.mark.parametrize("contradiction", ALL)
def test_a_value_that_settles_a_contradiction_has_two_readings_of_two_sources(contradiction: Contradiction) -> None:
    for path in contradiction.paths:
        readings = changeable()[path].readings
        assert len({one.value for one in readings}) > 1 and len({one.source for one in readings}) > 1, path


@pytest.mark.parametrize("contradiction", ALL)
@pytest.mark.parametrize("name", names())
def test_a_set_that_has_the_value_names_both_readings_and_takes_one(contradiction: Contradiction, name: str) -> None:
    for settled in settlements(contradiction, load(name)):
        assert len(settled.readings) > 1
        row = changeable()[settled.path]
        assert len({one.value for one in settled.taken}) == 1 or row.least is not None or row.choices, settled.path


@pytest.mark.parametrize("contradiction", ALL)
def test_some_set_has_a_value_that_settles_it(contradiction: Contradiction) -> None:
    assert any(settlements(contradiction, load(name)) for name in names())


def test_the_page_is_that_of_the_files() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make docs`: readings have changed"
    assert CHINESE_PAGE.read_text(encoding="utf-8") == chinese_page(), "run `make docs`: words have changed"
