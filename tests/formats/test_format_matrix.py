"""The format matrix: every pair of stages that can be announced, compared with the second implementation at every event.

`ARBITER_FORMATS=50 pytest tests/formats/test_format_matrix.py` plays 50 competitions of each; the default is a fixed sample.
"""

import os
from collections import Counter

import pytest

from services.pairing.rules.formats.registry import PAIRED_FORMATS
from tests.formats.combinations import pairs_of_stages, single_formats
from tests.formats.hall import Disagreement
from tests.formats.histories import KINDS
from tests.formats.matrix import Ran, all_formats, competitions, play

EACH = int(os.environ.get("ARBITER_FORMATS", "4"))
"""Competitions of each format and pair of stages."""
FIRST = int(os.environ.get("ARBITER_FORMATS_SEED", "0"))
GAPS = ("before", "after")


@pytest.fixture(scope="module")
def ran() -> Ran:
    """The competitions of the sample, played; disagreements are kept for the first test."""
    ran = Ran()
    for one in competitions(EACH, FIRST):
        try:
            play(one, ran)
        except Disagreement as differs:
            ran.wrong.append((one, f"{one}\n{differs}"))
    print("\n" + table(ran))
    return ran


def table(ran: Ran) -> str:
    """Return how many competitions of each kind ran, and how often each act came before and after a pairing."""
    names = {formats: " then ".join(formats) for formats in all_formats()}
    width = max(map(len, names.values()))
    lines = [f"{name:{width}} {ran.histories[formats]:5} {happened(ran, formats):6}" for formats, name in names.items()]
    acts = Counter[tuple[str, str]]()
    for (_, kind, gap), times in ran.happened.items():
        acts[kind, gap] += times
    lines += [f"{kind:{width}} {acts[kind, 'before']:5} {acts[kind, 'after']:6}" for kind in KINDS]
    total = f"{sum(ran.histories.values())} competitions, {ran.rounds} rounds, {ran.teams} of teams, {ran.settled} bases settled"
    head = f"{'stages':{width}} {'ran':>5} {'acts':>6}"
    return "\n".join((head, *lines, total))


def happened(ran: Ran, formats: tuple[str, ...]) -> int:
    """Return how many acts came between the pairings of these stages."""
    return sum(times for (of, _, _), times in ran.happened.items() if of == formats)


def test_every_competition_agrees_with_the_second_implementation(ran: Ran) -> None:
    wrong = [text for _, text in ran.wrong]
    assert not wrong, f"{len(wrong)} differ, the shortest:\n" + min(wrong, key=len)


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
