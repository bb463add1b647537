"""A transaction of one service's side of the distributed log."""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.language.messages import Message
from shared.core.language.stored_messages import message_from
from shared.core.terms import Source
from shared.log.kafka.broker import MOVES, TEXTS, TOKENS, TOURNAMENTS
from shared.log.kafka.consumer import partition_of
from shared.log.port import NO_TRACES, Cursor, NewRow, News, RevokedRow, Row, Stop, Text
from shared.log.sql import worker_state
from shared.log.sql.statements import (
    DatabaseTransaction,
    insert_new,
    insert_rows,
    one_trip,
    rows,
    run,
    select_lines,
    tail_of,
)
from shared.log.sql.tables import ERASED, EVENTS, LEDGER, OUTBOX
from shared.log.sql.tables import TEXTS as TEXT_TABLE

_OUTBOX = ("topic", "key", "record", "at", "traceparent", "partition")
STOPS = "SELECT stream, seq, why, resumed FROM stopped"
_OWN_SINCE = """
SELECT pos, e.stream, seq, e.source, e.sourceseq, command, n, line
FROM unnest(%s::text[], %s::bigint[]) AS after (stream, number)
JOIN events AS e ON e.stream = after.stream AND e.source = %s AND e.sourceseq > after.number
ORDER BY e.stream, e.sourceseq
"""


def place_of(stream: str) -> tuple[str, str]:
    """Return the topic and the key of a stream's records."""
    kind, _, key = stream.partition("/")
    return (TOURNAMENTS if kind == "tournaments" else MOVES), key


def outbox_partition(topic: str, key: str, record: bytes | None, count: int) -> int:
    """Return the partition, of ``count``, whose worker sends a record.

    It is the one that the record belongs to. For a text, it is that of its tournament, so that one worker sends the text and the
    events that refer to it. Partition 0 has the remaining records.
    """
    if topic == TEXTS and record is not None:
        return partition_of(msgspec.json.decode(record, type=Text).tournament, count)
    return partition_of(key, count) if topic in (TOURNAMENTS, MOVES) else 0


class DistributedTransaction(DatabaseTransaction):
    """A transaction of one service: events and texts, and the records that its relay must send.

    ``unready``: why no command was accepted at its start, or None. ``count``: the partitions of the official log, or None if
    they are unknown; then the relays find out which of them sends a record.
    """

    def __init__(
        self, connection: Connection, source: Source, unready: Message | None = None, count: int | None = None
    ) -> None:
        super().__init__(connection)
        self._source, self._unready, self._count = source, unready, count
        self.written = 0
        """Own events that were appended in this transaction."""

    def unready(self) -> Message | None:
        return self._unready

    def news(self, after: Cursor) -> News:
        return news_of(self.connection, after)

    def own_since(self, after: Mapping[str, int]) -> list[Row]:
        if self.connection.dialect.name != "postgresql":
            return [row for stream, number in after.items() for row in self._own(stream, number)]
        return rows(run(self.connection, _OWN_SINCE, (list(after), list(after.values()), self._source)))

    def _own(self, stream: str, after: int) -> list[Row]:
        chosen = select_lines(EVENTS).where(EVENTS.c.stream == stream, EVENTS.c.source == self._source)
        return rows(self.connection.execute(chosen.where(EVENTS.c.sourceseq > after).order_by(EVENTS.c.sourceseq)))

    def append(self, new: Sequence[NewRow], traces: Mapping[str, str] = NO_TRACES) -> int:
        """Add events, and one record for each command and topic, which contains its events separated by LF."""
        records: dict[tuple[str, str], list[bytes]] = {}
        for r in new:
            records.setdefault((r.command, r.stream), []).append(r.line)
        self.written += len(new)
        with one_trip(self.connection):
            self.insert(new, numbered=False)
            self._send(
                [
                    (*(place := place_of(stream)), b"\n".join(lines), traces.get(command), self._partition(place[1]))
                    for (command, stream), lines in records.items()
                ]
            )
        return 0

    def put_texts(self, texts: Sequence[Text]) -> None:
        self._send(
            [(TEXTS, t.hash, text_record(t), None, self._partition(t.tournament)) for t in self.store_texts(texts)]
        )

    def _partition(self, key: str) -> int | None:
        return None if self._count is None else partition_of(key, self._count)

    def store_texts(self, texts: Sequence[Text]) -> list[Text]:
        """Store texts except those that were erased, also by a transaction that ran at the same time. Return the others."""
        kept = super().store_texts(texts)
        erased = sa.select(ERASED.c.hash).where(ERASED.c.hash.in_([t.hash for t in kept]))
        if kept and (gone := set(self.connection.execute(erased).scalars())):
            self.connection.execute(sa.delete(TEXT_TABLE).where(TEXT_TABLE.c.hash.in_(gone)))
            kept = [text for text in kept if text.hash not in gone]
        return kept

    def erase_text(self, hash: str) -> None:
        """Delete a text that this service's own event erased, and send a tombstone in place of its record."""
        chosen = sa.select(TEXT_TABLE.c.tournament).where(TEXT_TABLE.c.hash == hash)
        tournament = self.connection.execute(chosen).scalar()
        self.forget_text(hash)
        self._send([(TEXTS, hash, None, None, None if tournament is None else self._partition(tournament))])

    def forget_text(self, hash: str) -> None:
        """Delete a text permanently, and its unsent records too."""
        # Another worker may be storing it: this insert waits for its transaction, or makes it wait for this one.
        insert_new(self.connection, TEXT_TABLE, [{"hash": hash, "salt": "", "text": "", "tournament": ""}])
        super().erase_text(hash)
        unsent = sa.delete(OUTBOX).where(OUTBOX.c.topic == TEXTS, OUTBOX.c.key == hash, OUTBOX.c.record.is_not(None))
        self.connection.execute(unsent)

    def revoke(self, row: RevokedRow) -> None:
        """Store a revocation, and send it to all services."""
        super().revoke(row)
        self.publish(row)

    def keep_revoked(self, row: RevokedRow) -> None:
        """Store a revocation that another service has sent, or that this one has sent before."""
        super().revoke(row)

    def publish(self, row: RevokedRow) -> None:
        """Send a revocation (again)."""
        self._send([(TOKENS, row.key, row.record, None, 0)])

    def _send(self, records: Sequence[tuple[str, str, bytes | None, str | None, int | None]]) -> None:
        """Store records for the relay: topic, key, content, ``traceparent`` and partition."""
        now = time.time()
        if records:
            insert_rows(self.connection, OUTBOX, _OUTBOX, [(*record[:3], now, *record[3:]) for record in records])
            worker_state.tell(self.connection, worker_state.OUTBOX_CHANNEL)


def news_of(connection: Connection, after: Cursor) -> News:
    with one_trip(connection):
        # A stop is committed with the events after it, or earlier. So it is read after them.
        tail, stops = tail_of(connection, LEDGER, after), run(connection, STOPS)
    return News(rows(tail), stops_of(stops))


def stops_of(rows: Iterable[Any]) -> dict[str, Stop]:
    return {stream: Stop(seq, message_from(why), resumed) for stream, seq, why, resumed in rows}


def text_record(text: Text) -> bytes:
    """Return a text as the bytes of a record."""
    return msgspec.json.encode(text)
