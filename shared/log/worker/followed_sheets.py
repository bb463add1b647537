"""The score sheets that standings keeps: what games wrote to its topic, checked by signature."""

import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy.engine import Connection

from shared.core.language.messages import Message, say
from shared.core.terms import GAMES
from shared.log.sql.ledger_erasures import basis_of
from shared.log.sql.statements import insert_many
from shared.log.sql.tables import SHEETS
from shared.log.worker.acceptance import Place, Verifier, place_in_log
from shared.log.worker.ledger import Book
from shared.log.worker.records.record_numbers import RecordNumbers
from shared.log.worker.records.record_signatures import last_official, official_stream
from shared.log.worker.records.records import stranger
from shared.log.worker.side_topics import FOREIGN_SHEET, lines_at, places_of

_COLUMNS = ("stream", "seq", "source", "sourceseq", "command", "n", "line")
_GRACE_SECONDS = 5.0
"""How long a record may wait for the official events that it depends on, which come through another topic."""


class FollowedSheets:
    """Takes records of `MOVES` into the table ``sheets``.

    A record that the known keys refuse waits while the ledger lacks the events that its signature depends on. Then its
    partition is not read past it.
    """

    def __init__(self, book: Book, verifier: Verifier, numbers: RecordNumbers) -> None:
        self._book, self._verifier, self._numbers = book, verifier, numbers
        self._waiting: dict[int, tuple[float, int]] = {}
        """Partition → since when a record waits there, and the last offset that had been read then."""
        self._read_to_end = 0.0

    def official_read(self) -> None:
        """Note that the official log has been read to its end just now."""
        self._read_to_end = time.monotonic()

    def take(self, connection: Connection, records: Sequence[Any], count: int) -> tuple[int, list[dict[str, Any]]]:
        """Take the records of one partition of ``count``; how many, and those that are no lines of games, as findings."""
        lines = [(record.value or b"").split(b"\n") for record in records]
        places = [places_of(record, theirs, count) for record, theirs in zip(records, lines, strict=True)]
        known = lines_at(connection, SHEETS, GAMES, {at for those in places for at in those})
        new: list[tuple[Any, ...]] = []
        strangers: list[dict[str, Any]] = []
        taken = 0
        for record, theirs, those in zip(records, lines, places, strict=True):
            place = place_in_log(theirs) if those else None
            why: Message | None = FOREIGN_SHEET
            if place is not None and place.source == GAMES:
                first = not any(at in known for at in those)
                if first and (why := self._refusal(connection, place, theirs)) is not None:
                    if self._waits(connection, place, theirs, record, records[-1].offset):
                        break
                elif first or [known.get(at) for at in those] == theirs:
                    self._numbers.take(connection, GAMES, record, new=first)
                    why = None
                if first and why is None:
                    new += [(*at, GAMES, at[1], place.command, n, theirs[n]) for n, at in enumerate(those)]
                    known |= zip(those, theirs, strict=True)
            if why is not None:
                strangers.append(stranger(record, why))
            taken += 1
        else:
            self._waiting.pop(records[0].partition, None)
        if new:
            insert_many(connection, SHEETS, _COLUMNS, new)
        return taken, strangers

    def _refusal(self, connection: Connection, place: Place, lines: Sequence[bytes]) -> Message | None:
        """Return why a record is not by games, or None if it is."""
        if not self._book.reaches(connection, official_stream(place.stream), 0, GAMES, 0):
            return say("a score sheet of an unknown tournament")
        return self._verifier.why_not(connection, place, lines)

    def _waits(self, connection: Connection, place: Place, lines: Sequence[bytes], record: Any, last: int) -> bool:
        """Return whether a refused record is looked at again: the events that it depends on may still come."""
        basis, official = basis_of(lines[0]), last_official(lines)
        if self._book.reaches(connection, official_stream(place.stream), basis[0] if basis else 0, GAMES, official):
            return False
        since, until = self._waiting.get(record.partition, (0.0, -1))
        if record.offset > until:
            since, until = self._waiting[record.partition] = time.monotonic(), last
        return self._read_to_end < since + _GRACE_SECONDS
