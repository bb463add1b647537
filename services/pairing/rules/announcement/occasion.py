"""The place and time of an announced competition."""

from services.pairing.rules.commands import AnnounceTournament
from shared.core.events import TournamentAnnounced
from shared.core.language.messages import say
from shared.core.terms import Refusal
from shared.core.values.bounds import CALENDAR_DAY, PLACE, ZONE


def check_occasion(c: AnnounceTournament | TournamentAnnounced) -> Refusal | None:
    """Return why place, days or time zone are invalid, or None.

    Refusals: ``bad-place``, ``bad-days``, ``bad-time-zone``.
    """
    if len(c.place) > PLACE.longest:
        detail = say("the venue (place) has at most {most} characters; shorten it", most=PLACE.longest)
        return Refusal("invalid", "bad-place", detail, where="place")
    for where, day in (("begins", c.begins), ("ends", c.ends)):
        if CALENDAR_DAY.fault(day) is not None:
            return Refusal(
                "invalid", "bad-days", say("invalid date {day}: use for example 2026-03-07", day=day), where=where
            )
    if c.begins and c.ends and c.ends < c.begins:
        detail = say("it ends on {ends}, before it begins on {begins}", ends=c.ends, begins=c.begins)
        return Refusal("invalid", "bad-days", detail, where="ends")
    if c.time_zone and ZONE.fault(c.time_zone) is not None:
        detail = say("unknown time zone {zone}: use an IANA name such as Asia/Shanghai", zone=c.time_zone)
        return Refusal("invalid", "bad-time-zone", detail, where="time_zone")
    return None
