"""The difference of the table between two states of a tournament, and the lines that made it."""

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
    """What of a player's record, and of his opponents' points, is otherwise in another field of the same tournament.

    Each has a ``kind``: ``round`` (``round``, ``opponent``, ``game``), ``ruling`` on points (``ruling``), or ``opponent``, who
    has other points, where ``opponents`` are asked for. ``before`` and ``after`` are the points, null where
    there was no such round, or no result. A round that counts otherwise for as many points is among them. Empty for who only
    moves because others do.
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
        if old is None or _worth(old) != _worth(r):
            yield _cause("round", _given(old), _given(r)) | {
                "round": r.round,
                "opponent": r.opponent or None,
                "game": r.game,
            }


def _given(r: RoundScore | None) -> HalfPoints | None:
    """What a round gave; None where it has no result, or was not paired."""
    return None if r is None or r.kind == "open" else r.points


def _worth(r: RoundScore) -> tuple[object, ...]:
    """What of a round counts, without the lines that say so."""
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
