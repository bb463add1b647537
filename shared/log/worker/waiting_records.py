"""The records of the outbox that a relay sends next: those of its partitions, each after those that must come before it."""

from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.terms import GAMES, Source
from shared.log.distributed_transaction import outbox_partition
from shared.log.kafka.broker import MOVES, TEXTS, TOURNAMENTS
from shared.log.kafka.consumer import partition_of
from shared.log.sql.tables import ERASED, OUTBOX
from shared.log.worker.records.record_signatures import official_stream

_COLUMNS = tuple(OUTBOX.c[name] for name in ("id", "topic", "key", "record", "traceparent", "partition"))
_NEVER = float("inf")


class WaitingRecords:
    """The outbox as the relay of some of ``count`` partitions sees it.

    A score sheet is in the partition of its game, and so another relay may send it than the one of its tournament. The events
    of the tournament then wait for it, and it waits for the texts that it refers to.
    """

    def __init__(self, source: Source, partitions: Collection[int], count: int) -> None:
        self._partitions, self._count = frozenset(partitions), count
        self._all = len(self._partitions) == count
        self.waited_for = source == GAMES and not self._all
        """Whether another relay may wait for records of this one."""
        mine = sa.true() if self._all else OUTBOX.c.partition.in_(self._partitions) | OUTBOX.c.partition.is_(None)
        # Statements are made once, because a relay looks several times a second.
        self._front = sa.select(*_COLUMNS).where(mine).order_by(OUTBOX.c.id).limit(sa.bindparam("room"))
        self._below = sa.select(OUTBOX.c.id).where(OUTBOX.c.id <= sa.bindparam("highest"), mine)
        self._number_below = sa.select(sa.func.count()).select_from(self._below.subquery())

    def next_rows(self, connection: Connection, flying: Collection[int], room: int) -> list[Any]:
        """Return up to ``room`` rows from the front that are not ``flying``, and delete texts that were erased.

        A row with a lower ID may have been committed later.
        """
        chosen = self._front
        if flying:
            highest = {"highest": max(flying)}
            late: set[int] = set()
            if connection.execute(self._number_below, highest).scalar_one() > len(flying):
                late = set(connection.execute(self._below, highest).scalars()) - set(flying)
            later = OUTBOX.c.id > highest["highest"]
            chosen = chosen.where(later | OUTBOX.c.id.in_(late) if late else later)
        rows = self._sendable(connection, connection.execute(chosen, {"room": room}).all())
        return _without_erased(connection, rows)

    def _sendable(self, connection: Connection, rows: Sequence[Any]) -> list[Any]:
        """Leave out the rows of other relays, and those that wait for a row of another relay."""
        if self._all:
            return list(rows)
        rows = [row for row in rows if self._partition(row) in self._partitions]
        if not self.waited_for or not rows:
            return rows
        record = sa.case((OUTBOX.c.partition.is_(None), OUTBOX.c.record)).label("record")
        others = sa.select(OUTBOX.c.id, OUTBOX.c.topic, OUTBOX.c.key, OUTBOX.c.partition, record).where(
            OUTBOX.c.topic.in_((MOVES, TEXTS)),
            OUTBOX.c.partition.not_in(self._partitions) | OUTBOX.c.partition.is_(None),
        )
        first: dict[tuple[str, int], int] = {}
        for other in connection.execute(others.order_by(OUTBOX.c.id)):
            if self._partition(other) not in self._partitions:
                first.setdefault((other.topic, self._tournament(other)), other.id)
        before = {MOVES: TEXTS, TOURNAMENTS: MOVES}
        return [row for row in rows if row.id < first.get((before.get(row.topic, ""), self._tournament(row)), _NEVER)]

    def _partition(self, row: Any) -> int:
        if row.partition is not None:
            return int(row.partition)
        return outbox_partition(row.topic, row.key, row.record, self._count)

    def _tournament(self, row: Any) -> int:
        """Return the partition of the row's tournament."""
        if row.topic != MOVES:
            return self._partition(row)
        return partition_of(official_stream(f"games/{row.key}").partition("/")[2], self._count)


def _without_erased(connection: Connection, rows: list[Any]) -> list[Any]:
    texts = [r.key for r in rows if r.topic == TEXTS and r.record is not None]
    if not texts:
        return rows
    erased = set(connection.execute(sa.select(ERASED.c.hash).where(ERASED.c.hash.in_(texts))).scalars())
    gone = [r.id for r in rows if r.topic == TEXTS and r.record is not None and r.key in erased]
    connection.execute(sa.delete(OUTBOX).where(OUTBOX.c.id.in_(gone)))
    return [r for r in rows if r.id not in gone]
