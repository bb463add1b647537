"""Tables as CSV (RFC 4180): a header, and a line for each player or team."""

import csv
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Any, TypeAlias

from services.standings.rules.answers import CellAnswer, CrosstableAnswer, PlayerRowAnswer, TeamRowAnswer
from services.standings.rules.encounters import add_encounters, tiebreak_columns
from services.standings.rules.table.table import Table
from services.standings.rules.teams.explanation import add_team_encounters
from services.standings.rules.teams.table import TeamTable, tiebreaks_of
from services.standings.rules.tiebreaks.registry import TIEBREAKS

Cell: TypeAlias = str | int | float | None

CSV = "text/csv"
MARK = b"\xef\xbb\xbf"
"""By which Excel and WPS take a file for UTF-8."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_UNSEEN = {"Zs", "Zl", "Zp", "Cc", "Cf"}


def safe(text: str) -> str:
    """A text that a spreadsheet would take for a formula, marked as text (OWASP, CSV Injection)."""
    seen = next((n for n, c in enumerate(text) if unicodedata.category(c) not in _UNSEEN), len(text))
    return f"'{text}" if text.startswith(_FORMULA) or text[seen:].startswith(_FORMULA) else text


def spreadsheet(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """A table as CSV (RFC 4180); what is not known is an empty cell, also at the end: all rows are equally long (2, 4)."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow([safe(name) for name in head])
    for row in rows:
        cells = [_cell(value) for value in row]
        writer.writerow(cells + [""] * (len(head) - len(cells)))
    return MARK + out.getvalue().encode()


def _cell(value: Cell) -> int | float | str:
    if value is None:
        return ""
    if isinstance(value, str):
        return safe(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def as_csv(table: Table, regulations: str, names: Mapping[str, str] | None = None) -> str:
    """Rank, number, name, points, tie-breaks and regulations of every player; an undefined value is empty."""
    answer = add_encounters(table, names)
    columns, rows = tiebreak_columns(answer.tiebreaks, answer.players, TIEBREAKS)
    return from_rows(rows, ("points",), columns, regulations)


def team_csv(table: TeamTable, names: Mapping[str, str] | None = None) -> str:
    """Rank, number, name, score, tie-breaks and regulations of every team; an undefined value is empty."""
    answer, known = add_team_encounters(table, names), tiebreaks_of(table.tournament)
    score = ("places",) if table.field is None else ("points", "game_points")
    tiebreaks = tuple(table.rows[0].values) if table.rows else tuple(table.tiebreaks)
    columns, rows = tiebreak_columns(tiebreaks, answer.teams, known)
    return from_rows(rows, score, columns, table.tournament.regulations.title)


def from_rows(
    rows: Iterable[tuple[PlayerRowAnswer | TeamRowAnswer, Mapping[str, Any]]],
    score: Sequence[str],
    tiebreaks: Sequence[str],
    regulations: str,
) -> str:
    """Return rows of `tiebreak_columns` as CSV.

    ``score`` names the members that rank first, ``regulations`` the ruleset in force with the number of its changes.
    """
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(("rank", "id", "name", *score, *(n for n in tiebreaks if n != "PTS"), "regulations"))
    for row, values in rows:
        cells = (*(getattr(row, s) for s in score), *(values.get(n) for n in tiebreaks if n != "PTS"))
        writer.writerow((row.rank, row.id, safe(row.name or ""), *cells, safe(regulations)))
    return out.getvalue()


def crosstable_csv(table: CrosstableAnswer) -> bytes:
    """Return a cross table as CSV: rank, starting number, name and points of every player, and a cell per round."""
    head = ("rank", "number", "name", "points", *(str(n) for n in range(1, table.rounds + 1)))
    return spreadsheet(
        head, ((p.rank, p.starting_number, p.name, p.points, *map(_by_rank, p.rounds)) for p in table.players)
    )


def _by_rank(r: CellAnswer) -> str:
    """Return a cell of the cross table with the rank of the opponent, as programs read it since version 1.0."""
    return r.result if r.opponent is None else met(r.rank, str(r.side)[:1], r.result)


def met(opponent: int | None, side: str, result: str) -> str:
    """Return a cell of a cross table: the opponent, the initial of the side, and the result."""
    return f"{opponent}{side}{result.replace('-', '−')}"
