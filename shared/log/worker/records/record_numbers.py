"""Whether each source's records are there one after the other, by the numbers that it gave them."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.language.messages import Message, say
from shared.core.language.stored_messages import message_to_text
from shared.core.terms import SOURCES
from shared.log.kafka import consumer
from shared.log.kafka.broker import NUMBERED, WRITES, number_of
from shared.log.port import Text
from shared.log.sql import worker_state
from shared.log.sql.ledger_erasures import NOT_READ
from shared.log.sql.statements import insert_or_change
from shared.log.sql.tables import FINDINGS, NUMBERS
from shared.log.sql.worker_state import FOLLOWER
from shared.log.texts import genuine

_TEXT = msgspec.json.Decoder(Text)
_NAME = re.compile(r"[A-Za-z0-9._-]{0,200}")
_SALT = re.compile(r"[\x20-\x7e]{0,200}")


def lies_right(key: bytes | None, partition: int, count: int, stream: str) -> bool:
    """Whether a record of a stream has its key, and is in its partition."""
    name = stream.partition("/")[2]
    return key == name.encode() and consumer.partition_of(name, count) == partition


def text_of(value: bytes) -> Text | None:
    """Return the text of a record, or None unless every service's table can store it."""
    try:
        text = _TEXT.decode(value)
    except NOT_READ:
        return None
    if "\0" in text.text or not _NAME.fullmatch(text.tournament) or not _SALT.fullmatch(text.salt):
        return None
    return text if genuine(text) else None


def stranger(record: Any, why: Message) -> dict[str, Any]:
    """Return the finding of a record that is neither events nor a text."""
    return _finding(record.topic, record.partition, record.offset, why)


def end_of_transaction(topic: str, partition: int, offset: int) -> dict[str, Any]:
    """Return the finding of an offset that no consumer receives."""
    return _finding(topic, partition, offset, say("the record ends a Kafka transaction, but services write none"))


def _finding(topic: str, partition: int, offset: int, why: Message) -> dict[str, Any]:
    place = {"topic": topic, "partition": partition, "place": offset}
    return {**place, "kind": "stranger", "source": "", "what": message_to_text(why)}


_GAPS = 100
"""Gaps of a source in a partition that are kept apart; what is missing after them widens the last."""
_NUMBERS_OF = {source: frozenset(NUMBERED) & frozenset(WRITES[source]) for source in SOURCES}
_Place = tuple[str, str, int]
"""A source, a topic and one of its partitions."""


class RecordNumbers:
    """The numbers that were read of each source in each partition of the topics that are numbered; what is wrong is a finding.

    A source counts from the first number that is read of it; in a partition that is read from its start, from 1.
    """

    def __init__(self) -> None:
        self._last: dict[_Place, int] = {}
        self._changed: set[_Place] = set()

    def load(self, connection: Connection, offsets: Mapping[tuple[str, int], int]) -> None:
        """Take up what is stored. ``offsets``: (topic, partition) → the offset to go on from."""
        columns = (NUMBERS.c.source, NUMBERS.c.topic, NUMBERS.c.partition, NUMBERS.c.last)
        chosen = sa.select(*columns).where(NUMBERS.c.reader == FOLLOWER)
        self._last = {(source, topic, n): last for source, topic, n, last in connection.execute(chosen)}
        fresh = [place for place, offset in offsets.items() if not offset]
        places: set[_Place] = {
            (source, *place) for place in fresh for source in SOURCES if place[0] in _NUMBERS_OF[source]
        }
        self._changed = places - self._last.keys()
        self._last |= dict.fromkeys(self._changed, 0)

    def take(self, connection: Connection, source: str, record: Any, *, new: bool) -> None:
        """Take the number of a source's record, as a consumer gave it; ``new``: its lines had not come before."""
        place, offset, number = (source, record.topic, record.partition), record.offset, number_of(record.headers)
        last, add = self._last.get(place), partial(_note, connection, place, offset)
        if number is None:
            if last:
                add("unnumbered", say("a record of {source} has no number, although it numbers them", source=source))
        elif last is None or number == last + 1:
            self._last[place] = number
            self._changed.add(place)
        elif number > last:
            _open_gap(connection, place, offset, last + 1, number - 1)
            self._last[place] = number
            self._changed.add(place)
        elif not _fills_gap(connection, place, number) and new:
            add("doubled", say("a record number of {source} was used before for other events", source=source))

    def skip_to(self, source: str, record: Any) -> None:
        """Take a record's number of which everything was said when it was first read."""
        place, number = (source, record.topic, record.partition), number_of(record.headers)
        if number is not None and number > self._last.get(place, 0):
            self._last[place] = number
            self._changed.add(place)

    def save(self, connection: Connection) -> None:
        """Store what has changed, in the transaction of what was read."""
        values = [
            {"reader": FOLLOWER, "source": source, "topic": topic, "partition": partition, "last": last}
            for source, topic, partition in self._changed
            for last in (self._last[source, topic, partition],)
        ]
        if values:
            insert_or_change(connection, NUMBERS, ("reader", "source", "topic", "partition"), values)

    def saved(self) -> None:
        """Forget the changes, since they are committed."""
        self._changed.clear()


def _note(connection: Connection, place: _Place, offset: int, kind: worker_state.Kind, what: Message) -> None:
    source, topic, partition = place
    worker_state.add_findings(
        connection,
        [
            {
                "topic": topic,
                "partition": partition,
                "place": offset,
                "kind": kind,
                "source": source,
                "what": message_to_text(what),
            }
        ],
    )


def _gaps_of(place: _Place) -> tuple[sa.ColumnElement[bool], ...]:
    source, topic, partition = place
    lies = FINDINGS.c.source == source, FINDINGS.c.topic == topic, FINDINGS.c.partition == partition
    return FINDINGS.c.kind == "gap", *lies


def _open_gap(connection: Connection, place: _Place, offset: int, first: int, last: int) -> None:
    source, topic, partition = place
    known = connection.execute(
        sa.select(sa.func.count(), sa.func.max(FINDINGS.c.id)).where(
            *_gaps_of(place), FINDINGS.c.acknowledged.is_(None)
        )
    ).one()
    if known[0] >= _GAPS:
        connection.execute(sa.update(FINDINGS).where(FINDINGS.c.id == known[1]).values(last=last))
        return
    gap = {"topic": topic, "partition": partition, "place": offset, "kind": "gap", "source": source}
    worker_state.add_findings(connection, [{**gap, "what": "records", "first": first, "last": last}])


def _fills_gap(connection: Connection, place: _Place, number: int) -> bool:
    """Take a number out of its gap; return False without a gap."""
    within = sa.select(FINDINGS).where(*_gaps_of(place), FINDINGS.c.first <= number, FINDINGS.c.last >= number)
    gap = connection.execute(within).first()
    if gap is None:
        return False
    connection.execute(sa.delete(FINDINGS).where(FINDINGS.c.id == gap.id))
    for first, last in ((gap.first, number - 1), (number + 1, gap.last)):
        if first <= last:
            rest = {name: value for name, value in gap._mapping.items() if name != "id"}
            connection.execute(sa.insert(FINDINGS), {**rest, "first": first, "last": last})
    return True
