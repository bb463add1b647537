"""The event of an exported file in comments (###), by which it can be imported as the same event.

These are the game, the ruleset with its changed values, the rulings that rank, and a digest of each column of the table.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import Any

from shared.core.language.messages import Message, say
from shared.core.rulebook.regulations import Points
from shared.core.values.bounds import POINTS
from shared.trf.model.columns import TrfError
from shared.trf.model.model import Record, TrfFile

_COMMENT = "###"
GAME, RESULTS_ONLY, RULESET, CHANGE, RULING, TABLE = "game", "results only", "ruleset", "change", "ruling", "table"
POINTS_OF = "points."
"""The beginning of the path of a value that is the half-points for a result or a bye."""
_RESULTS = tuple(one.name for one in fields(Points))
_DIGITS = 12
"""Hex digits of a digest in a record: enough to notice a change, too few to prove anything."""


@dataclass(frozen=True, slots=True)
class EventRecords:
    """The event of a file that Arbiter exported; empty for another file.

    ``results_only``: games have no moves. ``digest``: of the ruleset. ``rulings``: as bodies of the request that makes one,
    by starting number. ``table``: the digest of each column by its code.
    """

    game: str = ""
    results_only: bool = False
    ruleset: str = ""
    digest: str = ""
    changes: Mapping[str, Any] = field(default_factory=dict)
    rulings: tuple[Mapping[str, Any], ...] = ()
    table: Mapping[str, str] = field(default_factory=dict)


def event_records(trf: TrfFile) -> EventRecords:
    """Return the event that a file states; of a game, ruleset or table that is stated twice, the last one.

    Raises `TrfError` for a change or a ruling that is not JSON, a ruling without player and round, and invalid points.
    """
    said: dict[str, str] = {}
    changes: dict[str, Any] = {}
    rulings: list[Mapping[str, Any]] = []
    for record in trf.records:
        name, text = parts_of(record.text)
        if name == CHANGE:
            path, _, value = text.partition(" = ")
            changes[path] = _value(trf, record, value)
            _require_points(trf, record, path, changes[path])
        elif name == RULING:
            ruling = _value(trf, record, text)
            if not isinstance(ruling, dict):
                raise _fault(trf, record, say("a ruling must be a JSON object"))
            for member in ("player", "round"):
                if type(ruling.get(member)) is not int or ruling[member] < 1:
                    raise _fault(trf, record, say("{member} must be a whole number, at least 1", member=member))
            rulings.append(ruling)
        elif name:
            said[name] = text
    ruleset, _, digest = said.get(RULESET, "").partition(" ")
    columns = said.get(TABLE, "").split()
    table = dict(zip(columns[::2], columns[1::2], strict=False))
    only = RESULTS_ONLY in said
    return EventRecords(said.get(GAME, ""), only, ruleset, digest, changes, tuple(rulings), table)


def parts_of(line: str) -> tuple[str, str]:
    """Return the name and the text of a record of the event, or two empty texts for any other line."""
    name, colon, text = line.removeprefix(f"{_COMMENT} ").partition(": ")
    known = line.startswith(_COMMENT) and colon and name in (GAME, RESULTS_ONLY, RULESET, CHANGE, RULING, TABLE)
    return (name, text.strip()) if known else ("", "")


def short_digest(digest: str) -> str:
    """Return the digits of a digest that a record contains."""
    return digest[:_DIGITS]


def digest_of(column: Iterable[tuple[int, object]]) -> str:
    """Return the digest of a column: the value of each player, by starting number."""
    text = "".join(f"{number} {value}\n" for number, value in sorted(column, key=lambda row: row[0]))
    return short_digest(sha256(text.encode()).hexdigest())


def _require_points(trf: TrfFile, record: Record, path: str, value: object) -> None:
    """Raise `TrfError` for points of an unknown result, or for a value that is not in half-points."""
    if not path.startswith(POINTS_OF):
        return
    if path.removeprefix(POINTS_OF) not in _RESULTS:
        detail = say("{path} is not one of {known}", path=path, known=tuple(f"{POINTS_OF}{name}" for name in _RESULTS))
        raise _fault(trf, record, detail)
    if type(value) is not int or not POINTS.low <= value <= POINTS.high:
        detail = say("{path} must be a whole number from {low} to {high}", path=path, low=POINTS.low, high=POINTS.high)
        raise _fault(trf, record, detail)


def _value(trf: TrfFile, record: Record, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise _fault(trf, record, say("{text} is not JSON", text=repr(text[:40]))) from None


def _fault(trf: TrfFile, record: Record, why: Message) -> TrfError:
    return TrfError(trf.file, record.line, len(_COMMENT) + 2, why)
