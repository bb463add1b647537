"""What of the log a page is asked for: in its address, as a form sends it, with its empty fields and its days."""

import re
from collections.abc import Mapping
from datetime import datetime, time, tzinfo
from typing import NamedTuple

from services.standings.descriptions.log_filter import LogFilter
from services.standings.log.log_queries import LogFilterQuery
from shared.core.language.handles import handle
from shared.http.requests.bodies import load

_FIELDS = ("type", "player", "round", "board", "role", "actor", "since", "until")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class LogChoice(NamedTuple):
    """The lines that are chosen, and by which fields; ``typed`` has those that were filled in."""

    typed: Mapping[str, str]
    filter: LogFilter


def log_choice(arguments: Mapping[str, str], zone: tzinfo) -> LogChoice:
    """The choice of an address; ``since`` and ``until`` may be days of a time zone, both inclusive.

    Raises `Problem` 422 with ``errors`` naming each field that cannot be read.
    """
    typed = {name: text for name in _FIELDS if (text := arguments.get(name, "").strip())}
    sent = dict(typed)
    if "actor" in sent:
        sent["actor"] = handle(sent["actor"])
    for name, of_day in (("since", time.min), ("until", time.max)):
        if name in sent:
            sent[name] = _instant(sent[name], of_day, zone)
    chosen: LogFilter = load(LogFilterQuery, sent)["chosen"]
    return LogChoice(typed, chosen)


def _instant(text: str, of_day: time, zone: tzinfo) -> str:
    """The time of a day in a zone as RFC 3339; any other text as it is."""
    if not _DAY.fullmatch(text):
        return text
    try:
        return datetime.combine(datetime.fromisoformat(text), of_day, zone).isoformat()
    except (ValueError, OverflowError):
        return text
