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
    """Decide a restart of the checkpoints, which stays in the log permanently.

    Refused: ``nothing-to-restart``, if the log continues every signed checkpoint.
    """
    if c.event.size < 1 or not _ROOT.fullmatch(c.event.root):
        return Refusal("rule", "nothing-to-restart", say("the log continues every checkpoint signed for it"))
    return Decision((c.event,))


def keep(t: Tournament, c: KeepReportFile) -> Decision:
    """Decide to keep the records unchanged. The caller checks first whether the exported file can be read with them."""
    return Decision((c.event,))


ROWS = (
    CommandRow(co.PublishStandings, "publish", StandingsPublished, publish, after_final=True),
    CommandRow(
        co.RestartCheckpoints, "restart checkpoints", CheckpointRestarted, restart, after_final=True, when_behind=True
    ),
    CommandRow(co.KeepReportFile, "keep a report file", ReportFileKept, keep, after_final=True),
)
