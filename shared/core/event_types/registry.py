"""Every event type, by its stream, and what is looked up of it by name or by data."""

from collections.abc import Callable
from typing import Any

from shared.core import events as ev
from shared.core.event_types import games, keys, pairing, penalties, sheets, standings
from shared.core.event_types.event_type import EventType, Lift
from shared.core.state.tournament import TournamentState
from shared.core.terms import Source

OFFICIAL: tuple[EventType[Any], ...] = (
    *pairing.EVENT_TYPES,
    *games.EVENT_TYPES,
    *penalties.EVENT_TYPES,
    *standings.EVENT_TYPES,
    *keys.EVENT_TYPES,
)
"""The types of the official log."""
SHEETS: tuple[EventType[Any], ...] = sheets.EVENT_TYPES
"""The types of the score sheets."""
EVENT_TYPES = (*OFFICIAL, *SHEETS)

BY_NAME: dict[str, EventType[Any]] = {row.name: row for row in EVENT_TYPES}
"""Newest versions only; older ones are in `LIFTS`."""
LIFTS: dict[str, tuple[EventType[Any], tuple[Lift, ...]]] = {
    older: (row, lifts) for row in EVENT_TYPES for older, lifts in row.older().items()
}
"""Older version -> the type in its newest one, and the lifts that lead there."""
OUTDATED = {offices: frozenset(name for row in EVENT_TYPES for name in row.outdated(offices)) for offices in (2, 3)}
"""By edition of offices, the versions that a log does not hold: a forger could omit what an older version has no member for."""

NEWEST: dict[str, str] = {name: name for name in BY_NAME} | {older: row.name for older, (row, _) in LIFTS.items()}
"""Each version's name -> the newest of its type, in which every line is read."""

# One look-up by the data's class where lines are folded and written: no row is touched on the way.
NAMES: dict[type, str] = {row.data: row.name for row in EVENT_TYPES}
WRITERS: dict[type, tuple[Source, ...]] = {row.data: row.writers for row in EVENT_TYPES}
MASKED: dict[type, tuple[str, ...]] = {row.data: row.masked for row in EVENT_TYPES if row.masked}
EVOLVE: dict[type, Callable[[TournamentState, ev.Event, Any], None]] = {
    row.data: row.evolve for row in OFFICIAL if row.evolve is not None
}
