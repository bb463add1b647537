"""Standings decide that a table is published, and that checkpoints begin anew. All else is replay."""

from collections.abc import Sequence

from services.standings.rules import publication
from services.standings.rules.checkpoint_restart import restart
from services.standings.rules.commands import PublishStandings, RestartCheckpoints
from shared.core.events import CheckpointRestarted, Decision, Event
from shared.core.terms import STANDINGS, Actor, Refusal
from shared.core.tournament import TournamentState
from shared.desk.rules_port import Rules

Command = PublishStandings | RestartCheckpoints


def decide(t: TournamentState, command: Command, sheet: None = None) -> Decision | Refusal:
    """The decision on a command, on what standings saw."""
    if isinstance(command, RestartCheckpoints):
        return restart(t, command)
    return publication.publish(t, command)


def command_of(events: Sequence[Event], lines: Sequence[Event]) -> Command:
    """The command that wrote these events."""
    e = events[0]
    if isinstance(e.data, CheckpointRestarted):
        return RestartCheckpoints(Actor(e.actor, e.role, e.tokenid), e.data.size, e.data.root, e.data.reason)
    return publication.command_of(events, lines)


RULES = Rules(STANDINGS, decide, command_of, seal=publication.seal)
