"""The repair of topics, from the longest ledger and then from the events of the services."""

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import groupby, zip_longest
from typing import Any

import sqlalchemy as sa
from kafka import KafkaProducer
from sqlalchemy.engine import Connection

from shared.core.language.messages import Message, message_of, say
from shared.core.terms import GAMES, SOURCES, STANDINGS, Source, service_of
from shared.log.distributed import DistributedLog
from shared.log.distributed_transaction import place_of, text_record
from shared.log.kafka import topics
from shared.log.kafka.broker import MAX_RECORD, MOVES, TEXTS, TOKENS, TOPICS, Broker, headers_of
from shared.log.kafka.consumer import partition_of
from shared.log.port import RevokedRow, Text
from shared.log.sql import invitations, worker_state
from shared.log.sql.tables import ERASED, EVENTS, LEDGER, NUMBERS, OUTBOX, OUTBOX_NUMBERS, POSITIONS, SHEETS
from shared.log.sql.tables import TEXTS as TEXT_TABLE
from shared.log.sql.worker_state import RELAY
from shared.log.worker.worker_lock import NotPossible, alone


class Differ(Exception):
    """Ledgers that are not prefixes of one log. Its text names the tournament, the event, and the services on each side."""


def streams(logs: Iterable[DistributedLog]) -> list[str]:
    """Return the stream of every tournament that a ledger contains, sorted."""
    return sorted({stream for log in logs for stream in log.streams("tournaments/")})


def longest(logs: Sequence[DistributedLog], stream: str) -> DistributedLog:
    """Return the longest ledger of a tournament, the first of equal ones. Raises `Differ`."""
    held = {log.source: [row.line for row in log.lines(stream)] for log in logs}
    for number, lines in enumerate(zip_longest(*held.values()), 1):
        sides: dict[bytes, list[str]] = {}
        for source, line in zip(held, lines, strict=True):
            if line is not None:
                sides.setdefault(line, []).append(service_of(source))
        if len(sides) > 1:
            raise Differ(
                say(
                    "line {number} of {t} is not the same in {sides}",
                    number=number,
                    t=stream.partition("/")[2],
                    sides=_side_names(sides),
                )
            )
    return max(logs, key=lambda log: len(held[log.source]))


def _side_names(sides: dict[bytes, list[str]]) -> Message:
    """Return the services on each side, the smaller side first: its ledgers are more likely to be wrong."""
    named = [say("{names}", names=tuple(side)) for side in sorted(sides.values(), key=len)]
    return reduce(lambda first, second: say("{first} as in {second}", first=first, second=second), named)


_SEND_SECONDS = 60  # a repair sends more at once than the relay, to a broker that has just returned
_SOURCE: dict[str, Source] = {source: source for source in SOURCES}
_Record = tuple[Source | None, str, str, bytes]
"""The source of a record (None for a text), its topic, key and bytes."""
_Numbers = Counter[tuple[Source, str, int]]
"""(Source, topic, partition) → the number that its last record there has."""


def rebuild_topics(logs: Sequence[DistributedLog], broker: Broker) -> dict[str, int]:
    """Make the topics again from the longest ledger, the services' events, texts and revocations; return records by topic.

    ``logs`` are those of all four services. Events that a service has written and no ledger contains go back into its
    outbox. Raises `NotPossible` while a worker runs, or if a ledger is not a prefix of the longest one.
    """
    if {log.source for log in logs} != set(SOURCES):
        raise NotPossible(say("the topics can be rebuilt only from the databases of all four services: name each"))
    with alone(logs):
        for log in logs:
            log.decompress()
        longest = _longest(logs)
        with topics.admin(broker) as client:
            old = list(topics.describe(client))
            if old:
                client.delete_topics(old)
                _gone(client, old)
        topics.create(broker)
        sent, numbers = _send(broker, longest, logs)
        for log in logs:
            _set_back(log, numbers)
    return sent


def _gone(client: Any, old: list[str]) -> None:
    """Wait until deleted topics are gone; Kafka deletes them after it has answered."""
    pause = threading.Event()
    for _ in range(100):
        if not set(topics.describe(client)) & set(old):
            return
        pause.wait(0.1)
    raise NotPossible(say("Kafka has not deleted the old topics yet; try again"))


# ---------------------------------------------------------------- what is sent


def _longest(logs: Sequence[DistributedLog]) -> Mapping[str, DistributedLog]:
    """Tournament's stream → the service whose ledger of it is longest. Raises `NotPossible`."""
    try:
        return {stream: longest(logs, stream) for stream in streams(logs)}
    except Differ as difference:
        raise NotPossible(
            say(
                "{difference}: first replace the wrong ledger with `arbiter rebuild ledger`, then rebuild the topics",
                difference=message_of(difference),
            )
        ) from None


def _records(log: DistributedLog, stream: str) -> Iterator[_Record]:
    """Yield the records of a ledger, one for each command, as they were sent."""
    topic, key = place_of(stream)
    for _, rows in groupby(log.lines(stream), key=lambda row: row.seq - row.n):
        lines = list(rows)
        yield _SOURCE[lines[0].source], topic, key, b"\n".join(row.line for row in lines)


