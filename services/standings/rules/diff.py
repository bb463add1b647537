"""The difference of the table between two states of a tournament, and the lines that made it."""

from typing import Any

from services.standings.rules.causes import causes
from services.standings.rules.encounters import encounters
from services.standings.rules.explanation import row_events
from services.standings.rules.table.incremental_state import Row
from services.standings.rules.table.table import Table, values_json
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.rules.tiebreaks.tiebreak import Dependence
from services.standings.rules.tiebreaks.value import points_number


def diff(before: Table, after: Table) -> dict[str, Any]:
    """The rows that changed, by their new rank, as a JSON object.

    Each names its ``id``, its ``before`` and ``after`` (``rank``, ``points``, ``tb``, and ``encounters`` as the table has
    them; null where the player was not entered), ``causes`` (`causes`) and ``events``: the lines that the one rests on and the
    other does not. A row that only moved because others did has neither of its own. ``events`` at the top is their union.
    """
    old = {row.player: row for row in before.rows}
    changes: list[dict[str, Any]] = []
    for row in after.rows:
        former = old.get(row.player)
        was, now = None if former is None else _facts(former), _facts(row)
        if was != now:
            rests = set() if former is None else row_events(before.field, former)
            events = sorted(rests ^ row_events(after.field, row))
            why = causes(before.field, after.field, row.player, opponents=_leans_on_opponents(was, now))
            rows = {"before": None if former is None else _row(former), "after": _row(row)}
            changes.append({"id": row.player, **rows, "causes": why, "events": events})
    return {
        "tournament": after.tournament,
        "from": before.seq,
        "to": after.seq,
        "changes": changes,
        "events": sorted({seq for c in changes for seq in c["events"]}),
    }


def _leans_on_opponents(was: dict[str, Any] | None, now: dict[str, Any]) -> bool:
    """Whether a tie-break is another that is made of more than one's own record."""
    others = [code for code, value in now["tb"].items() if was is None or was["tb"].get(code) != value]
    return any(TIEBREAKS.depends_on(code) is not Dependence.OWN for code in others)


def _row(row: Row) -> dict[str, Any]:
    met = encounters(row)
    return _facts(row) | ({"encounters": met} if met else {})


def _facts(row: Row) -> dict[str, Any]:
    return {"rank": row.rank, "points": points_number(row.points), "tb": values_json(row)}
