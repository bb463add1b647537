"""Direct encounter of teams in readable form: the points made against tied teams, if extended also the game points."""

from collections.abc import Mapping

from msgspec import UNSET

from services.standings.rules.answers import TeamEncounterAnswer, TeamTableAnswer
from services.standings.rules.encounters import encounter, points_of
from services.standings.rules.teams.table import TeamTable, team_table_answer, tiebreaks_of
from services.standings.rules.tiebreaks.direct_encounter import mutual_parts
from services.standings.rules.tiebreaks.registry import apply_modifiers
from services.standings.rules.tiebreaks.value import Value
from shared.core.terms import PlayerId


def team_encounter(table: TeamTable, team: int, code: str, value: Value) -> TeamEncounterAnswer | None:
    """Return a team's value of direct encounter, like `encounter`.

    If it is extended (C.07 13.3), ``points`` are match points and ``game_points`` those made against the same
    opponents.
    """
    known, met = tiebreaks_of(table.tournament), encounter(value)
    if met is None:
        return None
    shown = TeamEncounterAnswer(points=met.points, opponents=met.opponents, place=met.place)
    if known.encounter(code) == "extended":
        assert table.field is not None, "such a tie-break is of matches"
        scored = apply_modifiers(table.field.table_field(team).game, known[code].code)
        shown.game_points = points_of(mutual_parts(scored, PlayerId(team), list(map(PlayerId, met.opponents))))
    return shown


def add_team_encounters(table: TeamTable, names: Mapping[str, str] | None = None) -> TeamTableAnswer:
    """Return the table like `team_table_answer`, with ``encounters`` by code added to rows that have such values."""
    answer, known = team_table_answer(table, names), tiebreaks_of(table.tournament)
    for row, shown in zip(table.rows, answer.teams, strict=True):
        values = {code: value for code, value in row.values.items() if known.encounter(code)}
        met = {code: team_encounter(table, row.team, code, value) for code, value in values.items()}
        shown.encounters = {code: one for code, one in met.items() if one is not None} or UNSET
    return answer
