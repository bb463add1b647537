"""Own events that were acknowledged and are in no ledger: what a forged record came before, or what a stop left out."""

import time
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.terms import Source
from shared.log.sql.tables import EVENTS, LEDGER, SETTLED, STOPPED


class Lost(NamedTuple):
    """One own line whose number the ledger has given to other bytes. ``line`` as it was committed."""

    stream: str
    sourceseq: int
    command: str
    n: int
    line: bytes


def lost(connection: Connection, source: Source, stream: str | None = None) -> list[Lost]:
    """Those that were neither sent again nor given up, of one tournament or of all, in the order of their numbers."""
    chosen = (
        sa.select(EVENTS.c.stream, EVENTS.c.sourceseq, EVENTS.c.command, EVENTS.c.n, EVENTS.c.line)
        .join(
            LEDGER,
            sa.and_(
                LEDGER.c.source == EVENTS.c.source,
                LEDGER.c.stream == EVENTS.c.stream,
                LEDGER.c.sourceseq == EVENTS.c.sourceseq,
            ),
        )
        .where(EVENTS.c.source == source, LEDGER.c.line != EVENTS.c.line)
        .where(EVENTS.c.stream.in_(sa.select(STOPPED.c.stream)))  # A number that was given to other bytes stopped it.
        .where(EVENTS.c.command.not_in(sa.select(SETTLED.c.command)))
        .order_by(EVENTS.c.stream, EVENTS.c.sourceseq)
    )
    if stream is not None:
        chosen = chosen.where(EVENTS.c.stream == stream)
    return [Lost(*row) for row in connection.execute(chosen)]


def settle(connection: Connection, stream: str, command: str, successor: str | None, by: str, reason: str) -> None:
    """Note that a lost command was sent again as ``successor``, or (None) was given up; by whom, and why."""
    row = {"command": command, "stream": stream, "successor": successor, "at": time.time(), "by": by, "reason": reason}
    connection.execute(sa.insert(SETTLED), row)
