"""Numbering a service's records in each partition, once and for good: what is sent again keeps its number."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.terms import Source
from shared.log.kafka.broker import NUMBERED
from shared.log.kafka.consumer import place_of
from shared.log.sql.statements import insert_or_change
from shared.log.sql.tables import NUMBERS, OUTBOX, OUTBOX_NUMBERS
from shared.log.sql.worker_state import RELAY

_GIVEN = msgspec.json.Decoder(dict[int, int])


class OutboxNumbers:
    """Whoever numbers records of a partition owns it, and sends only what is committed with its numbers.

    What the tables hold is read once and kept. Where a transaction fails, `forget` what was given in it.
    """

    def __init__(self, source: Source, counts: Mapping[str, int]) -> None:
        """``counts``: topic → its partitions."""
        self._source, self._counts = source, counts
        self.forget()

    def forget(self) -> None:
        """The tables may hold other numbers than were known."""
        self._last: dict[tuple[str, int], int] | None = None
        self._given: dict[int, tuple[int, int]] = {}
        """Outbox id → number, and the row of `OUTBOX_NUMBERS` that it stands in."""
        self._left: Counter[int] = Counter()
        """Row of `OUTBOX_NUMBERS` → how many of its records are not confirmed."""

    def assign(self, connection: Connection, waiting: Sequence[Any]) -> dict[int, int]:
        """Outbox rows to be sent, in their order; id → number. Texts get none."""
        last = self._last = self._last if self._last is not None else self._load(connection)
        numbered = [row for row in waiting if row.topic in NUMBERED]
        new: dict[int, int] = {}
        changed: set[tuple[str, int]] = set()
        for row in numbered:
            if row.id not in self._given:
                place = place_of(row.topic, row.key, self._counts[row.topic])
                new[row.id] = last[place] = last.get(place, 0) + 1
                changed.add(place)
        if new:
            self._store(connection, new, {place: last[place] for place in changed})
        return {row.id: self._given[row.id][0] for row in numbered}

    def confirmed(self, connection: Connection, ids: Iterable[int]) -> None:
        """Records that Kafka has, and the outbox no longer: their numbers are not needed any more."""
        done = []
        for id in ids:
            if id in self._given:
                _, row = self._given.pop(id)
                self._left[row] -= 1
                if not self._left[row]:
                    del self._left[row]
                    done.append(row)
        _delete(connection, done)

    def _load(self, connection: Connection) -> dict[tuple[str, int], int]:
        """Take over what the tables hold; the last number of each partition."""
        for row, given in connection.execute(sa.select(OUTBOX_NUMBERS)).all():
            numbers = _GIVEN.decode(given)
            first, end = min(numbers), max(numbers)
            there = set(connection.execute(sa.select(OUTBOX.c.id).where(OUTBOX.c.id.between(first, end))).scalars())
            self._keep(row, {id: number for id, number in numbers.items() if id in there})
            if row not in self._left:
                _delete(connection, [row])
        chosen = sa.select(NUMBERS.c.topic, NUMBERS.c.partition, NUMBERS.c.last).where(
            NUMBERS.c.reader == RELAY, NUMBERS.c.source == self._source
        )
        return {(topic, partition): last for topic, partition, last in connection.execute(chosen)}

    def _store(self, connection: Connection, new: dict[int, int], last: Mapping[tuple[str, int], int]) -> None:
        text = msgspec.json.encode(new).decode()
        row = connection.execute(
            sa.insert(OUTBOX_NUMBERS).values(given=text).returning(OUTBOX_NUMBERS.c.id)
        ).scalar_one()
        self._keep(row, new)
        rows = [
            {"reader": RELAY, "source": self._source, "topic": topic, "partition": partition, "last": number}
            for (topic, partition), number in last.items()
        ]
        insert_or_change(connection, NUMBERS, ("reader", "source", "topic", "partition"), rows)

    def _keep(self, row: int, numbers: Mapping[int, int]) -> None:
        self._given |= {id: (number, row) for id, number in numbers.items()}
        if numbers:
            self._left[row] = len(numbers)


def _delete(connection: Connection, rows: Sequence[int]) -> None:
    if rows:
        connection.execute(sa.delete(OUTBOX_NUMBERS).where(OUTBOX_NUMBERS.c.id.in_(rows)))
