"""The difference of the table between two states of a tournament, and the events that caused it."""

from collections.abc import Iterator
from typing import Any

from services.standings.rules.encounters import encounters
from services.standings.rules.explanation import row_events
from services.standings.rules.records import Field
from services.standings.rules.table.incremental_state import Row
from services.standings.rules.table.table import Table, values_json
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.rules.tiebreaks.tiebreak import Dependence
from services.standings.rules.tiebreaks.value import points_number
from shared.core.readings.scoring import RoundScore, Score
from shared.core.terms import HalfPoints, PlayerId


def causes(before: Field, after: Field, player: PlayerId, *, opponents: bool) -> list[dict[str, Any]]:
    """Return what changed in a player's record, and in the points of opponents, between two fields of one tournament.

    Each cause has a ``kind``: ``round`` (with ``round``, ``opponent``, ``game``), ``ruling`` on points (with
    ``ruling``), or ``opponent`` with different points, if ``opponents`` is true. ``before`` and ``after`` are the
    points, or null if the round did not exist or has no result. A round that counts differently for the same points is
    included. The list is empty for a player whose row only moved because others moved.
    """
    was, now = before.scores.get(player), after.scores[player]
    if was is None:
        return []
    own = [*_rounds(was, now), *_rulings(after, was, now)]
    return [*own, *_opponents(before, after, player)] if opponents else own


def _rounds(was: Score, now: Score) -> Iterator[dict[str, Any]]:
    former = {r.round: r for r in was.rounds}
    for r in now.rounds:
        old = former.get(r.round)
        if old is None and r.kind == "open":
            continue
        if old is None or _scoring_facts(old) != _scoring_facts(r):
            yield _cause("round", _points_of_round(old), _points_of_round(r)) | {
                "round": r.round,
                "opponent": r.opponent or None,
                "game": r.game,
            }


def _points_of_round(r: RoundScore | None) -> HalfPoints | None:
    """Return the half-points of a round, or None if it has no result or was not paired."""
    return None if r is None or r.kind == "open" else r.points


def _scoring_facts(r: RoundScore) -> tuple[object, ...]:
    """Return the properties of a round that affect the table, without the events that they come from."""
    return r.kind, r.points, r.opponent, r.bye, r.game, r.counted


def _rulings(field: Field, was: Score, now: Score) -> Iterator[dict[str, Any]]:
    former, latter = dict(was.adjustments), dict(now.adjustments)
    names = {ruling.seq: id for id, ruling in field.tournament.rulings.items()}
    for seq in sorted(former.keys() | latter.keys()):
        if former.get(seq) != latter.get(seq):
            yield _cause("ruling", former.get(seq), latter.get(seq)) | {"ruling": names[seq]}


def _opponents(before: Field, after: Field, player: PlayerId) -> Iterator[dict[str, Any]]:
    met = {r.opponent: None for field in (before, after) for r in field.scores[player].rounds if r.opponent}
    for opponent in met:
        if opponent in before.own and before.own[opponent] != after.own[opponent]:
            yield _cause("opponent", before.own[opponent], after.own[opponent]) | {"opponent": opponent}


def _cause(kind: str, before: HalfPoints | None, after: HalfPoints | None) -> dict[str, Any]:
    points = {
        name: None if value is None else points_number(value) for name, value in (("before", before), ("after", after))
    }
    return {"kind": kind, "round": None, "opponent": None, "game": None, "ruling": None} | points


def diff(before: Table, after: Table) -> dict[str, Any]:
    """Return the rows that changed, by their new rank, as a JSON object.

    Each row has its ``id``, ``before`` and ``after`` (``rank``, ``points``, ``tb``, and ``encounters`` as in the table;
    null if the player was not entered), ``causes`` (see `causes`) and ``events``: the events that only one of the two
    rows depends on. A row that only moved because others moved has no causes and no events of its own. The top-level
    ``events`` is the union of all rows.
    """
    old = {row.player: row for row in before.rows}
    changes: list[dict[str, Any]] = []
    for row in after.rows:
        former = old.get(row.player)
        was, now = None if former is None else _facts(former), _facts(row)
        if was != now:
            rests = set() if former is None else row_events(before.field, former)
            events = sorted(rests ^ row_events(after.field, row))
            reasons = causes(before.field, after.field, row.player, opponents=_depends_on_opponents(was, now))
            rows = {"before": None if former is None else _row(former), "after": _row(row)}
            changes.append({"id": row.player, **rows, "causes": reasons, "events": events})
    return {
        "tournament": after.tournament,
        "from": before.seq,
        "to": after.seq,
        "changes": changes,
        "events": sorted({seq for c in changes for seq in c["events"]}),
    }


def _depends_on_opponents(was: dict[str, Any] | None, now: dict[str, Any]) -> bool:
    """Return whether a tie-break changed that depends on more than the player's own record."""
    others = [code for code, value in now["tb"].items() if was is None or was["tb"].get(code) != value]
    return any(TIEBREAKS.depends_on(code) is not Dependence.OWN for code in others)


def _row(row: Row) -> dict[str, Any]:
    met = encounters(row)
    return _facts(row) | ({"encounters": met} if met else {})


def _facts(row: Row) -> dict[str, Any]:
    return {"rank": row.rank, "points": points_number(row.points), "tb": values_json(row)}
