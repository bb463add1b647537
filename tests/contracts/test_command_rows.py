"""Every command of every service has one row, which says who may give it and the event that it becomes."""

from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any, get_args

import pytest

from deploy.server.rules import RULES
from shared.core import events as ev
from shared.core.event_types.registry import EVENT_TYPES
from shared.core.readings.authority import ACTS, RULEBOOK_ACTS
from shared.core.readings.key_announcement import AnnounceKey
from shared.core.terms import Source
from shared.desk.rules_port import CommandRow, EventCommand, accept_all

ROWS = [row for rules in RULES.values() for row in rules.row_of.values()]
CONSEQUENCES = {
    ev.ClaimDecided,
    ev.ClaimPending,
    ev.ColoursCorrected,
    ev.ColoursSettled,
    ev.FindingMade,
    ev.FindingWithdrawn,
}
"""The events that follow from others and that no command becomes."""
FOUND_WHEN_DECIDED = {"NoteArrival": {"round", "board", "side"}, "NoteBreak": {"side"}, "MakeClaim": {"adjusting"}}
"""The fields from which a decision finds the player, or the square; the event has what was found."""


def named(row: CommandRow) -> tuple[type[Any], ...]:
    return row.events if isinstance(row.events, tuple) else (row.events,)


@pytest.mark.parametrize("source", RULES)
def test_every_command_has_one_row(source: Source) -> None:
    commands = vars(import_module(f"{source[1:].replace('/', '.')}.rules.commands")).values()
    given = [
        c for c in commands if is_dataclass(c) and c is not EventCommand and "actor" in {f.name for f in fields(c)}
    ]
    assert sorted(row.command.__name__ for row in RULES[source].rows) == sorted(c.__name__ for c in given)  # type: ignore[attr-defined]
    assert RULES[source].row_of.keys() == {*given, AnnounceKey}


def test_acts_of_rows_are_acts_of_offices_or_of_the_rulebook() -> None:
    assert {row.act for row in ROWS if isinstance(row.act, str)} <= set(ACTS)
    assert {act for row in ROWS if not isinstance(row.act, str) for act in row.act} == set(RULEBOOK_ACTS)


def test_every_event_that_a_command_becomes_has_a_row() -> None:
    assert {row.data for row in EVENT_TYPES} - {event for row in ROWS for event in named(row)} == CONSEQUENCES


@pytest.mark.parametrize("row", [row for row in ROWS if row.rebuild is None], ids=lambda row: row.command.__name__)
def test_event_has_the_fields_its_command_is_rebuilt_from(row: CommandRow) -> None:
    if issubclass(row.command, EventCommand):
        assert get_args(row.command.__orig_bases__[0]) == named(row)
        return
    wanted = {f.name for f in fields(row.command)}
    found = {"actor"} | ({"game"} if row.sheet else set()) | FOUND_WHEN_DECIDED.get(row.command.__name__, set())
    for event in named(row):
        lacking = wanted - found - {f.name for f in fields(event)}
        assert not lacking, f"give {row.command.__name__} a rebuild function, or {event.__name__} these fields"


def test_last_row_of_an_event_takes_what_the_others_leave() -> None:
    for rules in RULES.values():
        for event in {event for row in rules.row_of.values() for event in named(row)}:
            *others, last = (row for row in rules.row_of.values() if event in named(row))
            assert last.wrote is accept_all, f"no row takes every {event.__name__}"
            assert accept_all not in [row.wrote for row in others], f"a row of {event.__name__} is never reached"
