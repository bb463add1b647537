"""Keys of services: the one event type that all four services write, and how it changes a state."""

from shared.core import events as ev
from shared.core.event_types.event_type import EventType
from shared.core.state.entities import KeyInForce
from shared.core.state.tournament import TournamentState
from shared.core.terms import PAIRING
from shared.core.trust.service_keys import ANNOUNCED_BY, BadServiceKey, parse_key


def announce_key(t: TournamentState, e: ev.Event, d: ev.KeyAnnounced) -> None:
    try:
        key = parse_key(d.key)
    except BadServiceKey:
        return
    if key.source in t.keys and e.source in ANNOUNCED_BY[key.source]:
        t.keys[key.source] = (*t.keys[key.source], KeyInForce(d.key, e.seq, e.source))


EVENT_TYPES = (EventType("arbiter.key.announced.v1", ev.KeyAnnounced, PAIRING, announce_key, everybody=True),)
