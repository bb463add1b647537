"""Thirty random events, exported and imported again: the same table, or each column that differs is named."""

from pathlib import Path

from tests.metamorphic.kinds import RULESETS
from tests.roundtrips.events import Ran, hall, play
from tests.tiers import examples


def test_exported_event_imports_as_the_same_event(tmp_path: Path) -> None:
    ran = Ran()
    with hall(tmp_path / "data") as callers:
        for seed in range(1, 1 + examples(30)):
            play(seed, callers, ran)
    assert not ran.wrong
    assert ran.same >= ran.events.total() // 3 and ran.rulings
    assert len(ran.events) > len(RULESETS) // 2
