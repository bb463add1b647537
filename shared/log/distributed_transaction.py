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
from shared.log.port import NO_TRACES, NewRow, News, RevokedRow, Row, Stop, Text
from shared.log.sql import worker_state
from shared.log.sql.statements import (
    DatabaseTransaction,
    insert_rows,
    one_trip,
    rows,
    run,
    select_lines,
    tail_of,
)
from shared.log.sql.tables import EVENTS, LEDGER, OUTBOX

_OUTBOX = ("topic", "key", "record", "at", "traceparent")
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


class DistributedTransaction(DatabaseTransaction):
    """A transaction of one service: events and texts, and the records that its relay must send.

    ``unready``: why no command was accepted at its start, or None.
    """

    def __init__(self, connection: Connection, source: Source, unready: Message | None = None) -> None:
        super().__init__(connection)
        self._source, self._unready = source, unready

    def unready(self) -> Message | None:
        return self._unready

    def news(self, after: int) -> News:
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
        with one_trip(self.connection):
            self.insert(new, numbered=False)
            self._send(
                [
                    (*place_of(stream), b"\n".join(lines), traces.get(command))
                    for (command, stream), lines in records.items()
                ]
            )
        return 0

    def put_texts(self, texts: Sequence[Text]) -> None:
        self._send([(TEXTS, t.hash, text_record(t), None) for t in self.store_texts(texts)])

    def erase_text(self, hash: str) -> None:
        """Delete a text that this service's own event erased, and send a tombstone in place of its record."""
        self.forget_text(hash)
        self._send([(TEXTS, hash, None, None)])

    def forget_text(self, hash: str) -> None:
        """Delete a text permanently, and its unsent records too."""
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
        self._send([(TOKENS, row.key, row.record, None)])

    def _send(self, records: Sequence[tuple[str, str, bytes | None, str | None]]) -> None:
        """Store records for the relay: topic, key, content and ``traceparent``."""
        now = time.time()
        if records:
            insert_rows(self.connection, OUTBOX, _OUTBOX, [(*record[:3], now, record[3]) for record in records])
            worker_state.tell(self.connection, worker_state.OUTBOX_CHANNEL)


def news_of(connection: Connection, after: int) -> News:
    with one_trip(connection):
        # A stop is committed with the events after it, or earlier. So it is read after them.
        tail, stops = tail_of(connection, LEDGER, after), run(connection, STOPS)
    return News(rows(tail), stops_of(stops))


def stops_of(rows: Iterable[Any]) -> dict[str, Stop]:
    return {stream: Stop(seq, message_from(why), resumed) for stream, seq, why, resumed in rows}


def text_record(text: Text) -> bytes:
    """Return a text as the bytes of a record."""
    return msgspec.json.encode(text)
