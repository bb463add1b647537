"""The preview of a command's consequences for the table, shown before anything is written."""

from dataclasses import dataclass

from services.standings.rules.answers import DifferenceAnswer
from services.standings.rules.diff import diff
from services.standings.rules.table.table import standings, update_table
from shared.core.events import Event, SheetLine
from shared.core.readings.outdated_bases import OutdatedBasis
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import RulingId


@dataclass(frozen=True, slots=True)
class Preview:
    """The consequences of a command that is decided at event ``seq``.

    ``events``: its official events and their consequences. ``lines``: events of a score sheet. ``digest``: a digest of
    the command's own decision. ``table``: the change of the table, like `diff`, or None without a table. ``outdated``:
    the bases that would be outdated.
    """

    seq: int
    events: tuple[Event, ...]
    lines: tuple[SheetLine, ...]
    digest: str
    table: DifferenceAnswer | None
    outdated: tuple[OutdatedBasis, ...] = ()


def table_change(before: TournamentState, after: TournamentState) -> DifferenceAnswer | None:
    """Return the rows of the table that change, or None if no table exists yet."""
    if not isinstance(before, Tournament) or not isinstance(after, Tournament):
        return None
    table = standings(before)
    return diff(table, standings(after) if before.regulations != after.regulations else update_table(table, after))


def rulings_out_of_force(before: TournamentState, after: TournamentState) -> tuple[RulingId, ...]:
    """Return the rulings of both states in force only in the first: annulled, or lapsed with a ruling they depend on."""
    if not isinstance(before, Tournament) or not isinstance(after, Tournament):
        return ()
    both = (ruling for ruling in before.rulings if ruling in after.rulings)
    return tuple(ruling for ruling in both if before.is_in_force(ruling) and not after.is_in_force(ruling))
