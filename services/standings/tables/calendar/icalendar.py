"""Tournaments as an iCalendar object (RFC 5545), in which each is an event that lasts whole days."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from unicodedata import category

_LINE = 75
"""Maximum number of octets of a line without its end (RFC 5545, 3.1)."""
_KEPT = "\n\u200c\u200d"
"""LF, and the joiners of Persian and of emoji."""
_ESCAPES = str.maketrans({"\\": r"\\", ";": r"\;", ",": r"\,", "\n": r"\n"})


@dataclass(frozen=True, slots=True)
class Occasion:
    """A tournament of a calendar. ``first_day``, ``last_day``: ISO 8601. ``changed``: time in UTC (RFC 3339)."""

    uid: str
    changed: str
    first_day: str
    last_day: str
    summary: str
    location: str
    description: str
    url: str


def icalendar(name: str, occasions: Iterable[Occasion]) -> bytes:
    """Return a calendar with a name. Readers are asked to fetch it again once per hour."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Arbiter//Tournaments//EN",
        f"NAME:{_escaped(name)}",
        f"X-WR-CALNAME:{_escaped(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        *(line for one in occasions for line in _event(one)),
        "END:VCALENDAR",
    ]
    return b"".join(_folded(line) for line in lines)


def _event(one: Occasion) -> Iterator[str]:
    changed = f"{_digits(one.changed[:10])}T{_digits(one.changed[11:19])}Z"
    yield "BEGIN:VEVENT"
    yield f"UID:{one.uid}"
    yield f"DTSTAMP:{changed}"
    yield f"LAST-MODIFIED:{changed}"
    yield f"DTSTART;VALUE=DATE:{_digits(one.first_day)}"
    yield f"DTEND;VALUE=DATE:{_digits(_day_after(one.last_day))}"
    yield f"SUMMARY:{_escaped(one.summary)}"
    if one.location:
        yield f"LOCATION:{_escaped(one.location)}"
    yield f"DESCRIPTION:{_escaped(one.description)}"
    yield f"URL:{one.url}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _digits(text: str) -> str:
    return text.replace("-", "").replace(":", "")


def _day_after(day: str) -> str:
    """Return the day on which an event is over: the end is not part of the event (RFC 5545, 3.6.1)."""
    last = date.fromisoformat(day)
    return (last if last == date.max else last + timedelta(days=1)).isoformat()


def _escaped(text: str) -> str:
    """Return a text as a value (RFC 5545, 3.3.11). Control characters except LF are left out; all spaces are U+0020."""
    if not text.isprintable():
        kept = (" " if category(c) == "Zs" else c for c in text)
        text = "".join(c for c in kept if c.isprintable() or c in _KEPT)
    return text.translate(_ESCAPES)


def _folded(line: str) -> bytes:
    """Return a line with its end, in parts of at most 75 octets that do not divide a character."""
    if len(line.encode()) <= _LINE:
        return line.encode() + b"\r\n"
    parts, part = [], b""
    for character in line:
        added = character.encode()
        if len(part) + len(added) > _LINE:
            parts.append(part)
            part = b" "
        part += added
    return b"\r\n".join([*parts, part]) + b"\r\n"
