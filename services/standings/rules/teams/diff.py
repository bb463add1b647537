"""The difference of the table of teams between two states of a tournament."""

from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from services.standings.rules.answers import TeamRowAnswer
from services.standings.rules.teams.explanation import add_team_encounters
from services.standings.rules.teams.table import is_team_event, team_standings
from shared.core.state.tournament import Tournament, TournamentState


class TeamChange(NamedTuple):
    """A team's line in the standings ``before`` and ``after`` a change. ``before`` is None if the team was not yet entered."""

    before: TeamRowAnswer | None
    after: TeamRowAnswer


def team_diff(before: TournamentState, after: TournamentState) -> list[TeamChange]:
    """Return the teams whose row changes, by their new rank, or an empty list if it is not a team event."""
    if not (isinstance(before, Tournament) and isinstance(after, Tournament) and is_team_event(before)):
        return []
    former = {row.id: row for row in add_team_encounters(team_standings(before)).teams}
    rows = [TeamChange(former.get(row.id), row) for row in add_team_encounters(team_standings(after)).teams]
    return [one for one in rows if one.before is None or _facts(one.before) != _facts(one.after)]


def _facts(row: TeamRowAnswer) -> TeamRowAnswer:
    """Return a team's row without the details of direct encounters, whose place is in ``tb``."""
    return replace(row, encounters=UNSET)
