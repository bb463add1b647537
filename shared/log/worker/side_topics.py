"""The topics besides the official log: a service's own score sheets, and texts, which only erasures empty."""

import time
from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.language.messages import say
from shared.core.terms import Source
from shared.log.distributed_transaction import DistributedTransaction, place_of
from shared.log.sql import findings
from shared.log.sql.tables import ERASED, EVENTS, STOPPED, TEXTS
from shared.log.worker.acceptance import place_in_log
from shared.log.worker.records.record_numbers import RecordNumbers
from shared.log.worker.records.records import lies_right, stranger, text_of

FOREIGN_SHEET = say("lines of a score sheet that its service never wrote")
_FOREIGN_TOMBSTONE = say("tombstone of a text without an erasing event in the log")
_GRACE_SECONDS = 5.0
"""A tombstone and the line that erases its text are sent together, and come through two topics."""
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
        """Take texts; records that are none, as findings. A tombstone erases nothing: what erases is the event."""
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
                strangers.append(stranger(record, say("no text under its hash")))
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
        findings.add(connection, [stranger(record, _FOREIGN_TOMBSTONE) for record in foreign])
        for key in due.keys() - later:
            del self._waiting[key]
        return len(foreign)
