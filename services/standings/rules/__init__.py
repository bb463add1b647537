"""Standings decide that a table is published, a report file kept, and that checkpoints begin anew. All else is replay."""

from collections.abc import Sequence

from services.standings.rules import publication
from services.standings.rules.checkpoint_restart import restart
from services.standings.rules.commands import KeepReportFile, PublishStandings, RestartCheckpoints
from services.standings.rules.report_file import keep
from shared.core.events import CheckpointRestarted, Decision, Event, ReportFileKept
from shared.core.state.tournament import TournamentState
from shared.core.terms import STANDINGS, Actor, Refusal
from shared.desk.rules_port import Rules

Command = PublishStandings | RestartCheckpoints | KeepReportFile


def decide(t: TournamentState, command: Command, sheet: None = None) -> Decision | Refusal:
    """The decision on a command, on what standings saw."""
    if isinstance(command, RestartCheckpoints):
        return restart(t, command)
    if isinstance(command, KeepReportFile):
        return keep(t, command)
    return publication.publish(t, command)


def command_of(events: Sequence[Event], lines: Sequence[Event]) -> Command:
    """The command that wrote these events."""
    e = events[0]
    if isinstance(e.data, CheckpointRestarted):
        return RestartCheckpoints(Actor(e.actor, e.role, e.tokenid), e.data.size, e.data.root, e.data.reason)
    if isinstance(e.data, ReportFileKept):
        return KeepReportFile(Actor(e.actor, e.role, e.tokenid), e.data.records)
    return publication.command_of(events, lines)


RULES = Rules(STANDINGS, decide, command_of, seal=publication.seal)
