"""Until when a ruling may be appealed against."""

from datetime import datetime, timedelta

from shared.core.state.tournament import Tournament
from shared.core.terms import RulingId


def deadline(t: Tournament, ruling: RulingId) -> datetime | None:
    """Until when a ruling or an annulment may be appealed against 期限; None where the regulations set no time."""
    rule = t.regulations.rulebook.appeals
    made = instant((t.rulings.get(ruling) or t.annulments[ruling]).time)
    return None if rule is None or rule.within is None or made is None else made + timedelta(seconds=rule.within)


def instant(time: str) -> datetime | None:
    """The instant that an RFC 3339 time names; None for what is none."""
    try:
        named = datetime.fromisoformat(time)
    except ValueError:
        return None
    return named if named.tzinfo is not None else None
