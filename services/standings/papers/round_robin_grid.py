"""The grid of a round robin: the pairs of each round of the table, and the results of every two sides."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from services.standings.page_context import PageContext
from services.standings.rules.crosstable import annulment_reason, letter
from services.standings.tables.table_routes import team_table
from shared.core.readings.scoring import RoundScore
from shared.core.rounds.berger_tables import Table as BergerTable
from shared.core.rounds.matches import matches
from shared.core.rounds.rounds_to_come import tables_of
from shared.core.rounds.stages import Stage, stage_named, stages_begun
from shared.core.rulebook.formats import FORMATS
from shared.desk.desk import Desk
from shared.web.result_words import points

UPRIGHT_SIDES = 12
"""Sides of a group whose columns an upright sheet has room for."""


class GridCell(NamedTuple):
    """A result against one opponent, as a letter of TRF or in points of a team, and whether it was annulled."""

    result: str
    annulled: bool


@dataclass(frozen=True, slots=True)
class GridRow:
    """A side: its number in the table, its results by opponent, its points in this group, and its rank in the standings."""

    number: int
    side: int
    cells: tuple[tuple[GridCell, ...], ...]
    points: str
    rank: int | None


@dataclass(frozen=True, slots=True)
class Grid:
    """A group (``number`` 0: the only one) of a stage, with its rows, and the pairs of numbers of each round."""

    stage: str
    number: int
    rows: tuple[GridRow, ...]
    rounds: tuple[tuple[tuple[int, int], ...], ...]

    @property
    def lies(self) -> bool:
        """Return whether its sheet lies on its side."""
        return len(self.rows) > UPRIGHT_SIDES


def grids(page: PageContext) -> list[Grid]:
    """Return the grid of every group of every round robin that was drawn up, in their order."""
    if page.state.regulations is None:
        return []
    t = page.tournament
    begun = stages_begun(t)
    found = []
    for n, stage in enumerate(begun):
        if FORMATS[stage_named(t, stage.name).format].rests and stage.groups:
            end = begun[n + 1].first if n + 1 < len(begun) else t.rounds_paired() + 1
            found += list(_of_stage(page, stage, tables_of(t, begun[: n + 1]), range(stage.first, end)))
    return found


def grid_paper(_: Desk, page: PageContext) -> dict[str, Any]:
    """Return the grids for their paper."""
    return {"grids": grids(page)}


def _of_stage(page: PageContext, stage: Stage, tables: tuple[BergerTable, ...], rounds: range) -> Iterator[Grid]:
    results = _team_results(page, rounds) if page.teams_meet else _player_results(page, rounds)
    ranks = _ranks(page)
    for number, (group, table) in enumerate(zip(stage.groups, tables, strict=True), 1):
        rows = tuple(
            GridRow(
                n,
                side,
                tuple(tuple(cell for cell, _ in results.get((side, other), ())) for other in group),
                points(sum(own for other in group for _, own in results.get((side, other), ()))),
                ranks.get(side),
            )
            for n, side in enumerate(group, 1)
        )
        paired = tuple(tuple(pair for pair in one if min(pair) <= len(group)) for one in table)
        yield Grid(stage.name, number if len(stage.groups) > 1 else 0, rows, paired)


Results = dict[tuple[int, int], list[tuple[GridCell, int]]]
"""The cells, and half-points, of every side against every other."""


def _player_results(page: PageContext, rounds: range) -> Results:
    table = page.table()
    assert table is not None, "a grid has regulations"
    found: Results = {}

    def cell(r: RoundScore) -> GridCell:
        return GridCell(letter(table.field, r), annulment_reason(table.field, r) is not None)

    for player, score in table.field.scores.items():
        for r in score.rounds:
            if r.opponent and r.round in rounds:
                found.setdefault((player, r.opponent), []).append((cell(r), r.points))
    return found


def _team_results(page: PageContext, rounds: range) -> Results:
    found: Results = {}
    for score in matches(page.tournament).values():
        if score.round not in rounds or not score.second:
            continue
        for own, other, value in ((score.first, score.second, 0), (score.second, score.first, 1)):
            shown = "*" if score.open else points(score.points[value])
            found.setdefault((own, other), []).append((GridCell(shown, annulled=False), score.points[value]))
    return found


def _ranks(page: PageContext) -> dict[int, int]:
    if page.teams_meet:
        return {row.team: row.rank for row in team_table(page.view).rows}
    table = page.table()
    return {} if table is None else {row.player: row.rank for row in table.rows}
