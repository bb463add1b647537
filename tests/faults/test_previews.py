"""What was previewed is what happens: the events of any command with what comes of it, and the table after it."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from deploy.server.rules import RULES
from services.standings.rules.diff import table_change
from services.standings.rules.table.table import standings, table_answer
from shared.core.event_types.registry import MASKED
from shared.core.events import RulingMade
from shared.core.terms import Refusal
from shared.desk.desk import Desk
from shared.desk.foresight import foresee
from shared.desk.score_sheets import score_sheets
from shared.log.sqlite import SqliteLog
from shared.wire.envelope import read
from tests.histories import begin, chosen
from tests.played import SIGNER

STEPS = 150


@pytest.fixture
def desk(tmp_path: Path):
    desk = Desk(SqliteLog(tmp_path / "log.sqlite"), RULES, SIGNER.sign, threads=False)
    yield desk
    desk.close()


@settings(
    max_examples=3,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 10**6))
def test_what_is_foreseen_of_any_command_is_what_it_then_writes_and_the_table_that_it_makes(desk, seed):
    # given a random history
    rng, t, kinds = Random(seed), f"T{seed}", Counter()
    if desk.view(t) is None:
        begin(desk, t)
    for _ in range(STEPS):
        before = desk.view(t)
        source, command = chosen(before.tournament, rng)
        if command is None:
            continue

        # when a command is foreseen, and then given
        sheets = dict(score_sheets(desk, t)) | {g: [] for g in before.tournament.games if not desk.lines(f"games/{g}")}
        foresight = foresee(before.tournament, source, command, RULES, sheets=sheets, now=desk.now())
        outcome = desk.submit(source, t, command)

        # then it is refused for the same reason, or writes the same events
        if isinstance(foresight, Refusal):
            assert outcome == foresight
            continue
        written = [read(row.line, row.seq) for row in desk.lines(f"tournaments/{t}", before.seq)]
        assert list(map(said, written)) == list(map(said, foresight.events))
        kinds.update(type(e.data) for e in written)

        # and the table, and its change, are those that then are
        after = desk.view(t).tournament
        assert table_answer(standings(foresight.after)) == table_answer(standings(after))
        foreseen, happened = table_change(before.tournament, foresight.after), table_change(before.tournament, after)
        assert foreseen == happened
    assert kinds[RulingMade] > 1


def said(event):
    """What an event says, but its time and id, and what only the writer fills in."""
    masked = MASKED.get(type(event.data), ())
    data = replace(event.data, **dict.fromkeys(masked)) if masked else event.data
    return event.source, event.actor, event.role, event.sourceseq, data
