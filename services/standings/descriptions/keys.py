"""Keys of services, described: the one that every service writes."""

from services.standings.descriptions.event_description import Call, EventDescription, nobody
from shared.core import events as ev
from shared.core.language.messages import Message, say
from shared.core.state.tournament import TournamentState


def key_announced(t: TournamentState, d: ev.KeyAnnounced, call: Call) -> Message:
    name, _, rest = d.key.partition("+")
    key = rest.partition("+")[0]
    if d.reason is not None:
        return say("{name} signs with the key {key} from here on for one that is lost.", name=name, key=key)
    return say("{name} signs with the key {key} from here on.", name=name, key=key)


DESCRIPTIONS = (EventDescription(ev.KeyAnnounced, say("Key announced"), key_announced, nobody),)
