"""Relations between random histories: a sample in every run, more by ``make campaign NAME=histories N=100000``."""

import os

import pytest

from tests.metamorphic.campaign import campaign

HISTORIES = int(os.environ.get("ARBITER_HISTORIES", "1000"))
SHARES = 4
"""The sample is played by several test processes."""
WANTED = ("correction behind a bracket", "annulled expulsion", "removal in progress")
"""Kinds of history of which a sample of 2,000 holds at least 50."""


@pytest.mark.parametrize("share", range(SHARES))
def test_histories_keep_every_relation(share, record_property):
    outcome = campaign(range(1 + share, 1 + HISTORIES, SHARES))
    record_property("counts", [f"{count} {name}" for name, count in sorted(outcome.counts.items())])
    assert outcome.differences == []
    rare = {name: outcome.counts[name] for name in WANTED if outcome.counts[name] * 40 * SHARES < HISTORIES}
    assert not rare, f"too few histories of a kind: {rare}"
