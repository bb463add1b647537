"""Records of a report file that no event says, kept with the tournament."""

from services.standings.rules.commands import KeepReportFile
from shared.core.events import Decision, ReportFileKept
from shared.core.language.messages import say
from shared.core.readings.authority import permit
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Refusal


def keep(t: TournamentState, c: KeepReportFile) -> Decision | Refusal:
    """The records, as they are; whether they can be read is asked of the file that they come to, before."""
    if not isinstance(t, Tournament):
        return Refusal("unknown", "unknown-tournament", say("no tournament {id} is known here", id=t.id))
    refusal = permit(t, c.actor, "keep a report file")
    if refusal is not None:
        return refusal
    return Decision((ReportFileKept(c.records),))
