"""Cold storage: the events of finished tournaments, compressed, in one row per stream.

The first and the last event of a stream stay in its table. So the stream is still listed, its end and its announcement are found
without decompression, and a follower of the log that has missed the last events notices the tournament. New events are appended
to the table as before.
"""

import zlib
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from hashlib import sha256

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from shared.core.language.messages import say
from shared.core.trust.merkle import Frontier, leaf_hash
from shared.log.port import DamagedStream, Row
from shared.log.sql.statements import insert_many, insert_or_change, of_stream, rows, run, select_lines
from shared.log.sql.tables import COLD, LEDGER

_LEVEL = 9
"""The level of zlib: 100 kB become 20 kB. LZMA would save a tenth more, but takes four times as long to read."""
_LOCK = 4_242_002
_PREFIXES = {"ledger": "tournaments/", "sheets": "games/", "events": ("tournaments/", "games/")}
"""The streams of each table."""
_ROWS = msgspec.msgpack.Decoder(list[Row])
_STORED = len(Row._fields) - 1
"""The fields of a row that are compressed. The partition is that of the events that stay in the table."""


class DatabaseColdStorage:
    """Reads the events of a database, compressed or not."""

    reader: Engine

    @cached_property
    def _has_cold(self) -> bool:
        """False for a database of an earlier version that is only read."""
        return sa.inspect(self.reader).has_table(COLD.name)

    def _completed(
        self, connection: Connection, read: Callable[[], list[Row]], stream: str, after: int, upto: int | None
    ) -> list[Row]:
        """Return the events of a stream with ``after`` < ``seq`` <= ``upto``. ``read`` returns those in its table."""
        return _completed(connection, read, stream, after, upto) if self._has_cold else read()


def _completed(
    connection: Connection, read: Callable[[], list[Row]], stream: str, after: int, upto: int | None
) -> list[Row]:
    found = read()
    if found and found[-1].seq - after == len(found) and upto in (None, found[-1].seq):
        return found
    stored = {row.seq: row for row in stored_rows(connection, stream)}
    if not stored:
        return read()  # They may have been decompressed between the two statements.
    stored |= {row.seq: row for row in found}
    return [row for seq, row in sorted(stored.items()) if after < seq and (upto is None or seq <= upto)]


def stored_rows(connection: Connection, stream: str) -> list[Row]:
    """Return the compressed events of a stream by ``seq``, or an empty list. Raises `DamagedStream`."""
    row = run(connection, "SELECT size, digest, content FROM cold WHERE stream = %s", (stream,)).fetchone()
    return [] if row is None else _unpacked(stream, *row)


def ledger_rows(connection: Connection, stream: str) -> list[Row]:
    """Return all events of a tournament's ledger. Raises `DamagedStream`."""
    return _completed(connection, partial(_held, connection, LEDGER, stream), stream, 0, None)


def ledger_root(connection: Connection, stream: str, seq: int) -> bytes | None:
    """Return the root after event ``seq`` of a tournament's ledger, or None without this event. Raises `DamagedStream`."""
    chosen = sa.select(LEDGER.c.root).where(LEDGER.c.stream == stream, LEDGER.c.seq == seq)
    root: bytes | None = connection.execute(chosen).scalar()
    if root is None and stored_rows(connection, stream):
        return next((root for row, root in _with_roots(ledger_rows(connection, stream)) if row.seq == seq), None)
    return root


def _with_roots(held: list[Row]) -> Iterator[tuple[Row, bytes]]:
    """Yield each event of a tournament with the root after it."""
    frontier = Frontier()
    for row in held:
        frontier.append(leaf_hash(row.line))
        yield row, frontier.root()


def _held(connection: Connection, table: sa.Table, stream: str) -> list[Row]:
    chosen = select_lines(table).where(*of_stream(table, stream)).order_by(table.c.seq)
    return rows(connection.execute(chosen))


def all_stored(connection: Connection) -> Iterator[Row]:
    """Yield all compressed events. Raises `DamagedStream`."""
    for stream in list(connection.execute(sa.select(COLD.c.stream).order_by(COLD.c.stream)).scalars()):
        yield from stored_rows(connection, stream)


