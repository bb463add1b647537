"""The row of an event type, the only declaration of the type."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from shared.core import events as ev
from shared.core.state.entities import Game
from shared.core.state.tournament import TournamentState
from shared.core.terms import SOURCES, Source

D = TypeVar("D", bound=ev.Data)
Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""An upcaster: converts the JSON data of a version to that of the next version."""


def unchanged(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data unchanged: the next version only added fields, whose defaults describe the older events."""
    return data


@dataclass(frozen=True, slots=True)
class EventType(Generic[D]):
    """An event type: its ``name`` on the wire, in its newest version, and that version's ``data``.

    ``writer`` is the one service that writes it, unless ``everybody`` does. ``evolve`` applies it to the tournament. It is None
    for an event of a score sheet, which the game's own state applies (`games/rules/play`). ``upcasters``: one upcaster for each
    older version, from v1 on. ``masked``: fields that the command handler fills in after the rules. The audit checks them from
    bytes and does not re-evaluate them. ``first``: the oldest version that a log of the second edition of offices may contain;
    None means the newest, until a release has written another. A log of the third edition contains only the newest version.
    """

    name: str
    data: type[D]
    writer: Source
    evolve: Callable[[TournamentState, ev.Event, D], None] | None = None
    upcasters: tuple[Upcaster, ...] = ()
    masked: tuple[str, ...] = ()
    everybody: bool = False
    first: int | None = None

    @property
    def writers(self) -> tuple[Source, ...]:
        """Return the services that write it."""
        return SOURCES if self.everybody else (self.writer,)

    def outdated_versions(self, offices: int) -> list[str]:
        """Return the versions that no service writes into a log of this edition of ``offices`` (2 or later)."""
        stem, _, newest = self.name.rpartition(".v")
        oldest = int(newest) if self.first is None or offices > 2 else self.first
        return [f"{stem}.v{n}" for n in range(1, oldest)]

    def older_versions(self) -> dict[str, tuple[Upcaster, ...]]:
        """Return the older versions by name, each with the upcasters that lead to the newest.

        Raises ValueError if the number of upcasters does not match the version.
        """
        stem, _, newest = self.name.rpartition(".v")
        if newest != str(len(self.upcasters) + 1):
            raise ValueError(f"{self.name} needs an upcaster for each older version, not {len(self.upcasters)}")
        return {f"{stem}.v{n}": self.upcasters[n - 1 :] for n in range(1, len(self.upcasters) + 1)}


# By number, not by name: a slice and one tuple take half the time of ``_replace``.
STARTED, ENDED, CORRECTED, RULINGS, REVERSED, POSITION, SETTLED = map(
    Game._fields.index, ("started", "ended", "corrected", "rulings", "reversed", "position", "settled")
)
NOTHING_YET = (None, None, None, (), None, None, None)
"""The last seven fields of a game that was only paired."""

new_tuple = tuple.__new__
"""Creates a named tuple from a plain one, without the Python call of its constructor."""


def game_with(g: Game, field: int, value: Any) -> Game:
    """Return a copy of the game in which the tuple item at index ``field`` is ``value``."""
    return new_tuple(Game, (*g[:field], value, *g[field + 1 :]))
