"""The time of a game as the announcement's form says it: periods in rows, byo-yomi, and when the clocks begin."""

from collections.abc import Callable, Mapping
from typing import Any

PERIODS = range(1, 4)
"""The rows of the form: more periods come over the API."""
TIME_FIELDS = ("flag", "byo_yomi", "byo_yomi_periods", "clocks_after")
_PERIOD = "period:"
_MEMBERS = ("minutes", "moves", "increment")


def is_period(name: str) -> bool:
    """Whether a field of the form is of a period."""
    row, _, member = name.removeprefix(_PERIOD).partition(":")
    return name.startswith(_PERIOD) and row in map(str, PERIODS) and member in _MEMBERS


def time_of(said: Mapping[str, str], number: Callable[[Mapping[str, str], str], int]) -> dict[str, Any]:
    """The time as the API takes it, of the fields that were filled; ``number`` reads one, or raises `Problem`."""
    rows = [
        {member: number(said, name) for member in _MEMBERS if (name := f"{_PERIOD}{row}:{member}") in said}
        for row in PERIODS
    ]
    time: dict[str, Any] = {
        "periods": [_period(row) for row in rows if row],
        "flag": said.get("flag", "claimed"),
    }
    time |= {name: number(said, name) for name in ("byo_yomi", "byo_yomi_periods") if name in said}
    if "clocks_after" in said:
        time["clocks_after"] = 60 * number(said, "clocks_after")
    return time


def _period(row: Mapping[str, int]) -> dict[str, int]:
    more = {member: row[member] for member in ("moves", "increment") if member in row}
    return {"seconds": 60 * row.get("minutes", 0)} | more
