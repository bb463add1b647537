"""Direct encounter of teams in readable form: the points made against tied teams, if extended also the game points."""

from collections.abc import Mapping
from typing import Any

from services.standings.rules.encounters import encounter, points_of
from services.standings.rules.teams.table import TeamTable, as_json, tiebreaks_of
from services.standings.rules.tiebreaks.direct_encounter import mutual_parts
from services.standings.rules.tiebreaks.registry import apply_modifiers
from services.standings.rules.tiebreaks.value import Value
from shared.core.terms import PlayerId


def team_encounter(table: TeamTable, team: int, code: str, value: Value) -> dict[str, Any] | None:
    """Return a team's value of direct encounter, like `encounter`.

    If it is extended (C.07 13.3), ``points`` are match points and ``game_points`` those made against the same
    opponents.
    """
    known, shown = tiebreaks_of(table.tournament), encounter(value)
    if shown is not None and known.encounter(code) == "extended":
        assert table.field is not None, "such a tie-break is of matches"
        scored = apply_modifiers(table.field.table_field(team).game, known[code].code)
        games = mutual_parts(scored, PlayerId(team), shown["opponents"])
        shown["game_points"] = points_of(games)
    return shown


def add_team_encounters(table: TeamTable, names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the table like `as_json`, with ``encounters`` by code added to rows that have such values."""
    document, known = as_json(table, names), tiebreaks_of(table.tournament)
    for row, shown in zip(table.rows, document["teams"], strict=True):
        values = {code: value for code, value in row.values.items() if known.encounter(code)}
        encounters_by_code = {code: team_encounter(table, row.team, code, value) for code, value in values.items()}
        if met := {code: one for code, one in encounters_by_code.items() if one is not None}:
            shown["encounters"] = met
    return document
