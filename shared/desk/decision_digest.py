"""The digest of a decision: it shows that the written decision is the previewed one, apart from IDs, times and text salts."""

import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import msgspec

from shared.core.event_types.registry import NAMES
from shared.core.events import Official
from shared.core.state.tournament import TournamentState
from shared.core.terms import Source

_NUMBERED = re.compile(r"([rab])([1-9][0-9]{0,8})")
"""IDs that contain the number of an event: rulings, appeals and arrivals, breaks."""
_TIMES = ("lodged",)
_TEXT = {"text"}


def digest_of(t: TournamentState, source: Source, events: Iterable[Official]) -> str:
    """Return the SHA-256 (hex) of a decision of ``source`` on ``t``.

    The same decision after further events has the same digest: a new ID is replaced by its place in the decision.
    """
    last = t.counts.get(source, 0)
    content = [[NAMES[type(data)], _without_times(msgspec.to_builtins(data), last)] for data in events]
    return sha256(msgspec.json.encode(content, order="sorted")).hexdigest()


def _without_times(value: Any, last: int) -> Any:
    """Return a value without times and salts, its new IDs counted from ``last``, the number of the event before the decision."""
    if isinstance(value, dict):
        if value.keys() == _TEXT:
            return "text"
        return {name: _without_times(one, last) for name, one in value.items() if name not in _TIMES}
    if isinstance(value, list | tuple):
        return [_without_times(one, last) for one in value]
    if isinstance(value, str) and (id := _NUMBERED.fullmatch(value)) and int(id[2]) > last:
        return f"{id[1]}+{int(id[2]) - last}"
    return value
