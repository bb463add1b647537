"""Standings' own events, described: a table that is published, records that are kept, checkpoints that begin anew."""

from services.standings.descriptions.event_description import Call, EventDescription, nobody, of
from shared.core import events as ev
from shared.core.language.messages import Message, say
from shared.core.state.tournament import TournamentState


def standings_published(t: TournamentState, d: ev.StandingsPublished, call: Call) -> Message:
    digest = d.digest[:40]
    if d.final:
        return say("The final table after round {round} is published, digest {digest}…", round=d.round, digest=digest)
    return say("The table after round {round} is published, digest {digest}…", round=d.round, digest=digest)


def checkpoint_restarted(t: TournamentState, d: ev.CheckpointRestarted, call: Call) -> Message:
    return say(
        "Checkpoints start again: this log does not continue the log signed at event {size} ({root}…).",
        size=d.size,
        root=d.root[:40],
    )


def report_file_kept(t: TournamentState, d: ev.ReportFileKept, call: Call) -> Message:
    return say("Records of the report file that no event says are kept: {count}.", count=len(d.records))


DESCRIPTIONS = (
    EventDescription(
        ev.StandingsPublished, say("Standings published"), standings_published, lambda t, d: of(rounds=(d.round,))
    ),
    EventDescription(ev.ReportFileKept, say("Report file kept"), report_file_kept, nobody),
    EventDescription(ev.CheckpointRestarted, say("Checkpoints started again"), checkpoint_restarted, nobody),
)
