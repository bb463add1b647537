"""Until when a ruling may be appealed against."""

from datetime import datetime, timedelta

from shared.core.state.tournament import Tournament
from shared.core.terms import RulingId


def deadline(t: Tournament, ruling: RulingId) -> datetime | None:
    """Until when a ruling or an annulment may be appealed against 期限; None where the regulations set no time."""
    rule = t.regulations.rulebook.appeals
    made = instant((t.rulings.get(ruling) or t.annulments[ruling]).time)
    return None if rule is None or rule.within is None or made is None else made + timedelta(seconds=rule.within)


def running_deadlines(t: Tournament, now: datetime) -> dict[RulingId, timedelta]:
    """Return the rulings in force that may still be appealed against and were not, with the time that is left."""
    appealed = {appeal.event.ruling for appeal in t.appeals.values()}
    left = {id: (deadline(t, id) or now) - now for id in t.rulings if id not in appealed and t.stands(id)}
    return {id: time for id, time in left.items() if time > timedelta()}


def instant(time: str) -> datetime | None:
    """The instant that an RFC 3339 time names; None for what is none."""
    try:
        named = datetime.fromisoformat(time)
    except ValueError:
        return None
    return named if named.tzinfo is not None else None
