"""Every event type, by stream, and the look-ups by name or by data."""

from collections.abc import Callable
from typing import Any

from shared.core import events as ev
from shared.core.event_types import games, keys, pairing, penalties, sheets, standings
from shared.core.event_types.event_type import EventType, Upcaster
from shared.core.state.tournament import TournamentState
from shared.core.terms import Source

OFFICIAL: tuple[EventType[Any], ...] = (
    *pairing.EVENT_TYPES,
    *games.EVENT_TYPES,
    *penalties.EVENT_TYPES,
    *standings.EVENT_TYPES,
    *keys.EVENT_TYPES,
)
"""The event types of the official log."""
SHEETS: tuple[EventType[Any], ...] = sheets.EVENT_TYPES
"""The event types of the score sheets."""
EVENT_TYPES = (*OFFICIAL, *SHEETS)

BY_NAME: dict[str, EventType[Any]] = {row.name: row for row in EVENT_TYPES}
"""Newest versions only. Older ones are in `UPCASTERS`."""
UPCASTERS: dict[str, tuple[EventType[Any], tuple[Upcaster, ...]]] = {
    older: (row, upcasters) for row in EVENT_TYPES for older, upcasters in row.older_versions().items()
}
"""Older version -> the type in its newest version, and the upcasters that lead there."""
OUTDATED = {
    offices: frozenset(name for row in EVENT_TYPES for name in row.outdated_versions(offices)) for offices in (2, 3)
}
"""By edition of offices, the versions that a log must not contain: a forger could omit a field that an older version lacks."""

NEWEST: dict[str, str] = {name: name for name in BY_NAME} | {older: row.name for older, (row, _) in UPCASTERS.items()}
"""Each version's name -> the newest of its type. Every event is read in this version."""

# One look-up by the data's class when events are applied and written, instead of a way through the rows.
NAMES: dict[type, str] = {row.data: row.name for row in EVENT_TYPES}
WRITERS: dict[type, tuple[Source, ...]] = {row.data: row.writers for row in EVENT_TYPES}
MASKED: dict[type, tuple[str, ...]] = {row.data: row.masked for row in EVENT_TYPES if row.masked}
EVOLVE: dict[type, Callable[[TournamentState, ev.Event, Any], None]] = {
    row.data: row.evolve for row in OFFICIAL if row.evolve is not None
}
