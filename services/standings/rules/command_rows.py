"""The commands of standings, one row each: who may give it, the event that it becomes, what decides it."""

import re

from services.standings.rules import commands as co
from services.standings.rules.commands import KeepReportFile, RestartCheckpoints
from services.standings.rules.publication import publish
from shared.core.events import CheckpointRestarted, Decision, ReportFileKept, StandingsPublished
from shared.core.language.messages import say
from shared.core.readings.command_row import CommandRow
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal

_ROOT = re.compile(r"[0-9a-f]{64}")


def restart(t: Tournament, c: RestartCheckpoints) -> Decision | Refusal:
    """The restart, which stands in the log for ever. Refused: ``nothing-to-restart``, where the log continues all of it."""
    if c.event.size < 1 or not _ROOT.fullmatch(c.event.root):
        return Refusal("rule", "nothing-to-restart", say("the log continues every checkpoint signed for it"))
    return Decision((c.event,))


def keep(t: Tournament, c: KeepReportFile) -> Decision:
    """The records, as they are; whether they can be read is asked of the file that they come to, before."""
    return Decision((c.event,))


ROWS = (
    CommandRow(co.PublishStandings, "publish", StandingsPublished, publish, after_final=True),
    CommandRow(co.RestartCheckpoints, "restart checkpoints", CheckpointRestarted, restart, after_final=True),
    CommandRow(co.KeepReportFile, "keep a report file", ReportFileKept, keep, after_final=True),
)
