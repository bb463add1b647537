"""Keys of services, described: the one that every service writes."""

from services.standings.descriptions.event_description import Call, EventDescription, nobody
from shared.core import events as ev
from shared.core.tournament import TournamentState


def key_announced(t: TournamentState, d: ev.KeyAnnounced, call: Call) -> str:
    name, _, rest = d.key.partition("+")
    lost = " for one that is lost" if d.reason is not None else ""
    return f"{name} signs with the key {rest.partition('+')[0]} from here on{lost}."


DESCRIPTIONS = (EventDescription(ev.KeyAnnounced, key_announced, nobody),)
