"""The deadlines of appeals against rulings."""

from datetime import datetime, timedelta

from shared.core.state.tournament import Tournament
from shared.core.terms import RulingId


def deadline(t: Tournament, ruling: RulingId) -> datetime | None:
    """Return the deadline 期限 of an appeal against a ruling or an annulment, or None if the regulations set none."""
    rule = t.regulations.rulebook.appeals
    time = instant((t.rulings.get(ruling) or t.annulments[ruling]).time)
    return None if rule is None or rule.within is None or time is None else time + timedelta(seconds=rule.within)


def running_deadlines(t: Tournament, now: datetime) -> dict[RulingId, timedelta]:
    """Return the rulings in force that may still be appealed against and were not, with the time left."""
    appealed = {appeal.event.ruling for appeal in t.appeals.values()}
    left = {id: (deadline(t, id) or now) - now for id in t.rulings if id not in appealed and t.is_in_force(id)}
    return {id: time for id, time in left.items() if time > timedelta()}


def instant(time: str) -> datetime | None:
    """Return the instant of an RFC 3339 time, or None if the text is not such a time."""
    try:
        parsed = datetime.fromisoformat(time)
    except ValueError:
        return None
    return parsed if parsed.tzinfo is not None else None
