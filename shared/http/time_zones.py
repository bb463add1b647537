"""Time zones by their IANA names, as this machine knows them."""

from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


@lru_cache(maxsize=256)
def zone_named(name: str) -> tzinfo | None:
    """The time zone of that name; None for one that is not known here."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def in_zone(time: str, zone: tzinfo) -> datetime:
    """A time of the log (RFC 3339; UTC where it does not say) in a time zone."""
    at = datetime.fromisoformat(time)
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(zone)
