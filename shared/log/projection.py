"""Projections of tournaments: the entries of many tournaments are computed one by one, and stored together."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import TypeVar

from shared import structured_log
from shared.log.port import DamagedStream, LogUnavailable

_AT_ONCE = 50
"""Tournaments whose entries are stored in one transaction."""
Entry = TypeVar("Entry")


def store_each(
    name: str,
    tournaments: Iterable[str],
    entry_of: Callable[[str], Entry | None],
    store: Callable[[Sequence[Entry]], None],
    gap_of: Callable[[str], Entry | None] = lambda tournament: None,
) -> None:
    """Compute and store the entries of tournaments. ``entry_of`` returns None if there is nothing to store.

    One that fails is logged with the ``name`` of the projection, and stays outdated until its next event. ``gap_of`` returns what
    is stored in its place, or None.
    """
    remaining = iter(tournaments)
    while some := list(islice(remaining, _AT_ONCE)):
        entries = []
        for t in some:
            try:
                entries.append(entry_of(t))
            except DamagedStream as problem:
                structured_log.logger().error(name, tournament=t, why=str(problem))
                entries.append(gap_of(t))
            except LogUnavailable:
                raise
            except Exception as problem:
                structured_log.crash(name, problem, tournament=t)
                entries.append(gap_of(t))
        store([entry for entry in entries if entry is not None])
