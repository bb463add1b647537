"""The projection of the calendar: the entries of tournaments, computed by replay and stored in standings' database."""

from collections.abc import Callable, Iterable
from functools import partial

from services.standings.tables.calendar.entries import VERSION, FirstEvent, calendar_entry
from shared.desk.replay import View
from shared.desk.views import Folds, stream_of
from shared.log.calendar import CalendarEntry
from shared.log.port import Log
from shared.log.projection import store_each
from shared.wire import envelope


def project(log: Log, folds: Folds, tournaments: Iterable[str]) -> None:
    """Store the entries of these tournaments as they are now."""
    _store(log, tournaments, partial(_current_entry, log, folds))


def project_outdated(log: Log, folds: Folds) -> int:
    """Store the entries of all tournaments that are outdated. Return their number.

    Each log is read, and not kept in memory.
    """
    ends = dict(sorted(log.calendar.outdated(VERSION).items()))
    _store(log, ends, lambda t: calendar_entry(folds.view_at(t, ends[t]), _first_event(log, t)))
    return len(ends)


def rebuild(log: Log, folds: Folds) -> int:
    """Compute all entries again from the log, and return their number. Until its turn comes, a tournament keeps its entry."""
    log.calendar.mark_outdated()
    return project_outdated(log, folds)


def _current_entry(log: Log, folds: Folds, t: str) -> CalendarEntry | None:
    with folds.changed:  # the state is read, and not copied
        ledger = folds.get(t)
        if not ledger.size:
            return None
        state, stopped = ledger.tournament, ledger.stopped or folds.why_behind(ledger)
        return calendar_entry(View(state, state.seq, b"", stopped), _first_event(log, t))


def _first_event(log: Log, t: str) -> FirstEvent:
    (row,) = log.lines(stream_of(t), 0, 1)
    event = envelope.read(row.line, row.seq)
    return FirstEvent(event.id, event.time[:10])


def _store(log: Log, tournaments: Iterable[str], entry_of: Callable[[str], CalendarEntry | None]) -> None:
    """Store entries. A tournament that cannot be replayed gets one that is not found, so that the list is complete without it."""
    gap_of = partial(CalendarEntry, seq=0)
    store_each("calendar", tournaments, entry_of, lambda entries: log.calendar.store(entries, VERSION), gap_of)
