"""The rows of a table that change, as pages show them: what they were, what they are then, and through what."""

from collections.abc import Iterable, Mapping
from typing import Any

from services.standings.page_context import PageContext
from services.standings.rules.teams.member_places import PLACES
from services.standings.rules.teams.table import tiebreaks_of
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.rules.tiebreaks.tiebreak import Dependence, TieBreaks
from shared.core.language.messages import Message
from shared.core.terms import PlayerId

Rows = list[dict[str, Any]]

_IN_COLUMNS = ("GPTS", PLACES)
"""What a row of teams shows in columns of their own."""


def changed_rows(page: PageContext, change: Mapping[str, Any] | None) -> Rows:
    """The rows of a `diff` (None: there is no table) with names, ``tb``, the tie-breaks that are others by
    `_changed`, and ``own``: whether one of these counts one's own record alone."""
    return [] if change is None else [_row(page, row) for row in change["changes"]]


def _row(page: PageContext, row: Mapping[str, Any]) -> dict[str, Any]:
    tiebreaks = _changed(row, TIEBREAKS)
    return {
        **row,
        "name": page.name(PlayerId(row["id"])),
        "tb": tiebreaks,
        "own": any(TIEBREAKS.depends_on(code) is Dependence.OWN for code, _ in tiebreaks),
        "causes": [_cause(page, cause) for cause in row["causes"]],
    }


def _changed(row: Mapping[str, Any], known: TieBreaks[Any]) -> list[tuple[str, Message]]:
    """The codes of the tie-breaks that are others after than before, by value or by what is shown of it, and what people call
    them."""
    was, now = row["before"] or {"tb": {}}, row["after"]
    codes = [code for code in now["tb"] if _shown(was, code) != _shown(now, code)]
    return [(code, known.titles[code]) for code in codes if code not in _IN_COLUMNS]


def _shown(row: Mapping[str, Any], code: str) -> Any:
    return row["tb"].get(code), row.get("encounters", {}).get(code)


def _cause(page: PageContext, cause: Mapping[str, Any]) -> dict[str, Any]:
    opponent = cause["opponent"]
    return {**cause, "name": None if opponent is None else page.name(PlayerId(opponent))}


def changed_teams(page: PageContext, changes: Iterable[Mapping[str, Any]]) -> Rows:
    """The rows of a `team_diff` with the teams' names, and ``tb`` as `changed_rows`."""
    return [
        {**row, "name": page.team(row["after"]["id"]), "tb": _changed(row, tiebreaks_of(page.tournament))}
        for row in changes
    ]
