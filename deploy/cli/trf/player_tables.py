"""The tables of players and of teams on a terminal and as CSV, and their tie-breaks."""

from collections.abc import Mapping, Sequence
from typing import Any

from deploy.cli.terminal.verb import Grid, cell, write_bytes
from deploy.failure import Failure
from deploy.imports.tiebreak_order import spelled_order
from services.standings.files.csv_tables import from_rows
from services.standings.rules.answers import PlayerRowAnswer, TableAnswer, TeamRowAnswer, TeamTableAnswer
from services.standings.rules.encounters import add_encounters, tiebreak_columns
from services.standings.rules.table.table import standings
from services.standings.rules.teams.explanation import add_team_encounters
from services.standings.rules.teams.member_places import PLACES
from services.standings.rules.teams.table import is_team_event, team_standings, tiebreaks_of
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.rules.tiebreaks.tiebreak import TieBreaks
from shared.core.language.decimals import decimal
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament, TournamentState


def tiebreak_list(text: str | None, *, every: bool = False) -> tuple[str, ...] | None:
    """Codes of tie-breaks out of a comma-separated list, in any letters; ``all`` where ``every`` is allowed."""
    if text is None:
        return None
    if every and text.strip().lower() == "all":
        return TIEBREAKS.codes
    chosen = spelled_order(text, TIEBREAKS)
    return tuple(n for n in chosen if n != "PTS") if not every else chosen


def standings_of(t: TournamentState, tiebreaks: tuple[str, ...] | None, known: Mapping[str, str] | None) -> TableAnswer:
    """Return the standings of a tournament, without players before it has a ruleset."""
    if not isinstance(t, Tournament):
        return TableAnswer(tournament=t.id, seq=t.seq, rounds=0, tiebreaks=tiebreaks or (), players=())
    return add_encounters(standings(t, tiebreaks), known)


def print_csv(answer: TableAnswer | TeamTableAnswer, known: TieBreaks[Any], regulations: str) -> None:
    """Print a table of players or teams as CSV (RFC 4180), with its tie-breaks and the title of its ruleset."""
    columns, rows = columns_of(answer, known)
    write_bytes(from_rows(rows, score_of(answer), columns, regulations).encode())


def columns_of(
    answer: TableAnswer | TeamTableAnswer, known: TieBreaks[Any]
) -> tuple[list[str], list[tuple[PlayerRowAnswer | TeamRowAnswer, Mapping[str, Any]]]]:
    """Return the columns of tie-breaks, ranking ones first, and the rows with their values by column.

    Points have a column of their own.
    """
    rows: Sequence[PlayerRowAnswer | TeamRowAnswer]
    rows = answer.teams if isinstance(answer, TeamTableAnswer) else answer.players
    names = dict.fromkeys([*answer.tiebreaks, *(n for p in rows for n in p.tb)])
    return tiebreak_columns([n for n in names if n not in ("PTS", "GPTS")], rows, known)


def score_of(answer: TableAnswer | TeamTableAnswer) -> tuple[str, ...]:
    """Return the scores that rank before tie-breaks: points, for teams also game points, or the sum of places."""
    if isinstance(answer, TableAnswer):
        return ("points",)
    return ("places",) if answer.teams and answer.teams[0].by_places else ("points", "game_points")


def step(old: float | None, new: float | None) -> str:
    """Return a value that may have changed: 2, or 1.5 → 2."""
    return decimal(new) if old == new else f"{decimal(old)} → {decimal(new)}"


def teams_of(t: TournamentState, tiebreaks: str | None, known: Mapping[str, str] | None) -> TeamTableAnswer:
    """Return the table of teams, by these tie-breaks or the event's own.

    Raises `Failure` with exit code 1 for an event of single players, and 2 for unknown tie-breaks.
    """
    if not isinstance(t, Tournament) or not is_team_event(t):
        raise Failure(say("{id} is a tournament of single players: it has no team standings", id=t.id), 1)
    chosen = None
    if tiebreaks is not None:
        chosen = spelled_order(tiebreaks, tiebreaks_of(t))
    return add_team_encounters(team_standings(t, chosen), known)


def print_table(answer: TableAnswer | TeamTableAnswer, known: TieBreaks[Any], title: str) -> None:
    """Print standings of players or teams for people."""
    every, rows = columns_of(answer, known)
    columns, score = [name for name in every if name != PLACES], score_of(answer)
    players = isinstance(answer, TableAnswer)
    grid = Grid(title)
    grid.add_columns("#", say("No."), justify="right")
    grid.add_columns(say("Name") if players else say("Team"))
    heads = (say("Pts"),) if players else tuple(_HEADS[name] for name in score)
    grid.add_columns(*heads, *columns, justify="right")
    for row, cells in rows:
        values = (*(getattr(row, s) for s in score), *(cells[n] for n in columns))
        grid.add_row(str(row.rank), str(row.id), row.name or "", *map(cell, values))
    grid.print()


_HEADS = {"points": say("MP"), "game_points": say("GP"), "places": say("Places")}
"""The headings of the scores of teams."""
