"""What a command would bring to the table: the preview that is shown before anything is written."""

from dataclasses import dataclass
from typing import Any

from services.standings.rules.diff import diff
from services.standings.rules.table.table import standings, updated
from shared.core.events import Event, SheetLine
from shared.core.readings.outdated_bases import OutdatedBasis
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import RulingId


@dataclass(frozen=True, slots=True)
class Preview:
    """What a command would bring, decided on line ``seq``: its official events and those that follow, the lines of a score
    sheet, the ``digest`` of what the command itself decides, and the ``table``'s change as `diff` tells it, None where there
    is no table. ``outdated``: the bases that would be outdated."""

    seq: int
    events: tuple[Event, ...]
    lines: tuple[SheetLine, ...]
    digest: str
    table: dict[str, Any] | None
    outdated: tuple[OutdatedBasis, ...] = ()


def table_change(before: TournamentState, after: TournamentState) -> dict[str, Any] | None:
    """The rows of the table that change; None before there is a table."""
    if not isinstance(before, Tournament) or not isinstance(after, Tournament):
        return None
    table = standings(before)
    return diff(table, standings(after) if before.regulations != after.regulations else updated(table, after))


def rulings_out_of_force(before: TournamentState, after: TournamentState) -> tuple[RulingId, ...]:
    """Return the rulings of both states in force in the first only: annulled, or lapsed with what they are based on."""
    if not isinstance(before, Tournament) or not isinstance(after, Tournament):
        return ()
    both = (ruling for ruling in before.rulings if ruling in after.rulings)
    return tuple(ruling for ruling in both if before.is_in_force(ruling) and not after.is_in_force(ruling))
