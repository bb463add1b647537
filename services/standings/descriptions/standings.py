"""Standings' own events, described: a table that is published, checkpoints that begin anew."""

from services.standings.descriptions.event_description import Call, EventDescription, nobody, of
from shared.core import events as ev
from shared.core.tournament import TournamentState


def standings_published(t: TournamentState, d: ev.StandingsPublished, call: Call) -> str:
    kind = "final table" if d.final else "table"
    return f"The {kind} after round {d.round} is published, digest {d.digest[:40]}…"


def checkpoint_restarted(t: TournamentState, d: ev.CheckpointRestarted, call: Call) -> str:
    return f"Checkpoints begin anew: this log does not continue the one signed at line {d.size}, {d.root[:40]}…"


DESCRIPTIONS = (
    EventDescription(ev.StandingsPublished, standings_published, lambda t, d: of(rounds=(d.round,))),
    EventDescription(ev.CheckpointRestarted, checkpoint_restarted, nobody),
)