def of_command(connection: Connection, command: str, tournament: str) -> list[Row]:
    """Return the compressed events that a command wrote in a tournament. Raises `DamagedStream`."""
    streams = connection.execute(sa.select(COLD.c.stream).where(COLD.c.tournament == tournament)).scalars()
    return [row for stream in list(streams) for row in stored_rows(connection, stream) if row.command == command]


def _unpacked(stream: str, size: int, digest: str, content: bytes) -> list[Row]:
    try:
        if sha256(content).hexdigest() != digest:
            raise _damaged(stream)
        found = _ROWS.decode(zlib.decompress(content))
    except (zlib.error, msgspec.MsgspecError):
        raise _damaged(stream) from None
    if [(row.stream, row.seq) for row in found] != [(stream, seq) for seq in range(2, size + 2)]:
        raise _damaged(stream)
    return found


def _damaged(stream: str) -> DamagedStream:
    return DamagedStream(say("the compressed events of {stream} are damaged: run `arbiter doctor`", stream=stream))


def resting(connection: Connection, table: sa.Table) -> set[str]:
    """Return the streams of a table that have no new event since they were compressed."""
    newer = sa.select(table.c.pos).where(table.c.stream == COLD.c.stream, table.c.seq > COLD.c.size + 2).exists()
    return set(connection.execute(sa.select(COLD.c.stream).where(~newer)).scalars())


def compress(connection: Connection, table: sa.Table, tournament: str, stream: str) -> bool:
    """Move the events of a stream, except the first and the last, from a table into cold storage.

    Return False if the stream has fewer than three events, or lacks one: then nothing is changed.
    """
    _lock(connection)
    held = _completed(connection, partial(_held, connection, table, stream), stream, 0, None)
    kept = held[1:-1]
    if not kept or [row.seq for row in held] != list(range(1, len(held) + 1)):
        return False
    content = zlib.compress(msgspec.msgpack.encode([row[:_STORED] for row in kept]), _LEVEL)
    value = {
        "stream": stream,
        "tournament": tournament,
        "size": len(kept),
        "digest": sha256(content).hexdigest(),
        "content": content,
    }
    insert_or_change(connection, COLD, ("stream",), [value])
    if stored_rows(connection, stream) != kept:
        raise _damaged(stream)  # Nothing is deleted that cannot be read back. The transaction is rolled back.
    moved = sa.delete(table).where(*of_stream(table, stream), table.c.seq > 1, table.c.seq < held[-1].seq)
    connection.execute(moved)
    return True


def decompress(
    connection: Connection, table: sa.Table, tournament: str | None = None, *, without_damaged: bool = False
) -> int:
    """Move compressed events back into their table: those of a tournament, or all that belong to this table.

    Return the number of streams. Raises `DamagedStream`. ``without_damaged``: damaged ones are deleted instead, because they
    are read again from the topics.
    """
    chosen = (
        sa.select(COLD.c.stream)
        if tournament is None
        else sa.select(COLD.c.stream).where(COLD.c.tournament == tournament)
    )
    streams = [stream for stream in connection.execute(chosen).scalars() if stream.startswith(_PREFIXES[table.name])]
    if streams:
        _lock(connection)
    for stream in streams:
        try:
            _insert(connection, table, stream, stored_rows(connection, stream))
        except DamagedStream:
            if not without_damaged:
                raise
        connection.execute(sa.delete(COLD).where(COLD.c.stream == stream))
    return len(streams)


def _insert(connection: Connection, table: sa.Table, stream: str, stored: list[Row]) -> None:
    if table is not LEDGER:
        insert_many(connection, table, Row._fields[:_STORED], [row[:_STORED] for row in stored])
        return
    (first, *_) = _held(connection, LEDGER, stream)
    partition = connection.execute(sa.select(sa.func.max(LEDGER.c.partition)).where(LEDGER.c.stream == stream)).scalar()
    values = [(*row[:_STORED], partition, root) for row, root in _with_roots([first, *stored])]
    insert_many(connection, LEDGER, (*Row._fields, "root"), values[1:])


def _lock(connection: Connection) -> None:
    """Wait for other processes that compress or decompress. On SQLite, the transaction has the write lock."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
