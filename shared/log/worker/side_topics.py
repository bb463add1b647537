"""The topics besides the official log: a service's own score sheets, and texts, which only erasures empty."""

import time
from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.language.messages import Message, say
from shared.core.terms import GAMES, Source
from shared.log.distributed_transaction import DistributedTransaction, place_of
from shared.log.sql import worker_state
from shared.log.sql.ledger_erasures import basis_of
from shared.log.sql.statements import insert_many
from shared.log.sql.tables import ERASED, EVENTS, SHEETS, STOPPED, TEXTS
from shared.log.worker.acceptance import Place, Verifier, place_in_log
from shared.log.worker.ledger import Book
from shared.log.worker.records.record_numbers import RecordNumbers, lies_right, stranger, text_of
from shared.log.worker.records.record_signatures import last_official, official_stream

FOREIGN_SHEET = say("the events of a score sheet were not written by the games service")
_FOREIGN_TOMBSTONE = say("the text was deleted by a tombstone, but the log has no event that erases it")
_GRACE_SECONDS = 5.0
"""Time for the events that a record depends on to arrive, since they come through another topic."""
_ASKED = 500
"""Lines asked for at once."""
At = tuple[str, int]
"""A stream, and the number of a line in it."""


def take_sheets(
    connection: Connection, source: Source, records: Sequence[Any], count: int, numbers: RecordNumbers
) -> list[dict[str, Any]]:
    """Compare a service's score sheets in the topic (of ``count`` partitions) with its own table, and take their numbers; what
    the service never wrote, as findings."""
    lines = [(record.value or b"").split(b"\n") for record in records]
    places = [places_of(record, theirs, count) for record, theirs in zip(records, lines, strict=True)]
    known = lines_at(connection, EVENTS, source, {at for those in places for at in those})
    strangers = []
    for record, theirs, those in zip(records, lines, places, strict=True):
        if [known.get(at) for at in those] == theirs:
            numbers.take(connection, source, record, new=False)
        else:
            strangers.append(stranger(record, FOREIGN_SHEET))
    return strangers


def places_of(record: Any, lines: Sequence[bytes], count: int) -> list[At]:
    """Where the lines of a record belong; nowhere, where they do not lie right."""
    place = place_in_log(lines)
    if place is None or place_of(place.stream)[0] != record.topic:
        return []
    if not lies_right(record.key, record.partition, count, place.stream):
        return []
    return [(place.stream, number) for number in range(place.first, place.first + len(lines))]


def lines_at(connection: Connection, table: sa.Table, source: Source, asked: Collection[At]) -> dict[At, bytes]:
    """Return the lines of a source that a table has at these places."""
    known: dict[At, bytes] = {}
    places = sorted(asked)
    for start in range(0, len(places), _ASKED):
        there = sa.tuple_(table.c.stream, table.c.sourceseq).in_(places[start : start + _ASKED])
        chosen = sa.select(table.c.stream, table.c.sourceseq, table.c.line).where(table.c.source == source, there)
        known |= {(stream, number): line for stream, number, line in connection.execute(chosen)}
    return known


class TakenTexts:
    """Texts from their topic, and tombstones that wait for the line of the log that erases their text."""

    def __init__(self) -> None:
        self._waiting: dict[str, tuple[float, Any]] = {}

    @property
    def waiting(self) -> bool:
        """Whether a tombstone waits for its line."""
        return bool(self._waiting)

    def take(self, tx: DistributedTransaction, records: Sequence[Any]) -> list[dict[str, Any]]:
        """Take texts; return unexpected records as findings. A tombstone erases nothing, only an event does."""
        texts, strangers = [], []
        for record in records:
            key = (record.key or b"").decode("utf-8", "replace")
            if record.value is None:
                self._waiting[key] = time.monotonic(), record
                continue
            text = text_of(record.value)
            if text is not None and key == text.hash:
                texts.append(text)
            else:
                strangers.append(stranger(record, say("the text does not match the hash in its key")))
        if texts:
            tx.store_texts(texts)
        return strangers

    def foreign_tombstones(self, connection: Connection, now: float | None = None) -> int:
        """At the topics' end: note those tombstones, not of this moment, that the log knows nothing of; how many.

        Where the text's tournament stands stopped, nothing is erased, and they wait on.
        """
        until = (time.monotonic() if now is None else now) - _GRACE_SECONDS
        due = {key: record for key, (since, record) in self._waiting.items() if since <= until}
        if not due:
            return 0
        hashes = list(due)
        erased = set(connection.execute(sa.select(ERASED.c.hash).where(ERASED.c.hash.in_(hashes))).scalars())
        stands = sa.select(STOPPED.c.stream).where(STOPPED.c.resumed < 0)
        later = set(
            connection.execute(
                sa.select(TEXTS.c.hash).where(
                    TEXTS.c.hash.in_(hashes), ("tournaments/" + TEXTS.c.tournament).in_(stands)
                )
            ).scalars()
        )
        foreign = [record for key, record in due.items() if key not in erased | later]
        worker_state.add_findings(connection, [stranger(record, _FOREIGN_TOMBSTONE) for record in foreign])
        for key in due.keys() - later:
            del self._waiting[key]
        return len(foreign)


_COLUMNS = ("stream", "seq", "source", "sourceseq", "command", "n", "line")


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
        """Take the records of one of ``count`` partitions. Return how many, and the unexpected ones as findings."""
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
            return say("the score sheet belongs to an unknown tournament")
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
