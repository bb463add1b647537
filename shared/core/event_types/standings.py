"""Published tables: the event type of standings and its fold."""

from shared.core import events as ev
from shared.core.entities import Publication
from shared.core.event_types.event_type import EventType, unchanged
from shared.core.terms import STANDINGS
from shared.core.tournament import TournamentState


def publish(t: TournamentState, e: ev.Event, d: ev.StandingsPublished) -> None:
    t.publications.append(Publication(d, e.seq, e.basis))


EVENT_TYPES = (
    EventType(
        "arbiter.standings.published.v2",
        ev.StandingsPublished,
        STANDINGS,
        publish,
        lifts=(unchanged,),
        masked=("digest", "checkpoint"),
    ),
)
