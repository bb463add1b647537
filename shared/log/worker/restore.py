"""The start of a service's log: missing rows of its tables are restored from its topics, and a new log needs a permit."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.language.messages import say
from shared.core.terms import Source, service_of
from shared.log.distributed import DistributedLog
from shared.log.distributed_transaction import place_of
from shared.log.kafka import consumer, topics
from shared.log.kafka.broker import COMPACTED, TOURNAMENTS, WRITES, number_of
from shared.log.sql import owners, worker_state
from shared.log.sql.statements import insert_or_change
from shared.log.sql.tables import EVENTS, LEDGER, NUMBERS
from shared.log.sql.worker_state import RELAY, Mendable, Position
from shared.log.worker.acceptance import Place, place_in_log
from shared.log.worker.pulse import SessionEnded
from shared.log.worker.records.record_signatures import RestoredSignatures, official_stream
from shared.log.worker.topic_check import fits
from shared.log.worker.worker_lock import Lock
from shared.wire import canonical

_BATCH = 500


def restore(
    log: DistributedLog,
    lock: Lock,
    reader: Any,
    there: Mapping[str, topics.Topic],
    verifier: RestoredSignatures,
) -> int:
    """Read sheets and official lines of the lock's partitions from the last confirmed offsets; how many lines were put back.

    Only what ``verifier`` finds signed is put back.
    Texts and revocations come back by following their topics. Raises `Halted` where a topic does not hold what was confirmed.
    """
    with lock.begin() as connection:
        held = worker_state.load_positions(connection, RELAY)
    held = {place: position for place, position in held.items() if lock.owns(place[1])}
    fits(there, reader, held)
    # The official log first: what it says of keys is asked for score sheets.
    written = sorted(
        (topic for topic in WRITES[log.source] if topic not in COMPACTED), key=lambda topic: topic != TOURNAMENTS
    )
    return sum(_topic(log, lock, reader, held, topic, there[topic], verifier) for topic in written)


def _topic(
    log: DistributedLog,
    lock: Lock,
    reader: Any,
    held: Mapping[tuple[str, int], Position],
    topic: str,
    there: topics.Topic,
    verifier: RestoredSignatures,
) -> int:
    partitions = [place for place in consumer.partitions(reader, topic) if lock.owns(place.partition)]
    ends = consumer.ends(reader, partitions)
    starts = {tp: held[place].next if (place := (topic, tp.partition)) in held else 0 for tp in partitions}
    count, batch = 0, []
    for record in consumer.stretch(reader, starts, ends):
        batch.append(record)
        if len(batch) >= _BATCH:
            count += _put_back(log, lock, batch, there, verifier)
            batch = []
    return count + _put_back(log, lock, batch, there, verifier)


def _put_back(
    log: DistributedLog, lock: Lock, records: list[Any], there: topics.Topic, verifier: RestoredSignatures
) -> int:
    if not records:
        return 0
    count = 0
    with lock.begin() as connection:
        positions: dict[tuple[str, int], Position] = {}
        for r in records:
            count += _take(connection, log.source, r, there.partitions, verifier, lock)
            digest = sha256(r.value or b"").hexdigest()
            positions[r.topic, r.partition] = Position(there.id, r.offset + 1, digest)
        worker_state.save_positions(connection, RELAY, positions)
    return count


def _take(
    connection: Connection, source: str, record: Any, count: int, verifier: RestoredSignatures, lock: Lock
) -> int:
    """Put one record's lines back where they are the source's next; how many.

    It must be a line for the ledgers too: one in another topic or partition, or under another key, is none, and used
    numbers are their matter.
    """
    lines = (record.value or b"").split(b"\n")
    place = place_in_log(lines)
    if place is None:
        return 0
    topic, key = place_of(place.stream)
    if record.topic != topic or record.key != key.encode() or consumer.partition_of(key, count) != record.partition:
        return 0
    if place.source != source:
        if record.topic == TOURNAMENTS:
            verifier.passed(connection, place, lines)
        return 0
    new = place.first == _last(connection, source, place.stream) + 1
    if new and (
        verifier.why_not(connection, place, lines) or _unclean(place, lines, verifier.offices(connection, place, lines))
    ):
        partition = consumer.partition_of(official_stream(place.stream).partition("/")[2], count)
        if not lock.owns(partition) and not _answered(connection, partition):
            raise SessionEnded(f"the ledger of partition {partition} is not read to its end by another worker")
        return 0
    if new:
        _insert(connection, place, lines)
        if record.topic == TOURNAMENTS:
            verifier.passed(connection, place, lines)
    if new or _held(connection, place) == lines[0]:
        _numbered(connection, source, record)
    return len(lines) if new else 0


def _answered(connection: Connection, partition: int) -> bool:
    """Return whether the worker of a partition has read it to its end since the last question."""
    return not owners.last_question(connection, [partition])[1]


def _unclean(place: Place, lines: list[bytes], offices: int) -> bool:
    """Whether a line is not written as the service writes it in a log of this edition of offices, whoever signed it."""
    return any(canonical.refusal(line, number, offices) for number, line in enumerate(lines, place.first))


def _insert(connection: Connection, place: Place, lines: list[bytes]) -> None:
    before = connection.execute(
        sa.select(sa.func.count()).select_from(EVENTS).where(EVENTS.c.command == place.command)
    ).scalar_one()
    sheet = not place.stream.startswith("tournaments/")
    values = [
        {
            "stream": place.stream, "seq": place.first + i if sheet else 0, "source": place.source,
            "sourceseq": place.first + i, "command": place.command, "n": before + i, "line": line,
        }
        for i, line in enumerate(lines)
    ]  # fmt: skip
    connection.execute(sa.insert(EVENTS), values)


def _held(connection: Connection, place: Place) -> bytes | None:
    """The own line under a record's first number."""
    line = sa.select(EVENTS.c.line).where(
        EVENTS.c.source == place.source, EVENTS.c.stream == place.stream, EVENTS.c.sourceseq == place.first
    )
    return connection.execute(line).scalar()


