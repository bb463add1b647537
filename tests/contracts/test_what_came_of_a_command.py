"""What came of a command follows from the log: whoever writes what is due at once, behind what brought it, agrees with it."""

from itertools import groupby
from pathlib import Path
from random import Random

import pytest

from deploy.server.rules import RULES
from services.pairing.rules.commands import AppointOfficial
from services.penalties.rules.commands import MakeRuling
from shared.core.event_types.evolve import evolve
from shared.core.events import Effect, OfficialAppointed
from shared.core.state.tournament import TournamentState
from shared.core.terms import PAIRING, PENALTIES, SOURCES, Actor, PlayerId
from shared.desk.command_history import CommandHistory
from shared.desk.desk import Desk
from shared.desk.replay import events_of
from shared.desk.requests import Receipt
from shared.desk.rules_port import due_in, due_types, may_be_due
from shared.log.sqlite import SqliteLog
from shared.wire.envelope import read
from tests.histories import CHIEF, begin, step

STEPS = 300
ORGANISER = Actor("hou", "organiser", "t6")


@pytest.fixture(params=range(3))
def desk(request: pytest.FixtureRequest, tmp_path: Path):
    made = Desk(SqliteLog(tmp_path / "log.sqlite"), RULES, lambda *_: "", threads=False)
    rng = Random(request.param)
    begin(made, "T")
    for _ in range(STEPS):
        step({source: [made] for source in SOURCES}, "T", rng)
    yield made
    made.close()


def test_what_came_of_each_command_stands_behind_it_and_nothing_is_left_open(desk: Desk) -> None:
    events = list(events_of(row.line for row in desk.lines("tournaments/T")))
    chains: list[list[str]] = []
    for command, _ in groupby(events, lambda event: event.command):
        first = desk.log.command_lines(command, "T")[0]  # of a move it stands on the sheet
        if read(first.line, first.seq).role == "rulebook":
            chains[-1].append(command)
        else:
            chains.append([command])
    assert any(len(chain) > 1 for chain in chains)
    for chain in chains:
        if len(chain) > 1 or chain is chains[-1]:
            came = desk.consequences("T", chain[0])
            assert came is not None
            assert list(dict.fromkeys(event.command for event in came.events)) == chain
            assert came.open == 0


def test_nothing_becomes_due_but_after_the_types_that_a_service_names(desk: Desk) -> None:
    state, before = TournamentState("T"), []
    for _, group in groupby(events_of(row.line for row in desk.lines("tournaments/T")), lambda event: event.command):
        events = list(group)
        for event in events:
            evolve(state, event)
        due = due_in(state, RULES)
        if not may_be_due((event.data for event in events), due_types(RULES)):
            assert all(one in before for one in due), events[0].data
        before = due


def test_what_another_process_wrote_of_a_command_is_folded_before_it_is_answered(tmp_path: Path) -> None:
    # given two processes on one log, and an expulsion by the first, which brings the withdrawal in its batch
    logs = [SqliteLog(tmp_path / "log.sqlite") for _ in range(2)]
    one, other = (Desk(log, RULES, lambda *_: "", threads=False) for log in logs)
    begin(one, "T")
    assert other.view("T") is not None
    one.submit(PAIRING, "T", AppointOfficial(CHIEF, OfficialAppointed(ORGANISER.name, ORGANISER.role)))
    expulsion = MakeRuling(ORGANISER, PlayerId(1), 1, "grave_misconduct", effect=Effect("expel"))
    made = one.submit(PENALTIES, "T", expulsion)
    assert isinstance(made, Receipt) and made.seq is not None
    # when the second answers for the ruling alone, which it has not read
    history = CommandHistory(logs[1], other.folds, RULES)
    told = history.complete_receipt("T", made._replace(seq=made.seq - 1, root=None, complete=False), 0)
    # then it knows the root of the line that its answer tells last
    assert (told.seq, told.complete) == (made.seq, True)
    assert other.root("T", made.seq) == one.root("T", made.seq)
    one.close()
    other.close()
