"""The commands of standings, one row each: who may give it, the event that it becomes, what decides it."""

from services.standings.rules import commands as co
from services.standings.rules.checkpoint_restart import restart
from services.standings.rules.publication import publish
from services.standings.rules.report_file import keep
from shared.core.events import CheckpointRestarted, ReportFileKept, StandingsPublished
from shared.core.readings.command_row import CommandRow

ROWS = (
    CommandRow(co.PublishStandings, "publish", StandingsPublished, publish, after_final=True),
    CommandRow(co.RestartCheckpoints, "restart checkpoints", CheckpointRestarted, restart, after_final=True),
    CommandRow(co.KeepReportFile, "keep a report file", ReportFileKept, keep, after_final=True),
)
