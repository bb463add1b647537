"""The table of teams, out of a log: ``arbiter replay --teams``."""

from collections.abc import Mapping
from typing import Any

from deploy.cli.terminal.language import words
from deploy.cli.terminal.terminal_tables import Grid, cell
from deploy.cli.trf.player_tables import columns_of
from deploy.failure import Failure
from deploy.imports.tiebreak_order import spelled_order
from services.standings.rules.answers import TeamTableAnswer
from services.standings.rules.teams.explanation import add_team_encounters
from services.standings.rules.teams.member_places import PLACES
from services.standings.rules.teams.table import is_team_event, team_standings, tiebreaks_of
from services.standings.rules.tiebreaks.tiebreak import TieBreaks
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament, TournamentState


def teams_of(t: TournamentState, tiebreaks: str | None, known: Mapping[str, str] | None) -> TeamTableAnswer:
    """The table of teams, by these tie-breaks or the event's own.

    An event of single players ends the command with exit code 1, names that are no tie-breaks of its teams with 2.
    """
    if not isinstance(t, Tournament) or not is_team_event(t):
        raise Failure(say("{id} is a tournament of single players: it has no team standings", id=t.id), 1)
    chosen = None
    if tiebreaks is not None:
        chosen = spelled_order(tiebreaks, tiebreaks_of(t))
    return add_team_encounters(team_standings(t, chosen), known)


def print_teams(answer: TeamTableAnswer, known: TieBreaks[Any], title: str) -> None:
    """The table for people."""
    every, rows = columns_of(answer, known)
    columns = [name for name in every if name != PLACES]
    score = {"points": say("MP"), "game_points": say("GP")}
    if answer.teams and answer.teams[0].by_places:
        score = {"places": say("Places")}
    grid = Grid(title)
    grid.add_column("#", justify="right")
    grid.add_column(words(say("No.")), justify="right")
    grid.add_column(words(say("Team")))
    for name in (*map(words, score.values()), *columns):
        grid.add_column(name, justify="right")
    for row, cells in rows:
        values = (*(getattr(row, s) for s in score), *(cells[n] for n in columns))
        grid.add_row(str(row.rank), str(row.id), row.name or "", *map(cell, values))
    grid.print()
