"""The difference of the table of teams between two states of a tournament."""

from collections.abc import Mapping
from typing import Any

from services.standings.rules.teams.encounters import add_team_encounters
from services.standings.rules.teams.table import is_team_event, team_standings
from shared.core.state.tournament import Tournament, TournamentState


def team_diff(before: TournamentState, after: TournamentState) -> list[dict[str, Any]]:
    """Return the teams whose row changes, by their new rank, or an empty list if it is not a team event.

    Each has a row of `add_team_encounters` ``before`` (None: not entered) and ``after``.
    """
    if not (isinstance(before, Tournament) and isinstance(after, Tournament) and is_team_event(before)):
        return []
    former = {row["id"]: row for row in add_team_encounters(team_standings(before))["teams"]}
    rows = [(former.get(row["id"]), row) for row in add_team_encounters(team_standings(after))["teams"]]
    return [{"before": was, "after": now} for was, now in rows if was is None or _facts(was) != _facts(now)]


def _facts(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a team's row without the details of direct encounters, whose place is in ``tb``."""
    return {name: value for name, value in row.items() if name != "encounters"}
