"""Standings' own events, described: a table that is published, checkpoints that begin anew."""

from services.standings.descriptions.event_description import Call, EventDescription, nobody, of
from shared.core import events as ev
from shared.core.messages import Message, say
from shared.core.tournament import TournamentState


def standings_published(t: TournamentState, d: ev.StandingsPublished, call: Call) -> Message:
    digest = d.digest[:40]
    if d.final:
        return say("The final table after round {round} is published, digest {digest}…", round=d.round, digest=digest)
    return say("The table after round {round} is published, digest {digest}…", round=d.round, digest=digest)


def checkpoint_restarted(t: TournamentState, d: ev.CheckpointRestarted, call: Call) -> Message:
    return say(
        "Checkpoints begin anew: this log does not continue the one signed at line {size}, {root}…",
        size=d.size,
        root=d.root[:40],
    )


DESCRIPTIONS = (
    EventDescription(
        ev.StandingsPublished, say("Standings published"), standings_published, lambda t, d: of(rounds=(d.round,))
    ),
    EventDescription(ev.CheckpointRestarted, say("Checkpoints begun anew"), checkpoint_restarted, nobody),
)
