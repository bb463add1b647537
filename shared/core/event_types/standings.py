"""Published tables, kept report files, and checkpoint restarts: the event types of standings and how they change a state."""

from shared.core import events as ev
from shared.core.event_types.event_type import EventType, unchanged
from shared.core.readings.counted_results import Counted, counted_results
from shared.core.state.entities import CheckpointRestart, Publication
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import STANDINGS


def publish(t: TournamentState, e: ev.Event, d: ev.StandingsPublished) -> None:
    counted: Counted = {}
    if d.order and isinstance(t, Tournament):
        # An event that is still being decided has no basis: it saw every event applied so far.
        counted = counted_results(t, d.round, e.basis or None)
    t.publications.append(Publication(d, e.seq, e.basis, counted))


def restart(t: TournamentState, e: ev.Event, d: ev.CheckpointRestarted) -> None:
    t.restarts.append(CheckpointRestart(e.seq, d.size, d.root))


def keep_report_file(t: TournamentState, e: ev.Event, d: ev.ReportFileKept) -> None:
    t.report_files.append(d)


EVENT_TYPES = (
    EventType("arbiter.report-file.kept.v1", ev.ReportFileKept, STANDINGS, keep_report_file),
    EventType("arbiter.checkpoint.restarted.v1", ev.CheckpointRestarted, STANDINGS, restart),
    EventType(
        "arbiter.standings.published.v2",
        ev.StandingsPublished,
        STANDINGS,
        publish,
        upcasters=(unchanged,),
        masked=("digest", "checkpoint"),
    ),
)
