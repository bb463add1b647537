"""Pairings and tables that are outdated at the end of an audited log and were not settled."""

from shared.audit.report import Report
from shared.core.language.messages import say
from shared.core.readings.settlement import describe, open_bases
from shared.core.state.tournament import Tournament, TournamentState


def note_outdated(report: Report, t: TournamentState) -> None:
    """Add each open basis to the report. A log written by other programs may break the search, which is then incomplete."""
    if not isinstance(t, Tournament):
        return
    try:
        for basis in open_bases(t):
            report.note_outdated(basis.because, describe(t, basis))
    except Exception as failure:
        name = type(failure).__name__
        report.lack(
            say("outdated bases cannot be found: {failure}", failure=f"{name}: {failure}".replace("\n", " ")[:200])
        )
