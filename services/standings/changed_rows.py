"""The rows of a table that change, as pages show them: what they were, what they are then, and through what."""

from collections.abc import Iterable, Mapping
from typing import Any

from services.standings.page_context import PageContext
from shared.core.terms import PlayerId

Rows = list[dict[str, Any]]


def changed_rows(page: PageContext, change: Mapping[str, Any] | None) -> Rows:
    """The rows of a `diff` (None: there is no table) with names, and the tie-breaks that are others: code,
    value before, value after."""
    return [] if change is None else [_row(page, row) for row in change["changes"]]


def _row(page: PageContext, row: Mapping[str, Any]) -> dict[str, Any]:
    before, after = row["before"], row["after"]
    was = {} if before is None else before["tb"]
    tb = [(code, was.get(code), value) for code, value in after["tb"].items() if was.get(code) != value]
    return {
        "id": row["id"],
        "name": page.name(PlayerId(row["id"])),
        "before": before,
        "after": after,
        "tb": tb,
        "causes": [_cause(page, cause) for cause in row["causes"]],
    }


def _cause(page: PageContext, cause: Mapping[str, Any]) -> dict[str, Any]:
    opponent = cause["opponent"]
    return {**cause, "name": None if opponent is None else page.name(PlayerId(opponent))}


def changed_teams(page: PageContext, changes: Iterable[Mapping[str, Any]]) -> Rows:
    """The rows of a `team_diff` with the teams' names."""
    return [{**row, "name": page.team(row["after"]["id"])} for row in changes]
