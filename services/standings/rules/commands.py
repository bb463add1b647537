"""The commands of standings."""

from dataclasses import dataclass

from shared.core.events import CheckpointRestarted, ReportFileKept
from shared.core.terms import Actor
from shared.desk.rules_port import EventCommand


@dataclass(frozen=True, slots=True)
class PublishStandings:
    """Publish the table after ``round`` rounds, by these tie-breaks and this C.07 edition.

    ``final`` closes the event: afterwards only rulings, appeals and publications are accepted.
    """

    actor: Actor
    tiebreaks: tuple[str, ...]
    rules: str
    round: int
    final: bool


class RestartCheckpoints(EventCommand[CheckpointRestarted]):
    """Sign this log from here on, although it does not continue a checkpoint signed earlier.

    ``size`` (events) and ``root`` (hex) are those of the earlier checkpoint. ``size`` 0: the log continues every signed
    checkpoint.
    """


class KeepReportFile(EventCommand[ReportFileKept]):
    """Keep records of the report file that the tournament was imported from."""
