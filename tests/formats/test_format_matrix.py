"""The format matrix: every pair of stages that can be announced, compared with the second implementation at every event.

`make campaign NAME=formats N=10000` plays more competitions; the default is a fixed sample of each.
"""

import os

import pytest

from services.pairing.rules.formats.registry import PAIRED_FORMATS
from tests.formats.combinations import pairs_of_stages, single_formats
from tests.formats.histories import KINDS
from tests.formats.matrix import Ran, all_formats, competitions, play_all, table

EACH = int(os.environ.get("ARBITER_FORMATS", "4"))
"""Competitions of each format and pair of stages."""
FIRST = int(os.environ.get("ARBITER_FORMATS_SEED", "0"))
GAPS = ("before", "after")


@pytest.fixture(scope="module")
def ran() -> Ran:
    """The competitions of the sample, played; disagreements are kept for the first test."""
    ran = play_all(competitions(EACH, FIRST))
    print("\n" + table(ran))
    return ran


def test_every_competition_agrees_with_the_second_implementation(ran: Ran) -> None:
    assert not ran.wrong, f"{len(ran.wrong)} differ, the shortest:\n" + min(ran.wrong, key=len)


def test_every_pair_of_stages_that_can_be_announced_ran(ran: Ran) -> None:
    announced = [*pairs_of_stages(), *single_formats()]
    assert len(pairs_of_stages()) == 25
    assert [formats for formats in announced if ran.histories[formats] < EACH] == []
    assert {format for formats in all_formats() for format in formats} == {*PAIRED_FORMATS, "teams"}


def test_every_act_comes_before_and_after_a_pairing(ran: Ran) -> None:
    acts = {(kind, gap) for _, kind, gap in ran.happened}
    assert {(kind, gap) for kind in KINDS for gap in GAPS} <= acts
    assert min(ran.players) <= 4 and max(ran.players) == 16
    assert ran.teams and ran.settled
