"""The description of every type of the official log."""

from typing import Any

from services.standings.descriptions import games, pairing, penalties
from services.standings.descriptions.event_description import Call, EventDescription, Mentions
from shared.core import events as ev
from shared.core.event_types.registry import NAMES
from shared.core.events import Data
from shared.core.language.messages import Message, say
from shared.core.state.tournament import TournamentState


def standings_published(t: TournamentState, d: ev.StandingsPublished, call: Call) -> Message:
    digest = d.digest[:40]
    if d.final:
        return say("The final table after round {round} is published, digest {digest}…", digest=digest)
    return say("The table after round {round} is published, digest {digest}…", digest=digest)


def checkpoint_restarted(t: TournamentState, d: ev.CheckpointRestarted, call: Call) -> Message:
    return say(
        "Checkpoints start again: this log does not continue the log signed at event {size} ({root}…).",
        root=d.root[:40],
    )


def report_file_kept(t: TournamentState, d: ev.ReportFileKept, call: Call) -> Message:
    return say("Records of the report file that were stored but not imported as events: {count}.", count=len(d.records))


def key_announced(t: TournamentState, d: ev.KeyAnnounced, call: Call) -> Message:
    name, _, rest = d.key.partition("+")
    key = rest.partition("+")[0]
    if d.reason is not None:
        return say(
            "{name} signs with the key {key} from this event on, because the earlier key is lost.", name=name, key=key
        )
    return say("{name} signs with the key {key} from this event on.", name=name, key=key)


_OWN = (
    EventDescription(ev.StandingsPublished, say("Standings published"), standings_published),
    EventDescription(ev.ReportFileKept, say("Report file stored"), report_file_kept),
    EventDescription(ev.CheckpointRestarted, say("Checkpoints started again"), checkpoint_restarted),
    EventDescription(ev.KeyAnnounced, say("Key announced"), key_announced),
)


DESCRIPTIONS: dict[type[Data], EventDescription[Any]] = {
    row.data: row
    for row in (
        *pairing.DESCRIPTIONS,
        *games.DESCRIPTIONS,
        *penalties.DESCRIPTIONS,
        *_OWN,
    )
}


TITLES: dict[str, Message] = {NAMES[data]: row.title for data, row in DESCRIPTIONS.items()}
"""The title of each type in a list, by the name of its newest version."""


def sentence(t: TournamentState, data: Data, call: Call) -> Message:
    """Return an event as a message. ``call`` returns a player's name."""
    return DESCRIPTIONS[type(data)].sentence_of(t, data, call)


def mentions(t: TournamentState, data: Data) -> Mentions:
    """Return the players and rounds that an event mentions."""
    return DESCRIPTIONS[type(data)].mentions(t, data)
