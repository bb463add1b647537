"""Numbering a service's records in each partition, once and for good: what is sent again keeps its number."""

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.terms import Source
from shared.log.kafka.consumer import partition_of
from shared.log.kafka.record_header import NUMBERED
from shared.log.sql.statements import insert_or_change
from shared.log.sql.tables import NUMBERS, OUTBOX
from shared.log.sql.worker_state import RELAY


class OutboxNumbers:
    """Whoever numbers holds the relay's lock, and sends only what is committed with its numbers."""

    def __init__(self, source: Source, counts: Mapping[str, int]) -> None:
        """``counts``: topic → its partitions."""
        self._source, self._counts = source, counts
        self._last: dict[tuple[str, int], int] | None = None

    def forget(self) -> None:
        """The table may hold other numbers than were known."""
        self._last = None

    def assign(self, connection: Connection, waiting: Sequence[Any]) -> dict[int, int]:
        """Outbox rows to be sent, in their order; id → number. Texts get none.

        Where the transaction fails, `forget` what was given.
        """
        numbers = {row.id: int(row.number) for row in waiting if row.number is not None}
        new = [row for row in waiting if row.number is None and row.topic in NUMBERED]
        if not new:
            return numbers
        last = self._last = self._last or self._stored(connection)
        given: dict[int, int] = {}
        for row in new:
            place = row.topic, partition_of(row.key, self._counts[row.topic])
            given[row.id] = last[place] = last.get(place, 0) + 1
        _store(connection, given)
        rows = [
            {"reader": RELAY, "source": self._source, "topic": topic, "partition": partition, "last": number}
            for (topic, partition), number in last.items()
        ]
        insert_or_change(connection, NUMBERS, ("reader", "source", "topic", "partition"), rows)
        return numbers | given

    def _stored(self, connection: Connection) -> dict[tuple[str, int], int]:
        chosen = sa.select(NUMBERS.c.topic, NUMBERS.c.partition, NUMBERS.c.last).where(
            NUMBERS.c.reader == RELAY, NUMBERS.c.source == self._source
        )
        return {(topic, partition): last for topic, partition, last in connection.execute(chosen)}


def _store(connection: Connection, given: Mapping[int, int]) -> None:
    if connection.dialect.name == "postgresql":
        # As text: psycopg takes longer to make arrays of numbers than PostgreSQL to use them.
        ids, numbers = ("{" + ",".join(map(str, values)) + "}" for values in (given.keys(), given.values()))
        connection.exec_driver_sql(
            "UPDATE outbox SET number = given.number FROM unnest(%s::bigint[], %s::bigint[]) AS given (id, number) "
            "WHERE outbox.id = given.id",
            (ids, numbers),
        )
    else:
        connection.execute(
            sa.update(OUTBOX).where(OUTBOX.c.id == sa.bindparam("row")).values(number=sa.bindparam("to")),
            [{"row": id, "to": number} for id, number in given.items()],
        )