def _numbered(connection: Connection, source: str, record: Any) -> None:
    """A number that an own record has is used, also where this database does not know that it was given."""
    number = number_of(record.headers)
    if number is None:
        return
    row = {"reader": RELAY, "source": source, "topic": record.topic, "partition": record.partition}
    last = sa.select(NUMBERS.c.last).filter_by(**row)
    if number > (connection.execute(last).scalar() or 0):
        insert_or_change(connection, NUMBERS, tuple(row), [{**row, "last": number}])


def _last(connection: Connection, source: str, stream: str) -> int:
    highest = sa.select(sa.func.coalesce(sa.func.max(EVENTS.c.sourceseq), 0))
    highest_number = connection.execute(highest.where(EVENTS.c.source == source, EVENTS.c.stream == stream))
    return int(highest_number.scalar_one())


class Permit(Protocol):
    """A permit to begin a log with the existing keys: they are new, or an operator gave it."""

    def given(self) -> bool: ...

    def spend(self) -> None:
        """Use up the permit: the next log needs another one."""


def check_permit(connection: Connection, source: Source, records: int, permit: Permit) -> None:
    """Spend the permit, unless the database and the topic of the log, which ever had ``records``, are empty.

    Raises `Mendable` if they are empty without a permit.
    """
    if records or any(connection.execute(sa.select(table.c.pos).limit(1)).first() for table in (EVENTS, LEDGER)):
        permit.spend()
    elif not permit.given():
        raise Mendable(
            say(
                "the keys of {service} are not new, and what they signed is gone: its database and the topic of the "
                "log are empty; put the backups of the databases back, or begin another log with `arbiter keys --new-log`",
                service=service_of(source),
            )
        )
