"""Standings' own event, described: a table that is published."""

from services.standings.descriptions.event_description import Call, EventDescription, of
from shared.core import events as ev
from shared.core.tournament import TournamentState


def standings_published(t: TournamentState, d: ev.StandingsPublished, call: Call) -> str:
    kind = "final table" if d.final else "table"
    return f"The {kind} after round {d.round} is published, digest {d.digest[:40]}…"


DESCRIPTIONS = (EventDescription(ev.StandingsPublished, standings_published, lambda t, d: of(rounds=(d.round,))),)
