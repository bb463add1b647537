"""Standings' own events, described: tables, records that are kept, checkpoints that begin anew, and every service's keys."""

from services.standings.descriptions.event_description import Call, EventDescription
from shared.core import events as ev
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
    return say("Records of the report file that no event says are kept: {count}.", count=len(d.records))


def key_announced(t: TournamentState, d: ev.KeyAnnounced, call: Call) -> Message:
    name, _, rest = d.key.partition("+")
    key = rest.partition("+")[0]
    if d.reason is not None:
        return say("{name} signs with the key {key} from here on for one that is lost.", name=name, key=key)
    return say("{name} signs with the key {key} from here on.", name=name, key=key)


DESCRIPTIONS = (
    EventDescription(ev.StandingsPublished, say("Standings published"), standings_published),
    EventDescription(ev.ReportFileKept, say("Report file kept"), report_file_kept),
    EventDescription(ev.CheckpointRestarted, say("Checkpoints started again"), checkpoint_restarted),
    EventDescription(ev.KeyAnnounced, say("Key announced"), key_announced),
)
