"""The commands of standings."""

from dataclasses import dataclass

from shared.core.events import CheckpointRestarted, ReportFileKept
from shared.core.readings.command_row import EventCommand
from shared.core.terms import Actor


@dataclass(frozen=True, slots=True)
class PublishStandings:
    """Publish the table after ``round`` rounds, by these tie-breaks and this C.07 edition.

    ``final`` closes the event: after it only rulings, appeals and publications are taken.
    """

    actor: Actor
    tiebreaks: tuple[str, ...]
    rules: str
    round: int
    final: bool


class RestartCheckpoints(EventCommand[CheckpointRestarted]):
    """Sign this log from here on, although it does not continue the checkpoint of ``size`` lines and ``root`` (hex) signed
    before; ``size`` 0: there is none that it does not continue."""


class KeepReportFile(EventCommand[ReportFileKept]):
    """Keep records of the report file that the tournament was imported from."""
