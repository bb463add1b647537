"""What an organiser may set: every value by its path, within the bounds that its article gives."""

from typing import Any

import pytest

from shared.core.rulebook.regulations import Regulations, Value
from shared.regulations import load, names
from shared.regulations.changeable import Changeable, changeable, changeable_in, value_at
from shared.regulations.changes import BadChange, changed

WORTH = ("game.xiangqi.worth.advisor", "game.xiangqi.worth.elephant")
TOGETHER = {path: tuple(other for other in WORTH if other != path) for path in WORTH}
"""What must be chosen with a value: 002-X 25.3, 士相(象)相等."""
ROWS = [pytest.param(row, id=row.path) for row in changeable().values()]


@pytest.mark.parametrize("row", ROWS)
def test_a_row_names_its_article_and_a_value_that_some_set_has_within_its_bounds(row: Changeable) -> None:
    sets = [name for name in names() if value_at(load(name), row.path) is not None]
    assert sets and row.article
    assert all(row.takes(value_at(load(name), row.path)) for name in sets)


@pytest.mark.parametrize("row", ROWS)
def test_a_row_has_bounds_choices_or_two_readings_and_takes_each_of_its_readings(row: Changeable) -> None:
    assert row.least is not None or row.choices or row.members or len({r.value for r in row.readings}) > 1
    assert (row.least is None) == (row.most is None)
    assert all(row.takes(reading.value) for reading in row.readings)
    assert all(reading.source for reading in row.readings)


def _lacks(shipped: Regulations, path: str, value: Any) -> bool:
    """Whether the reading names games, or an infraction, that the set has not."""
    if path.endswith(".games"):
        return not set(value) <= set(shipped.game.rules)
    return path.endswith(".infraction") and value not in {row.name for row in shipped.rulebook.infractions}


@pytest.mark.parametrize("row", ROWS)
def test_every_reading_can_be_chosen_where_the_set_has_the_value(row: Changeable) -> None:
    for name in names():
        shipped = load(name)
        if value_at(shipped, row.path) is None:
            continue
        for reading in row.readings:
            chosen = dict.fromkeys((row.path, *TOGETHER.get(row.path, ())), reading.value)
            if _lacks(shipped, row.path, reading.value):
                with pytest.raises(BadChange, match=r"is not in the rulebook|the table game\."):
                    changed(shipped, chosen)
                continue
            other = changed(shipped, chosen)
            assert value_at(other, row.path) == reading.value
            expected = {} if value_at(shipped, row.path) == reading.value else chosen
            assert (other.changes, other.digest) == (expected, shipped.digest)


def test_a_value_that_no_row_names_is_not_the_organisers_to_set() -> None:
    with pytest.raises(
        BadChange,
        match=r"^pairing\.engine: the organiser cannot .*values that can be changed: .*natural_limit_rounds",
    ):
        changed(load("xiangqi-1999"), {"pairing.engine": "gacrux"})


def test_a_value_that_the_set_does_not_have_is_refused_by_its_name() -> None:
    with pytest.raises(BadChange, match=r"^game\.go\.size: xiangqi-1999 has no such value$"):
        changed(load("xiangqi-1999"), {"game.go.size": 13})


@pytest.mark.parametrize("value", [0, 61, True, "50", -1])
def test_a_value_outside_its_bounds_is_refused_with_bounds_and_article(value: object) -> None:
    with pytest.raises(BadChange, match=r"natural_limit_rounds: must be 1 to 60 rounds \(002-X 4\.2\.4.*酌减\)$"):
        changed(load("xiangqi-1999"), {"game.xiangqi.natural_limit_rounds": value})  # type: ignore[dict-item]


def test_a_reading_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(BadChange, match=r"opening: must be 寒星 or .* or 名月 or swap or agreed or free"):
        changed(load("renju"), {"game.renju.opening": "taraguchi"})
    with pytest.raises(BadChange, match=r"strictly: must be true or false"):
        changed(load("renju"), {"rulebook.lateness.strictly": 1})


def test_several_changes_stand_beside_one_another() -> None:
    changes = {"game.xiangqi.natural_limit_rounds": 50, "rulebook.lateness.limit": 600}
    other = changed(load("xiangqi-1999"), changes)
    assert (other.game.rules["xiangqi"].natural_limit_rounds, other.rulebook.lateness.limit) == (50, 600)  # type: ignore[attr-defined]
    assert other.changes == changes
    assert {row.path for row in changeable_in(other)} >= set(changes)


@pytest.mark.parametrize(
    ("path", "value", "of"),
    [
        (
            "rulebook.findings.consecutive_offer.infraction",
            "repeated_draw_offer",
            "rulebook.findings.consecutive_offer.article",
        ),
        (
            "rulebook.authority.expel.roles",
            ("deputy_chief_arbiter", "chief_arbiter"),
            "rulebook.authority.expel.article",
        ),
    ],
)
def test_a_row_whose_value_is_read_otherwise_has_the_article_of_that_reading(path: str, value: Value, of: str) -> None:
    source = next(reading.source for reading in changeable()[path].readings if reading.value == value)
    assert value_at(load("campus"), of) != source == value_at(changed(load("campus"), {path: value}), of)


def test_a_value_that_is_read_otherwise_has_the_article_of_that_reading_and_a_number_between_them_the_old_one() -> None:
    limit = "game.xiangqi.natural_limit_rounds"
    assert changed(load("campus"), {limit: 60}).articles[limit] == "002-X 4.2.4"
    assert changed(load("campus"), {limit: 50}).articles == load("campus").articles
    late = changed(load("campus"), {"rulebook.lateness.limit": 600})
    assert late.rulebook.lateness.article == load("campus").rulebook.lateness.article, "it is of the other values too"