def _commands(rows: Sequence[Any]) -> Iterator[bytes]:
    """Yield events of one stream and source, in order, as one record for each command."""
    for _, lines in groupby(rows, key=lambda row: row.command):
        yield b"\n".join(row.line for row in lines)


def _send(
    broker: Broker, longest: Mapping[str, DistributedLog], logs: Sequence[DistributedLog]
) -> tuple[dict[str, int], _Numbers]:
    """Send all records, numbered for each source; return records by topic, and the last numbers."""
    sent, numbers = dict.fromkeys(TOPICS, 0), _Numbers()
    counts = {topic: topics.count_of(broker, topic) for topic in TOPICS}
    producer = KafkaProducer(acks="all", max_request_size=MAX_RECORD, batch_size=256 * 1024, **broker.options())
    try:
        futures = []
        for source, topic, key, record in _everything(longest, logs):
            partition, number = partition_of(key, counts[topic]), None
            if source is not None:
                numbers[source, topic, partition] += 1
                number = numbers[source, topic, partition]
            futures.append(
                producer.send(topic, key=key.encode(), value=record, partition=partition, headers=headers_of(number))
            )
            sent[topic] += 1
        producer.flush(timeout=_SEND_SECONDS)
        for future in futures:
            future.get(timeout=_SEND_SECONDS)
    finally:
        producer.close(timeout=_SEND_SECONDS)
    return sent, numbers


def _everything(longest: Mapping[str, DistributedLog], logs: Sequence[DistributedLog]) -> Iterator[_Record]:
    """Yield the records of revocations, then of texts, score sheets and tournaments."""
    for row in _revoked(logs):
        yield None, TOKENS, row.key, row.record
    for text in _texts(logs):
        yield None, TEXTS, text.hash, text_record(text)
    yield from _sheets(logs)
    for stream, log in longest.items():
        yield from _records(log, stream)


def _sheets(logs: Sequence[DistributedLog]) -> Iterator[_Record]:
    """Yield the records of score sheets, from the longer copy of the two in games and standings."""
    held = {log.source: log for log in logs}
    for stream in sorted({*held[GAMES].streams("games/"), *held[STANDINGS].streams("games/")}):
        own, followed = held[GAMES].lines(stream), held[STANDINGS].lines(stream)
        longer = len(followed) > len(own) and all(a.line == b.line for a, b in zip(own, followed, strict=False))
        for record in _commands(followed if longer else own):
            yield GAMES, MOVES, stream.partition("/")[2], record


def _texts(logs: Sequence[DistributedLog]) -> list[Text]:
    """Return the texts that a service still has and no service has erased."""
    known: dict[str, Text] = {}
    erased: set[str] = set()
    for log in logs:
        with log.begin() as connection:
            known |= {
                r.hash: Text(r.hash, r.salt, r.text, r.tournament) for r in connection.execute(sa.select(TEXT_TABLE))
            }
            erased |= set(connection.execute(sa.select(ERASED.c.hash)).scalars())
    return [text for hash, text in sorted(known.items()) if hash not in erased]


def _revoked(logs: Sequence[DistributedLog]) -> list[RevokedRow]:
    """Return the latest revocation of each key that a service has."""
    known: dict[str, RevokedRow] = {}
    for log in logs:
        with log.begin() as connection:
            for key, row in invitations.standing(connection).items():
                if key not in known or row.at > known[key].at:
                    known[key] = row
    return [known[key] for key in sorted(known)]


# ---------------------------------------------------------------- the services afterwards


def _set_back(log: DistributedLog, numbers: _Numbers) -> None:
    """Reset positions, continue numbers after those sent, and leave in the outbox exactly what no ledger contains."""
    with log.begin() as connection:
        for table in (POSITIONS, NUMBERS, OUTBOX_NUMBERS, SHEETS):
            connection.execute(sa.delete(table))
        rows = [
            {"reader": RELAY, "source": source, "topic": topic, "partition": partition, "last": last}
            for (source, topic, partition), last in numbers.items()
            if source == log.source
        ]
        if rows:
            connection.execute(sa.insert(NUMBERS), rows)
        old = [finding.id for finding in worker_state.open_findings(connection)]
        worker_state.acknowledge(connection, old, "arbiter rebuild topics", "the topics that held it are gone")
        connection.execute(sa.delete(OUTBOX).where(OUTBOX.c.topic.in_(TOPICS)))
        for stream, source in connection.execute(
            sa.select(EVENTS.c.stream, EVENTS.c.source).distinct().where(EVENTS.c.stream.startswith("tournaments/"))
        ).all():
            _unsent(connection, stream, source)


def _unsent(connection: Connection, stream: str, source: str) -> None:
    back = sa.select(sa.func.coalesce(sa.func.max(LEDGER.c.sourceseq), 0)).where(
        LEDGER.c.stream == stream, LEDGER.c.source == source
    )
    chosen = sa.select(EVENTS.c.command, EVENTS.c.line).where(
        EVENTS.c.stream == stream, EVENTS.c.source == source, EVENTS.c.sourceseq > back.scalar_subquery()
    )
    topic, key = place_of(stream)
    rows = connection.execute(chosen.order_by(EVENTS.c.sourceseq)).all()
    values = [{"topic": topic, "key": key, "record": record, "at": 0.0} for record in _commands(rows)]
    if values:
        connection.execute(sa.insert(OUTBOX), values)
