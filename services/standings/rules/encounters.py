"""Direct encounter in readable form: the points made against tied players, and the opponents they were made against."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from services.standings.rules.table.incremental_state import Row
from services.standings.rules.table.table import Table, as_json
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.rules.tiebreaks.tiebreak import TieBreaks
from services.standings.rules.tiebreaks.value import Part, Value, number


def encounter(value: Value) -> dict[str, Any] | None:
    """Return a value of direct encounter as JSON, or None if it is undefined.

    ``points`` were made against ``opponents``, who are tied too and were met. ``place`` is the resulting place among
    the tied.
    """
    if value.quarters is None:
        return None
    return {
        "points": points_of(value.parts),
        "opponents": list(dict.fromkeys(part.opponent for part in value.parts)),
        "place": number(value.quarters),
    }


def points_of(parts: Iterable[Part]) -> int | float:
    """Return the sum of these parts of direct encounter, in points."""
    return number(Fraction(sum(part.quarters for part in parts)))


def encounters(row: Row) -> dict[str, dict[str, Any]]:
    """Return the direct encounters of a player's row, by tie-break code."""
    values = {code: encounter(value) for code, value in row.values.items() if TIEBREAKS.encounter(code)}
    return {code: met for code, met in values.items() if met is not None}


def add_encounters(table: Table, names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the table like `as_json`, with ``encounters`` added to rows that have values of direct encounter."""
    document = as_json(table, names)
    for row, shown in zip(table.rows, document["players"], strict=True):
        if met := encounters(row):
            shown["encounters"] = met
    return document


def tiebreak_columns(
    codes: Iterable[str], rows: Iterable[Mapping[str, Any]], known: TieBreaks[Any]
) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the tie-break columns of a table in JSON, and its rows with their values by column.

    A direct encounter has its points in the column of its code. Further columns list the opponents' numbers and, if it
    is extended, the game points.
    """
    spread = {code: _columns(code, known) for code in codes}
    cells = [{**row, "tb": _cells(row, spread)} for row in rows]
    return [column for columns in spread.values() for column in columns], cells


_COLUMNS = {None: (), "direct": (" against",), "extended": (" game points", " against")}


def _columns(code: str, known: TieBreaks[Any]) -> tuple[str, ...]:
    return (code, *(f"{code}{beside}" for beside in _COLUMNS[known.encounter(code)]))


def _cells(row: Mapping[str, Any], spread: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for code, (column, *beside) in spread.items():
        if not beside:
            cells[column] = row["tb"].get(code)
            continue
        met = row.get("encounters", {}).get(code)
        against = None if met is None else " ".join(map(str, met["opponents"]))
        values = [met and met["points"], *([met and met["game_points"]] if len(beside) > 1 else []), against]
        cells |= dict(zip((column, *beside), values, strict=True))
    return cells
