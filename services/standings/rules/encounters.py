"""Direct encounter as people read it: the points that somebody made against those who are tied with him, and against whom."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from services.standings.rules.table.incremental_state import Row
from services.standings.rules.table.table import Table, as_json
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.rules.tiebreaks.tiebreak import TieBreaks
from services.standings.rules.tiebreaks.value import Part, Value, number


def encounter(value: Value) -> dict[str, Any] | None:
    """A value of direct encounter as JSON: the ``points`` made against the ``opponents`` who are tied too and were met, and the
    ``place`` that this gives among them; None where it is undefined."""
    if value.quarters is None:
        return None
    return {
        "points": points_of(value.parts),
        "opponents": list(dict.fromkeys(part.opponent for part in value.parts)),
        "place": number(value.quarters),
    }


def points_of(parts: Iterable[Part]) -> int | float:
    """The points that parts of direct encounter add up to."""
    return number(Fraction(sum(part.quarters for part in parts)))


def encounters(row: Row) -> dict[str, dict[str, Any]]:
    """Those of a player's row, by their codes."""
    found = {code: encounter(value) for code, value in row.values.items() if TIEBREAKS.encounter(code)}
    return {code: met for code, met in found.items() if met is not None}


def with_encounters(table: Table, names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The table as `as_json` has it; the rows that have such values have ``encounters`` too."""
    document = as_json(table, names)
    for row, told in zip(table.rows, document["players"], strict=True):
        if met := encounters(row):
            told["encounters"] = met
    return document


def as_columns(
    codes: Iterable[str], rows: Iterable[Mapping[str, Any]], known: TieBreaks[Any]
) -> tuple[list[str], list[dict[str, Any]]]:
    """The columns of tie-breaks of a table told as JSON, and its rows with their values by column: of direct encounter the
    points, and in columns of their own the numbers of those they were made against and, where it is extended, the game
    points."""
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
