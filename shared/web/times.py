"""Times on pages: in the hall's time zone, shown with its offset, and in UTC for machines."""

from datetime import UTC, datetime

from markupsafe import Markup

from shared.http.app_context import current_context

DAY_AND_TIME, TIME = "%Y-%m-%d %H:%M:%S", "%H:%M:%S"


def in_the_hall(time: str) -> datetime:
    """A time of the log (RFC 3339) in the hall's time zone."""
    at = datetime.fromisoformat(time)
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(current_context().timezone)


def day_and_time(time: str) -> Markup:
    """``2026-03-07 14:05:31 +08:00``."""
    return _element(time, DAY_AND_TIME)


def time_of_day(time: str) -> Markup:
    """``14:05:31 +08:00``, where the day is known."""
    return _element(time, TIME)


def _element(time: str, shape: str) -> Markup:
    at = in_the_hall(time)
    return Markup('<time datetime="{}">{} {}</time>').format(time, at.strftime(shape), at.isoformat()[-6:])
