"""The fold: ``evolve(tournament, event)``, by the row of the event's type. Standard library only.

It changes its tournament in place and never refuses for state: it places what crossed.

A fold sets an entry of ``games`` or ``reported`` in its place: it never takes a key out to put it in again, and makes no
entry anew that nothing was said of. Two folds of one reading are compared entry by entry, by identity, in this order
(`standings/rules/table/incremental.py`): what moved or was made anew would count as said again, or hide what was.
"""

from collections.abc import Iterable
from typing import TypeVar

from shared.core import events as ev
from shared.core.event_types.gc_pause import no_collector
from shared.core.event_types.registry import EVOLVE
from shared.core.state.tournament import TournamentState
from shared.core.terms import Seq, Source

State = TypeVar("State", bound=TournamentState)


def evolve(t: TournamentState, e: ev.Event) -> None:
    """Fold one event of the official log into ``t``, in place.

    A repeat (a ``sourceseq`` already folded) changes nothing but ``seq``.
    """
    source, sourceseq = e.source, e.sourceseq
    t.seq = e.seq
    if sourceseq <= t.counts.get(source, 0):
        return
    t.counts[source] = sourceseq
    t.times[source] = e.time
    data = e.data
    EVOLVE[type(data)](t, e, data)


@no_collector()
def fold(id: str, events: Iterable[ev.Event]) -> TournamentState:
    """The tournament after these events, from nothing."""
    t = TournamentState(id)
    for e in events:
        evolve(t, e)
    return t


def fold_decided(t: TournamentState, source: Source, data: ev.Official) -> None:
    """Fold, in place, what ``source`` is only deciding: its place in the log is not known yet and no rule reads it."""
    number = t.counts.get(source, 0) + 1
    evolve(t, ev.NewEvent(Seq(t.seq + 1), source, number, Seq(0), "", "", "rulebook", "", data, ""))


def fork_after(t: State, source: Source, events: Iterable[ev.Official]) -> State:
    """A fork of ``t`` after events that ``source`` is only deciding."""
    after = t.fork()
    for data in events:
        fold_decided(after, source, data)
    return after
