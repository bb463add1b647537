"""The projection of people: the records of tournaments, computed by replay and stored in standings' database."""

from collections.abc import Callable, Iterable
from functools import partial

from services.standings.rules.people import VERSION, identified_players, people_record
from shared.core.readings.person_records import TournamentRecord
from shared.core.state.tournament import TournamentState
from shared.desk.views import Folds
from shared.log.port import Log
from shared.log.projection import store_each


def project(log: Log, folds: Folds, tournaments: Iterable[str]) -> None:
    """Store the records of these tournaments as they are now."""
    _store(log, tournaments, partial(_current_state, folds))


def project_outdated(log: Log, folds: Folds, wanted: Callable[[str], bool] = lambda t: True) -> int:
    """Store the records of all ``wanted`` tournaments that are outdated. Return their number.

    Each log is read, and not kept in memory.
    """
    ends = {t: seq for t, seq in sorted(log.people.outdated(VERSION).items()) if wanted(t)}
    _store(log, ends, lambda t: folds.view_at(t, ends[t]).state)
    return len(ends)


def rebuild(log: Log, folds: Folds) -> tuple[int, int]:
    """Compute all records again from the log. Return the number of tournaments and of people.

    Until its turn comes, a tournament keeps its former records.
    """
    log.people.mark_outdated()
    project_outdated(log, folds)
    return log.people.counts()


def _current_state(folds: Folds, t: str) -> TournamentState:
    """Return the state of a tournament. It is copied only if an entry states an identifier."""
    with folds.changed:
        state = folds.get(t).tournament
        if not identified_players(state):
            empty = TournamentState(t)
            empty.seq = state.seq
            return empty
    view = folds.current_view(t)
    return state if view is None else view.state


def _store(log: Log, tournaments: Iterable[str], state_of: Callable[[str], TournamentState]) -> None:
    def record_of(t: str) -> TournamentRecord | None:
        record = people_record(state_of(t))
        return record if record.seq else None

    store_each("people", tournaments, record_of, lambda records: log.people.store(records, VERSION))
