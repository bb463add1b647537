"""The language of a request, and messages in it.

A page takes the reader's own choice (a cookie), else what the browser accepts; what programs ask for (``/v1``) takes
``Accept-Language`` alone. Without either it is English.
"""

import re
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from flask import Response, current_app, g, has_request_context, request

from shared.core.language.messages import Instant, Message
from shared.http.language.catalogue import COMMAS, ENGLISH, LANGUAGES, catalogue, in_language

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

    Raises `ValueError` for a text that is not a time.
    """
    at = datetime.fromisoformat(time)
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    try:
        return at.astimezone(zone)
    except OverflowError:
        return at


COOKIE = "arbiter_language"
COOKIE_SECONDS = 365 * 24 * 3600
_API = re.compile(r"(/services/[a-z]+)?/v1(/|$)")


def language() -> str:
    """The language of this request, one of `LANGUAGES`; English outside one."""
    if not has_request_context():
        return ENGLISH
    if "language" not in g:
        g.language = _chosen() or _accepted()
    chosen: str = g.language
    return chosen


def for_people() -> bool:
    """Whether this request is for a page, and not to the API: what lies below ``/v1``, of one service or of all."""
    return _API.match(request.path) is None


def _chosen() -> str | None:
    cookie = request.cookies.get(COOKIE) if for_people() else None
    return cookie if cookie in LANGUAGES else None


def _accepted() -> str:
    """The first language of the header that there is, by its primary subtag (RFC 4647, 3.4): ``zh-Hans-SG`` is Chinese."""
    for tag, quality in request.accept_languages:
        for one in LANGUAGES:
            if quality > 0 and _primary(tag) == _primary(one):
                return one
    return ENGLISH


def _primary(tag: str) -> str:
    return tag.partition("-")[0].lower()


def words(message: Message | str) -> str:
    """A message in the language of this request; a text as it is."""
    return in_language(message, language(), instant)


def instant(at: Instant) -> str:
    """Return a point in time in its zone, else in that of the venue: ``2026-03-07 14:05:31 +08:00``."""
    zone = (zone_named(at.zone) if at.zone else None) or zone_of_hall()
    there = in_zone(at.time, zone)
    return f"{there:%Y-%m-%d %H:%M:%S} {there.isoformat()[-6:]}"


def translated(text: str) -> str:
    """A text of the catalogue in the language of this request: ``gettext`` of the templates."""
    return catalogue(language()).gettext(text)


def comma() -> str:
    """Return the separator of the members of a list."""
    return COMMAS[language()]


def translated_number(one: str, many: str, n: int) -> str:
    """``ngettext`` of the templates."""
    return catalogue(language()).ngettext(one, many, n)


def mark(response: Response) -> None:
    """Say on an answer in which language it is, and what of the request decided that."""
    response.headers["Content-Language"] = language()
    response.vary.add("Accept-Language")
    if for_people():
        response.vary.add("Cookie")


def own_path(address: str) -> str | None:
    """Return an address of this site as a path with its query, or None for one that leads, or could lead, elsewhere."""
    elsewhere = address.startswith("//") or "\\" in address or not address.isprintable()
    return address if address.startswith("/") and not elsewhere else None
