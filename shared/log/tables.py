"""The tables of a service's database. Alembic's migrations make them; nothing else does."""

from sqlalchemy import Column, Index, Integer, LargeBinary, MetaData, Table, Text, UniqueConstraint

METADATA = MetaData()


def _lines(name: str, *constraints: UniqueConstraint | Index) -> Table:
    """A table of lines: bytes as committed, and what finds them."""
    return Table(
        name,
        METADATA,
        Column("pos", Integer, primary_key=True, autoincrement=True),
        Column("stream", Text, nullable=False),
        Column("seq", Integer, nullable=False),
        Column("source", Text, nullable=False),
        Column("sourceseq", Integer, nullable=False),
        Column("command", Text, nullable=False),
        Column("n", Integer, nullable=False),
        Column("line", LargeBinary, nullable=False),
        *constraints,
        sqlite_autoincrement=True,
    )


EVENTS = _lines(
    "events",
    UniqueConstraint("source", "stream", "sourceseq", name="events_sourceseq"),
    UniqueConstraint("command", "n", name="events_command"),
    Index("events_seq", "stream", "seq"),
)
"""What this database's services wrote. Embedded, ``seq`` is the line's number; apart from the log it is 0."""

LEDGER = _lines("ledger", UniqueConstraint("stream", "seq", name="ledger_seq"))
"""What came back through the log, where the append is not the log itself."""

OUTBOX = Table(
    "outbox",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("stream", Text, nullable=False),
    Column("record", LargeBinary, nullable=False),
    sqlite_autoincrement=True,
)
"""Records to be sent, one a command, deleted only from the front."""

TEXTS = Table(
    "texts",
    METADATA,
    Column("hash", Text, primary_key=True),
    Column("salt", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("tournament", Text, nullable=False, index=True),
)

ERASED = Table("erased", METADATA, Column("hash", Text, primary_key=True))
"""Hashes that are never taken again."""

KEPT = Table(
    "kept",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("body", Text, nullable=False),
    Column("status", Integer, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("command", Text, nullable=False),
)
"""Answers kept for idempotency keys."""

POSITIONS = Table(
    "positions",
    METADATA,
    Column("topic", Text, primary_key=True),
    Column("next", Integer, nullable=False),
)
"""How far a follower has read."""

STOPPED = Table(
    "stopped",
    METADATA,
    Column("stream", Text, primary_key=True),
    Column("why", Text, nullable=False),
)
"""Streams in which a used number came back with other bytes."""
