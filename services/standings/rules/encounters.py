"""Direct encounter in readable form: the points made against tied players, and the opponents they were made against."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from msgspec import UNSET, UnsetType

from services.standings.rules.answers import EncounterAnswer, PlayerRowAnswer, TableAnswer, TeamRowAnswer
from services.standings.rules.table.incremental_state import Row
from services.standings.rules.table.table import Table, table_answer
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.rules.tiebreaks.tiebreak import TieBreaks
from services.standings.rules.tiebreaks.value import Part, Value, number

RowAnswer = TypeVar("RowAnswer", bound=PlayerRowAnswer | TeamRowAnswer)


def encounter(value: Value) -> EncounterAnswer | None:
    """Return the API object for a value of the tie-break direct encounter, or None if the value is undefined.

    ``points`` were made against ``opponents``, who are tied too and were met. ``place`` is the resulting place among
    the tied.
    """
    if value.quarters is None:
        return None
    opponents = list(dict.fromkeys(part.opponent for part in value.parts))
    return EncounterAnswer(points=points_made(value.parts), opponents=opponents, place=int(number(value.quarters)))


def points_made(parts: Iterable[Part]) -> int | float:
    """Return the sum of these parts of a direct encounter, in points."""
    return number(Fraction(sum(part.quarters for part in parts)))


@lru_cache(256)
def _is_encounter(code: str) -> bool:
    return TIEBREAKS.encounter(code) is not None


def encounters(row: Row) -> dict[str, EncounterAnswer] | UnsetType:
    """Return the API objects for the direct encounters of a player's row, by tie-break code; `UNSET` if it has none."""
    values = {code: encounter(value) for code, value in row.values.items() if _is_encounter(code)}
    return {code: met for code, met in values.items() if met is not None} or UNSET


def add_encounters(table: Table, names: Mapping[str, str] | None = None) -> TableAnswer:
    """Return the standings as an API answer, with ``encounters`` in rows with direct encounters. ``names``: by text hash."""
    answer = table_answer(table, names)
    for row, shown in zip(table.rows, answer.players, strict=True):
        shown.encounters = encounters(row)
    return answer


def shown_tiebreaks(codes: Iterable[str], rows: Sequence[PlayerRowAnswer | TeamRowAnswer]) -> list[str]:
    """Return the tie-breaks that a table shows: those that are not zero, or undefined, for everybody.

    Game points of teams have a column of their own.
    """
    return [
        code
        for code in codes
        if code != "GPTS" and any(row.tb.get(code) or code in (row.encounters or {}) for row in rows)
    ]


def tiebreak_columns(
    codes: Iterable[str], rows: Iterable[RowAnswer], known: TieBreaks[Any]
) -> tuple[list[str], list[tuple[RowAnswer, Mapping[str, Any]]]]:
    """Return the tie-break columns of a table, and its rows, each with its values by column.

    The column of a direct encounter contains its points. Further columns contain the opponents' numbers and, if it is
    extended, the game points. ``known``: the set of tie-breaks that the codes belong to.
    """
    spread = {code: _columns(code, known) for code in codes}
    return [column for columns in spread.values() for column in columns], [(row, _cells(row, spread)) for row in rows]


_COLUMNS = {None: (), "direct": (" against",), "extended": (" game points", " against")}


def _columns(code: str, known: TieBreaks[Any]) -> tuple[str, ...]:
    return (code, *(f"{code}{beside}" for beside in _COLUMNS[known.encounter(code)]))


def _cells(row: PlayerRowAnswer | TeamRowAnswer, spread: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for code, (column, *beside) in spread.items():
        if not beside:
            cells[column] = row.tb.get(code)
            continue
        met = (row.encounters or {}).get(code)
        against = None if met is None else " ".join(map(str, met.opponents))
        values = [met and met.points, *([getattr(met, "game_points", None)] if len(beside) > 1 else []), against]
        cells |= dict(zip((column, *beside), values, strict=True))
    return cells
