"""The place and time of an announced competition."""

import re
from datetime import date

from services.pairing.rules.commands import AnnounceTournament
from shared.core.language.messages import say
from shared.core.terms import Refusal

LONGEST_PLACE = 200
_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]{0,31}(?:/[A-Za-z0-9_+-]{1,32}){0,3}")
"""The form of an IANA name. Which names exist is checked by the caller, because the list changes from year to year."""


def check_occasion(c: AnnounceTournament) -> Refusal | None:
    """Return why place, days or time zone are invalid, or None.

    Refusals: ``bad-place``, ``bad-days``, ``bad-time-zone``.
    """
    if len(c.place) > LONGEST_PLACE:
        detail = say("the venue (place) has at most {most} characters; shorten it", most=LONGEST_PLACE)
        return Refusal("invalid", "bad-place", detail, where="place")
    for where, day in (("begins", c.begins), ("ends", c.ends)):
        if day and not _is_day(day):
            return Refusal(
                "invalid", "bad-days", say("invalid date {day}: use for example 2026-03-07", day=day), where=where
            )
    if c.begins and c.ends and c.ends < c.begins:
        detail = say("it ends on {ends}, before it begins on {begins}", ends=c.ends, begins=c.begins)
        return Refusal("invalid", "bad-days", detail, where="ends")
    if c.time_zone and not _ZONE.fullmatch(c.time_zone):
        detail = say("unknown time zone {zone}: use an IANA name such as Asia/Shanghai", zone=c.time_zone)
        return Refusal("invalid", "bad-time-zone", detail, where="time_zone")
    return None


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
