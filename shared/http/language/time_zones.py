"""Time zones by their IANA names, as this machine knows them."""

from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from flask import current_app

TIMEZONE = "ARBITER_TIMEZONE"
"""The key of the hall's zone in an app's configuration."""


@lru_cache(maxsize=256)
def zone_named(name: str) -> tzinfo | None:
    """The time zone of that name; None for one that is not known here."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zone_of_hall() -> tzinfo:
    """The time zone that this app shows times in where a tournament names none (``ARBITER_TIMEZONE``)."""
    zone: tzinfo = current_app.config[TIMEZONE]
    return zone


def in_zone(time: str, zone: tzinfo) -> datetime:
    """A time of the log (RFC 3339; UTC where it does not say) in a time zone; as it is at the ends of what a date can be.

    Raises `ValueError` for what is no time.
    """
    at = datetime.fromisoformat(time)
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    try:
        return at.astimezone(zone)
    except OverflowError:
        return at
