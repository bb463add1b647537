"""What comes through the log in a service's own name, beside what its own table holds."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.language.messages import Message, say
from shared.core.terms import Source
from shared.log.sql.tables import EVENTS
from shared.log.worker.acceptance import Judgement

_AHEAD = 256
"""Own lines read at once: those behind the one that is asked for come next."""
_HELD = 50_000


class OwnLines:
    """A service's own official lines as its table has them, read in stretches.

    A line is in the table before the relay can send it; so a record in the service's name that the table does not hold
    was written by somebody else.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self._lines: dict[tuple[str, int], bytes] = {}

    def forget(self) -> None:
        self._lines.clear()

    def why_foreign(self, connection: Connection, judgement: Judgement, lines: Sequence[bytes]) -> Message | None:
        """Why a record in this service's name is none of its own; None where it is, or names another service."""
        if judgement.source != self.source:
            return None
        for number, line in enumerate(lines, judgement.first):
            written = self._line(connection, judgement.stream, number)
            if written is None:
                return say(
                    "record {number} claims to be from {source}, but {source} did not write it",
                    number=number,
                    source=self.source,
                )
            if written != line:
                return say(
                    "number {number} came in the name of {source} with other bytes than it wrote",
                    number=number,
                    source=self.source,
                )
        return None

    def _line(self, connection: Connection, stream: str, number: int) -> bytes | None:
        known = self._lines.pop((stream, number), None)
        if known is None:
            if len(self._lines) > _HELD:
                self._lines.clear()
            chosen = sa.select(EVENTS.c.sourceseq, EVENTS.c.line).where(
                EVENTS.c.source == self.source,
                EVENTS.c.stream == stream,
                EVENTS.c.sourceseq >= number,
                EVENTS.c.sourceseq < number + _AHEAD,
            )
            self._lines |= {(stream, n): line for n, line in connection.execute(chosen)}
            known = self._lines.pop((stream, number), None)
        return known
