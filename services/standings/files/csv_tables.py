"""Tables as CSV (RFC 4180): a header, and a line for each player or team."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

from services.standings.files.spreadsheet import Cell, safe, spreadsheet
from services.standings.rules.encounters import add_encounters, tiebreak_columns
from services.standings.rules.table.table import Table
from services.standings.rules.teams.encounters import add_team_encounters
from services.standings.rules.teams.table import TeamTable, tiebreaks_of
from services.standings.rules.tiebreaks.registry import TIEBREAKS


def as_csv(table: Table, regulations: str, names: Mapping[str, str] | None = None) -> str:
    """Rank, number, name, points, tie-breaks and regulations of every player; an undefined value is empty."""
    document = add_encounters(table, names)
    columns, rows = tiebreak_columns(document["tiebreaks"], document["players"], TIEBREAKS)
    return from_json(rows, ("points",), columns, regulations)


def team_csv(table: TeamTable, names: Mapping[str, str] | None = None) -> str:
    """Rank, number, name, score, tie-breaks and regulations of every team; an undefined value is empty."""
    document, known = add_team_encounters(table, names), tiebreaks_of(table.tournament)
    score = ("places",) if table.field is None else ("points", "game_points")
    tiebreaks = tuple(table.rows[0].values) if table.rows else tuple(table.tiebreaks)
    columns, rows = tiebreak_columns(tiebreaks, document["teams"], known)
    return from_json(rows, score, columns, table.tournament.regulations.title)


def from_json(
    rows: Iterable[Mapping[str, object]], score: Sequence[str], tiebreaks: Sequence[str], regulations: str
) -> str:
    """The rows of a table that was told as JSON; ``score`` names the fields that rank first, ``regulations`` the set in force
    with how much was changed in it, which CSV can say in a column alone."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(("rank", "id", "name", *score, *(n for n in tiebreaks if n != "PTS"), "regulations"))
    for row in rows:
        values = row["tb"]
        assert isinstance(values, Mapping)
        cells = (*(row[s] for s in score), *(values.get(n) for n in tiebreaks if n != "PTS"))
        writer.writerow((row["rank"], row["id"], safe(str(row["name"] or "")), *cells, safe(regulations)))
    return out.getvalue()


def crosstable_csv(document: Mapping[str, Any]) -> bytes:
    """The cross table that was told as JSON: rank, starting number, name and points of every player, and a cell a round."""
    head = ("rank", "number", "name", "points", *(str(n) for n in range(1, document["rounds"] + 1)))
    return spreadsheet(head, crossed(document))


def crossed(document: Mapping[str, Any]) -> Iterator[Sequence[Cell]]:
    """The rows of a cross table that was told as JSON."""
    for p in document["players"]:
        yield (p["rank"], p["starting_number"], p["name"], p["points"], *(_met(r) for r in p["rounds"]))


def _met(r: Mapping[str, Any]) -> str:
    """A cell of the cross table: rank of the opponent, side and result."""
    if r["opponent"] is None:
        return str(r["result"])
    return f"{r['rank']}{str(r['side'])[:1]}{str(r['result']).replace('-', '−')}"
