"""The difference of the table of teams between two states of a tournament."""

from typing import Any

from services.standings.rules.teams.table import as_json, is_team_event, team_standings
from shared.core.tournament import Tournament, TournamentState


def team_diff(before: TournamentState, after: TournamentState) -> list[dict[str, Any]]:
    """The teams whose row changes, by their new rank, each as `as_json` has it ``before`` (None: not entered) and ``after``.

    Empty where no teams play.
    """
    if not (isinstance(before, Tournament) and isinstance(after, Tournament) and is_team_event(before)):
        return []
    former = {row["id"]: row for row in as_json(team_standings(before))["teams"]}
    rows = as_json(team_standings(after))["teams"]
    return [{"before": former.get(row["id"]), "after": row} for row in rows if row != former.get(row["id"])]
