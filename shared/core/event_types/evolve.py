"""Replaying events: ``evolve(tournament, event)`` applies one by the row of its type. Standard library only.

It changes its tournament in place and never refuses an event because of the state: concurrent events are all applied.

It replaces an entry of ``games`` or ``reported`` in place. It never removes a key to insert it again, and never rebuilds an
entry that the event is not about. `standings/rules/table/incremental.py` compares two states of one log entry by entry, by
identity and in this order. A moved or rebuilt entry would count as changed, or hide a change.
"""

from collections.abc import Iterable
from typing import TypeVar

from shared.core import events as ev
from shared.core.event_types.gc_pause import pause_collector
from shared.core.event_types.registry import EVOLVE
from shared.core.state.tournament import TournamentState
from shared.core.terms import Seq, Source

State = TypeVar("State", bound=TournamentState)


def evolve(t: TournamentState, e: ev.Event) -> None:
    """Apply one event of the official log to ``t``, in place.

    A repeat (a ``sourceseq`` already applied) changes only ``seq``.
    """
    evolve_all(t, (e,))


def evolve_all(t: TournamentState, events: Iterable[ev.Event]) -> None:
    """Apply events in their order like `evolve`. At a start this is a main cost, so it calls nothing that it can avoid."""
    counts, times, rows = t.counts, t.times, EVOLVE
    for e in events:
        source, sourceseq = e.source, e.sourceseq
        t.seq = e.seq
        if sourceseq > counts.get(source, 0):
            counts[source] = sourceseq
            times[source] = e.time
            data = e.data
            rows[type(data)](t, e, data)


@pause_collector()
def fold(id: str, events: Iterable[ev.Event]) -> TournamentState:
    """Return the state after these events, from an empty log."""
    t = TournamentState(id)
    evolve_all(t, events)
    return t


def fold_decided(t: TournamentState, source: Source, data: ev.Official) -> None:
    """Apply, in place, data that ``source`` is still deciding. Its place in the log is unknown, and no rule reads it."""
    number = t.counts.get(source, 0) + 1
    evolve(t, ev.NewEvent(Seq(t.seq + 1), source, number, Seq(0), "", "", "rulebook", "", data, ""))


def fork_after(t: State, source: Source, events: Iterable[ev.Official]) -> State:
    """Return a copy of ``t`` after events that ``source`` is still deciding."""
    after = t.fork()
    for data in events:
        fold_decided(after, source, data)
    return after
