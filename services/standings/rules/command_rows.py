"""The commands of standings, one row each: the roles that may give it, its event, and the function that decides it."""

import re

from services.standings.rules import commands as co
from services.standings.rules.commands import KeepReportFile, RestartCheckpoints
from services.standings.rules.publication import publish
from shared.core.events import CheckpointRestarted, Decision, ReportFileKept, StandingsPublished
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal
from shared.desk.rules_port import CommandRow

_ROOT = re.compile(r"[0-9a-f]{64}")


def restart(t: Tournament, c: RestartCheckpoints) -> Decision | Refusal:
    """Decide to sign checkpoints again from here on, which the log records permanently.

    Refusal: ``nothing-to-restart`` if no signed checkpoint contradicts the log.
    """
    if c.event.size < 1 or not _ROOT.fullmatch(c.event.root):
        return Refusal(
            "rule",
            "nothing-to-restart",
            say("checkpoints cannot be restarted, because this log continues every checkpoint signed for it"),
        )
    return Decision((c.event,))


def keep(t: Tournament, c: KeepReportFile) -> Decision:
    """Decide to keep records of a report file unchanged. The caller first checks that an export with them can be read."""
    return Decision((c.event,))


ROWS = (
    CommandRow(co.PublishStandings, "publish", StandingsPublished, publish, after_final=True),
    CommandRow(
        co.RestartCheckpoints, "restart checkpoints", CheckpointRestarted, restart, after_final=True, when_behind=True
    ),
    CommandRow(co.KeepReportFile, "keep a report file", ReportFileKept, keep, after_final=True),
)
