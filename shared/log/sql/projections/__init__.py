"""The statements that projections of tournaments share. Each has a table with the last event and version of a tournament."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from shared.log.sql.statements import ends_of

_PREFIX = "tournaments/"


def last_events(connection: Connection, lines: sa.Table) -> dict[str, int]:
    """Return every tournament in the table of the official log, with its last event."""
    return {stream.removeprefix(_PREFIX): seq for stream, seq in ends_of(connection, lines, _PREFIX).items()}


def is_later(stored: Row[*tuple[Any, ...]] | None, seq: int, version: int) -> bool:
    """Return whether a stored row must not be replaced by one of this ``version`` that includes the events to ``seq``.

    ``stored``: its ``seq`` and ``version``, or None. A row of a former version is always replaced. One of a newer version is
    replaced only if it misses events: after a return to the former version, the projection must not stop.
    """
    return stored is not None and stored.version >= version and (stored.seq, stored.version) > (seq, version)


def outdated(connection: Connection, lines: sa.Table, table: sa.Table, version: int) -> dict[str, int]:
    """Return tournaments whose rows miss events or were computed by a former version, each with its last event."""
    found = last_events(connection, lines)
    stored = connection.execute(sa.select(table.c.tournament, table.c.seq).where(table.c.version >= version))
    current = {t for t, seq in stored if seq >= found.get(t, 0)}
    return {t: seq for t, seq in found.items() if t not in current}


def mark_outdated(connection: Connection, lines: sa.Table, table: sa.Table) -> Sequence[str]:
    """Give all rows version 0. Return the tournaments that the log does not have."""
    known = sa.select(lines.c.stream).where(lines.c.stream == _PREFIX + table.c.tournament)
    gone = connection.execute(sa.select(table.c.tournament).where(~known.exists())).scalars().all()
    connection.execute(sa.update(table).values(version=0))
    return gone
