"""Times on pages: in the time zone of the tournament, else of the hall, shown with its offset, and in UTC for machines."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo

from markupsafe import Markup

from shared.core.state.tournament import TournamentState
from shared.http.language.language import in_zone, zone_named, zone_of_hall

DAY_AND_TIME, TIME = "%Y-%m-%d %H:%M:%S", "%H:%M:%S"
_BEGUN = timedelta(minutes=5)
"""Time after its end for which a countdown is still shown."""


def zone_of(t: TournamentState | None) -> tzinfo:
    """The time zone that a tournament was announced in; that of the hall, where it names none that is known here."""
    named = t.announced.time_zone if t is not None and t.announced is not None else ""
    return (zone_named(named) if named else None) or zone_of_hall()


def at_second(seconds: int) -> str:
    """A time in Unix seconds as the log writes times (RFC 3339)."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def local_time(time: str, t: TournamentState | None = None) -> datetime:
    """A time of the log (RFC 3339) where the tournament is played."""
    return in_zone(time, zone_of(t))


def day_and_time(time: str, t: TournamentState | None = None) -> Markup:
    """``2026-03-07 14:05:31 +08:00``."""
    return _element(time, DAY_AND_TIME, t)


def time_of_day(time: str, t: TournamentState | None = None) -> Markup:
    """``14:05:31 +08:00``, where the day is known."""
    return _element(time, TIME, t)


def _element(time: str, shape: str, t: TournamentState | None) -> Markup:
    try:
        at = local_time(time, t)
    except ValueError:  # of a line that somebody has gone past
        return Markup("<span>{}</span>").format(time)
    return Markup('<time datetime="{}">{} {}</time>').format(time, at.strftime(shape), at.isoformat()[-6:])


def next_round_begins(t: TournamentState, now: str) -> datetime | None:
    """Return the time at the venue at which the next round begins, or None if none is set or it has begun for long."""
    begins = t.venue_notice.round_begins
    with suppress(OverflowError):
        if begins and datetime.fromisoformat(now) <= datetime.fromisoformat(begins) + _BEGUN:
            return local_time(begins, t)
    return None
