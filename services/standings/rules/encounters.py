"""Direct encounter as people read it: the points that a player made against those who are tied with him, and against whom."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from services.standings.rules.table.incremental_state import Row
from services.standings.rules.table.table import Table, as_json
from services.standings.rules.tiebreaks.registry import ALL_MET_CODE, TIEBREAKS
from services.standings.rules.tiebreaks.value import Value, number


def is_encounter(code: str) -> bool:
    """Whether a code is one of direct encounter (C.07 6, 直胜), whose value is a place among the tied."""
    return TIEBREAKS[code].row.base in ("DE", ALL_MET_CODE)


def encounter(value: Value) -> dict[str, Any] | None:
    """A value of direct encounter as JSON: the ``points`` made against the ``opponents`` who are tied too and were met, and the
    ``place`` that this gives among them; None where it is undefined."""
    if value.quarters is None:
        return None
    return {
        "points": number(Fraction(sum(part.quarters for part in value.parts))),
        "opponents": list(dict.fromkeys(part.opponent for part in value.parts)),
        "place": number(value.quarters),
    }


def encounters(row: Row) -> dict[str, dict[str, Any]]:
    """Those of a row, by their codes."""
    found = {code: encounter(value) for code, value in row.values.items() if is_encounter(code)}
    return {code: met for code, met in found.items() if met is not None}


def with_encounters(table: Table, names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The table as `as_json` has it; the rows that have such values have ``encounters`` too."""
    document = as_json(table, names)
    for row, told in zip(table.rows, document["players"], strict=True):
        if met := encounters(row):
            told["encounters"] = met
    return document


def as_columns(document: Mapping[str, Any]) -> tuple[list[str], list[dict[str, Any]]]:
    """The columns of tie-breaks of such a table, and its rows with their values by column: of direct encounter the points, and
    in a column of its own the numbers of those they were made against."""
    columns: list[str] = []
    for code in document["tiebreaks"]:
        columns += [code, _against(code)] if is_encounter(code) else [code]
    return columns, [{**row, "tb": _cells(row)} for row in document["players"]]


def _against(code: str) -> str:
    return f"{code} against"


def _cells(row: Mapping[str, Any]) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for code, value in row["tb"].items():
        if not is_encounter(code):
            cells[code] = value
            continue
        met = row.get("encounters", {}).get(code)
        cells[code] = None if met is None else met["points"]
        cells[_against(code)] = None if met is None else " ".join(map(str, met["opponents"]))
    return cells
