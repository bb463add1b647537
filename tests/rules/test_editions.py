"""Adopted regulations are the shipped edition that they name, but for the changes that they declare."""

from dataclasses import replace
from hashlib import sha256

import msgspec
import pytest
import rfc8785

from shared import regulations
from shared.regulations.changeable import changeable_in
from shared.regulations.changes import BadChange, changed
from shared.regulations.editions import against_shipped, beyond_comparison, editions
from shared.regulations.former import former, former_editions
from shared.wire.regulations import regulations_to_wire
from shared.wire.shapes import kept, within

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
        (replace(CAMPUS, edition="2025"), "edition 2025"),
        (replace(CAMPUS, digest="0" * 64), "was never released"),
        (replace(CAMPUS, digest=""), "was never released"),
        (replace(CAMPUS, changes={"points.win": "x"}), "half-points"),
        (replace(CAMPUS, changes={"points.worth": 2}), "such points do not exist"),
        (replace(CAMPUS, changes={"no.such.path": 2}), "no organiser"),
        (replace(CAMPUS, name="ours"), "differ from those of ours"),
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


SHIPPED = [(name, *one) for name, rows in editions().items() for one in sorted(rows)]
FORMER = [row for row in SHIPPED if row[2] != regulations.load(row[0]).digest]


def digest_without_what_times_had_not(before):
    """The digest in the form that time controls had before periods had increments and byo-yomi a number."""
    form = form_within_v4(before)

    def bare(value):
        if isinstance(value, dict):
            return {k: bare(v) for k, v in value.items() if k != "byo_yomi_periods"}
        if isinstance(value, list | tuple):
            return [
                bare({k: v for k, v in one.items() if k != "increment"}) if _is_period(one) else bare(one)
                for one in value
            ]
        return value

    form = {k: v for k, v in bare(form).items() if k not in ("digest", "changes")}
    return sha256(rfc8785.dumps(form)).hexdigest()


def digest_within_v4(before):
    """The digest in the form that regulations had before fields of the third edition of decisions."""
    form = form_within_v4(before)
    return sha256(rfc8785.dumps({k: v for k, v in form.items() if k not in ("digest", "changes")})).hexdigest()


def form_within_v4(before):
    form = msgspec.to_builtins(regulations_to_wire(replace(before, digest="", changes={})))
    return within(form, kept()["arbiter.regulations.adopted.v4"]["regulations"])


def _is_period(value):
    return isinstance(value, dict) and value.keys() == {"seconds", "moves", "increment"}


@pytest.mark.parametrize(("name", "edition", "digest"), FORMER)
def test_what_an_earlier_edition_said_is_kept_value_by_value(name, edition, digest):
    said = former_editions()[digest]
    before = former(name, edition, digest)
    assert said.name == name and before.digest == digest
    assert digest in (digest_within_v4(before), digest_without_what_times_had_not(before))
    assert against_shipped(before) is None


def test_an_own_set_of_the_second_edition_keeps_its_digest():
    """Its log has no member that was added since."""
    own = replace(CAMPUS, name="our-federation", decisions=2)
    own = replace(own, digest=digest_within_v4(own))
    assert against_shipped(own) is None
    chess = replace(own.game.rules["chess"], automatic_repetitions=5)
    other = replace(own, game=replace(own.game, rules={**own.game.rules, "chess": chess}))
    assert "differ from those of our-federation" in str(against_shipped(other))


def test_there_are_values_of_no_edition_that_was_never_shipped():
    assert set(former_editions()) == {digest for *_, digest in FORMER}


EARLIER = former("fide-2024", "2024", "4584c97f787a081a3bba402ae6da17204269552905bc4e4da54aeb21ff30f5c7")


def test_an_earlier_edition_is_compared_too_with_the_changes_that_it_declares():
    """Else whoever names one, and changes anything, would have adopted whatever he likes."""
    path = "game.chess.repetition_claim"
    for made in (
        EARLIER,
        *(changed(EARLIER, {row.path: value}) for row in changeable_in(EARLIER) for value in row.values[:2]),
    ):
        assert against_shipped(made) is None and not beyond_comparison(made)
    draw = replace(EARLIER, points=replace(EARLIER.points, draw=2))
    for declared in ({}, {"points.win": 6}, {path: True}):
        assert against_shipped(replace(draw, changes=declared)) is not None, declared
    declared = replace(draw, changes={"points.draw": 2}, articles={**draw.articles, "points.draw": "the announcement"})
    assert against_shipped(declared) is None
    # and the values of today are not those of then
    today = replace(regulations.load("fide-2024"), digest=EARLIER.digest)
    for changes in ({}, {"points.win": 2}):
        assert "pairing.engine, pairing.edition" in str(against_shipped(replace(today, changes=changes)))


@pytest.mark.parametrize(
    ("adopted", "why"),
    [
        (replace(CAMPUS, name="ours", changes={"no.such.path": 2}), "no organiser"),
        (replace(CAMPUS, name="ours", changes={"points.win": 6}), "not the changes that it declares: points.win"),
        (replace(CAMPUS, name="ours", changes={"game.xiangqi.natural_limit_rounds": 61}), "must be 1 to 60"),
        (replace(CAMPUS, name="ours", changes={"game.xiangqi.natural_limit_rounds": 7}), "that it declares"),
        (replace(CAMPUS, name=""), "not a name of a ruleset"),
        (replace(CAMPUS, name="campus\n", changes={"points.win": 2}), "not a name of a ruleset"),
        (replace(CAMPUS, name="fide-2026\u200b"), "not a name of a ruleset"),
    ],
)
def test_a_set_of_ones_own_has_a_name_and_the_changes_that_it_declares(adopted, why):
    assert why in str(against_shipped(adopted))


def test_what_a_set_of_ones_own_said_before_its_changes_is_told_as_beyond_comparison():
    own = replace(CAMPUS, name="ours", changes={"points.win": CAMPUS.points.win})
    assert against_shipped(own) is None and beyond_comparison(own)
    assert not beyond_comparison(replace(own, changes={}))
