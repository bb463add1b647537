"""The table of players on a terminal and as CSV, and the tie-breaks that people name."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from deploy.cli.terminal.language import words
from deploy.cli.terminal.terminal_tables import Grid, cell
from deploy.imports.tiebreak_order import spelled_order
from services.standings.files.csv_tables import from_rows
from services.standings.rules.answers import PlayerRowAnswer, TableAnswer, TeamRowAnswer, TeamTableAnswer
from services.standings.rules.encounters import add_encounters, tiebreak_columns
from services.standings.rules.table.table import standings
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
    """The standings of a tournament; before regulations there are none, and nobody to rank."""
    if not isinstance(t, Tournament):
        return TableAnswer(tournament=t.id, seq=t.seq, rounds=0, tiebreaks=tiebreaks or (), players=())
    return add_encounters(standings(t, tiebreaks), known)


def print_csv(answer: TableAnswer | TeamTableAnswer, known: TieBreaks[Any], regulations: str) -> None:
    """A table of players or teams by these tie-breaks under the regulations named so, as CSV, its line ends as they are
    (RFC 4180)."""
    columns, rows = columns_of(answer, known)
    sys.stdout.buffer.write(from_rows(rows, score_of(answer), columns, regulations).encode())
    sys.stdout.buffer.flush()


def columns_of(
    answer: TableAnswer | TeamTableAnswer, known: TieBreaks[Any]
) -> tuple[list[str], list[tuple[PlayerRowAnswer | TeamRowAnswer, Mapping[str, Any]]]]:
    """The columns of tie-breaks, those that rank before those beside them, and the rows with their values by column; points
    have a column of their own."""
    rows: Sequence[PlayerRowAnswer | TeamRowAnswer]
    rows = answer.teams if isinstance(answer, TeamTableAnswer) else answer.players
    names = dict.fromkeys([*answer.tiebreaks, *(n for p in rows for n in p.tb)])
    return tiebreak_columns([n for n in names if n not in ("PTS", "GPTS")], rows, known)


def score_of(answer: TableAnswer | TeamTableAnswer) -> tuple[str, ...]:
    """What ranks before tie-breaks: points, of teams with game points, or the sum of places."""
    if isinstance(answer, TableAnswer):
        return ("points",)
    return ("places",) if answer.teams and answer.teams[0].by_places else ("points", "game_points")


def print_table(answer: TableAnswer, title: str) -> None:
    """Standings for people."""
    grid = Grid(title)
    columns, rows = columns_of(answer, TIEBREAKS)
    grid.add_column("#", justify="right")
    grid.add_column(words(say("No.")), justify="right")
    grid.add_column(words(say("Name")))
    for name in (words(say("Pts")), *columns):
        grid.add_column(name, justify="right")
    for row, cells in rows:
        assert isinstance(row, PlayerRowAnswer), "a table of players"
        values = (decimal(row.points), *(cell(cells[n]) for n in columns))
        grid.add_row(str(row.rank), str(row.id), row.name or "", *values)
    grid.print()


def step(old: float | None, new: float | None) -> str:
    """A value that may have changed: 2, or 1.5 → 2."""
    return decimal(new) if old == new else f"{decimal(old)} → {decimal(new)}"
