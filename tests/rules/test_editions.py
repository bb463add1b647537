"""Adopted regulations are the shipped edition that they name, but for the changes that they declare."""

from dataclasses import replace

import pytest

from shared import regulations
from shared.regulations.changeable import changeable_in
from shared.regulations.changes import BadChange, changed
from shared.regulations.editions import against_shipped, beyond_comparison, editions

NAMES = regulations.names()
CAMPUS = regulations.load("campus")


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_set_does_not_change_without_a_new_line_of_the_shipped_editions(name):
    own = regulations.load(name)
    assert (own.edition, own.digest) in editions().get(name, ()), (
        f"add a line to shared/regulations/shipped.txt, and leave the others: {name} {own.edition} {own.digest}"
    )
    assert against_shipped(own) is None


@pytest.mark.parametrize("name", NAMES)
def test_every_change_that_an_organiser_may_make_is_no_difference(name):
    own = regulations.load(name)
    tried = 0
    for row in changeable_in(own):
        for reading in row.readings:
            try:
                made = changed(own, {row.path: reading.value})
            except BadChange:
                continue
            tried += 1
            assert against_shipped(made) is None, row.path
    assert tried or not changeable_in(own)


def test_points_of_an_announcement_are_changes():
    made = replace(
        CAMPUS,
        points=replace(CAMPUS.points, win=6),
        articles={**CAMPUS.articles, "points.win": "the announcement"},
        changes={"points.win": 6},
    )
    assert against_shipped(made) is None
    assert "points.win" in str(against_shipped(replace(made, changes={})))
    assert "points.win" in str(against_shipped(replace(made, changes={"points.win": 4})))


@pytest.mark.parametrize(
    ("adopted", "why"),
    [
        (replace(CAMPUS, leaving=replace(CAMPUS.leaving, walkover_meets=True)), "leaving.walkover_meets"),
        (replace(CAMPUS, edition="2025"), "no edition 2025"),
        (replace(CAMPUS, digest="0" * 64), "was ever shipped"),
        (replace(CAMPUS, digest=""), "was ever shipped"),
        (replace(CAMPUS, changes={"points.win": "x"}), "half-points"),
        (replace(CAMPUS, changes={"points.worth": 2}), "no such points"),
        (replace(CAMPUS, changes={"no.such.path": 2}), "no organiser"),
        (replace(CAMPUS, name="ours"), "not those of ours"),
        (replace(CAMPUS, articles={**CAMPUS.articles, "leaving.results": "mine"}), "articles.leaving.results"),
        (replace(CAMPUS, articles={**CAMPUS.articles, "points.win": "mine"}), "articles.points.win"),
    ],
)
def test_what_is_neither_shipped_nor_declared_is_named(adopted, why):
    assert why in str(against_shipped(adopted))


def test_a_set_of_ones_own_bears_the_digest_of_its_values():
    own = replace(CAMPUS, name="our-federation")
    own = replace(own, digest=regulations.digest(own))
    assert against_shipped(own) is None
    assert "our-federation" in str(against_shipped(replace(own, edition="2")))


def test_an_earlier_edition_with_changes_is_told_as_beyond_comparison(monkeypatch):
    earlier = replace(CAMPUS, digest="1" * 64)
    monkeypatch.setattr("shared.regulations.editions.editions", lambda: {"campus": frozenset({("2026", "1" * 64)})})
    assert "not those of the campus" in str(against_shipped(earlier))
    changed_one = replace(earlier, changes={"points.win": 6})
    assert against_shipped(changed_one) is None and beyond_comparison(changed_one)
