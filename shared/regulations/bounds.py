"""The bounds of the numbers of a set, whoever wrote it: the organiser's where he may set one, else those of its unit."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from shared.core.language.hints import field_types
from shared.core.rulebook.game_rules import ChessRules, GameRules, PredictionRules, XiangqiRules
from shared.core.rulebook.regulations import FindingRule, LadderRule, Regulations
from shared.core.rulebook.time_faults import LONGEST, time_faults
from shared.core.terms import HalfPoints, Seconds, TimeControl
from shared.regulations.changeable import changeable, row_name

MOST = 1000
"""Points, and whatever is counted: moves, rounds, occurrences, the worth of a piece."""
_OF_UNITS: dict[Any, tuple[int, int]] = {HalfPoints: (0, 2 * MOST), Seconds: (0, LONGEST)}
_OF_KEYS: dict[tuple[type, str], tuple[int, int]] = {
    (FindingRule, "clock"): (-LONGEST, LONGEST),
    (LadderRule, "count"): (1, MOST),
    (ChessRules, "repetitions"): (2, MOST),
    (XiangqiRules, "repetitions"): (2, MOST),
    (PredictionRules, "share_of_time"): (1, MOST),
}
"""Where they are others than the unit's."""


def out_of_bounds(regulations: Regulations) -> Iterator[str]:
    """A sentence for each number that is not taken, which names its path and the bounds; for each fault of a time control."""
    for path, value, (least, most) in _numbers(regulations, ""):
        row = changeable().get(path)
        if row is not None:
            if not row.takes(value):
                yield f"{path}: takes {row.bounds} ({row.article})"
        elif not least <= value <= most:
            yield f"{path}: takes {least} to {most}"
    for table in ("times", "schemes"):
        for time in getattr(regulations.game, table):
            for where, fault in time_faults(time):
                yield ".".join(filter(None, (f"game.{table}.{time.game}", where))) + f": {fault}"


def _numbers(table: Any, path: str) -> Iterator[tuple[str, int, tuple[int, int]]]:
    """Each number in a table and in those below it: its path, itself and the bounds of its unit."""
    hints = field_types(type(table))
    for field in fields(table):
        value, here = getattr(table, field.name), f"{path}{field.name}"
        if isinstance(table, GameRules) and field.name == "rules":
            for name, rules in value.items():
                yield from _numbers(rules, f"{path}{name}.")
        elif is_dataclass(value):
            yield from _numbers(value, f"{here}.")
        elif isinstance(value, tuple):
            for row in value:
                if is_dataclass(row) and not isinstance(row, TimeControl):
                    yield from _numbers(row, f"{here}.{row_name(row) or type(row).__name__}.")
        elif type(value) is int:
            yield here, value, _OF_KEYS.get((type(table), field.name), _OF_UNITS.get(hints[field.name], (0, MOST)))
