"""Records of a report file that no event says, kept with the tournament."""

from services.standings.rules.commands import KeepReportFile
from shared.core.events import Decision
from shared.core.state.tournament import Tournament


def keep(t: Tournament, c: KeepReportFile) -> Decision:
    """The records, as they are; whether they can be read is asked of the file that they come to, before."""
    return Decision((c.event,))
