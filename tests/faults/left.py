"""What a campaign has left: who holds the log, read without the code that wrote it, and the lines for the checker."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import psycopg
from kafka import KafkaConsumer, TopicPartition

from tests.deploy.servers import broker_as
from tests.faults.checker import Line
from tests.faults.history import content
from tests.stack.stack import Stack

Streams = dict[str, list[bytes]]


def topic(stack: Stack, name: str) -> list[bytes]:
    """The records of a topic, a partition after the other, by a plain consumer."""
    consumer = KafkaConsumer(**broker_as(stack).options(), enable_auto_commit=False)
    try:
        places = [TopicPartition(name, p) for p in sorted(consumer.partitions_for_topic(name))]
        consumer.assign(places)
        consumer.seek_to_beginning(*places)
        ends, found = consumer.end_offsets(places), defaultdict(list)
        while any(consumer.position(tp) < ends[tp] for tp in places):
            for tp, records in consumer.poll(timeout_ms=200).items():
                found[tp] += [record.value for record in records if record.offset < ends[tp]]
    finally:
        consumer.close()
    return [record for tp in places for record in found[tp]]


def asked(stack: Stack, service: str, sql: str) -> list[tuple]:
    """Rows of a service's database."""
    with psycopg.connect(stack.database(service).replace("+psycopg", ""), connect_timeout=2) as connection:
        return connection.execute(sql.encode()).fetchall()


def ledger(stack: Stack, service: str) -> Streams:
    """A service's ledger, whose numbers are dense."""
    found: Streams = {}
    for stream, seq, line in asked(stack, service, "SELECT stream, seq, line FROM ledger ORDER BY stream, seq"):
        found.setdefault(stream, []).append(bytes(line))
        assert seq == len(found[stream]), f"{service}: {stream} lacks a line before {seq}"
    return found


def own(stack: Stack, service: str) -> Streams:
    """What a service wrote itself, by its own numbers."""
    found: Streams = {}
    for stream, line in asked(stack, service, "SELECT stream, line FROM events ORDER BY stream, sourceseq"):
        found.setdefault(stream, []).append(bytes(line))
    return found


def own_of(log: Mapping[str, Sequence[bytes]], source: str) -> Streams:
    """Those lines of a log that one source wrote."""
    mark = f'"source":"{source}"'.encode()
    found = {stream: [line for line in lines if mark in line] for stream, lines in log.items()}
    return {stream: lines for stream, lines in found.items() if lines}


def texts(stack: Stack) -> dict[str, str]:
    """Hash -> text, as standings has them."""
    return dict(asked(stack, "standings", "SELECT hash, text FROM texts"))


def sheets(records: Mapping[str, Sequence[bytes]], t: str) -> Iterable[bytes]:
    """The lines of all score sheets of a tournament."""
    for stream in sorted(records):
        if stream.removeprefix("games/").rsplit(".", 2)[0] == t:
            yield from records[stream]


def lines(log: Mapping[str, Sequence[bytes]], texts: Mapping[str, str]) -> dict[str, list[Line]]:
    """A log for the checker; an operation's mark is what it called a player, noted, or moved."""
    return {stream: [_line(json.loads(line), texts) for line in lines] for stream, lines in log.items()}


def _line(event: dict, texts: Mapping[str, str]) -> Line:
    data, kind = event["data"], event["type"]
    mark = None
    if kind.startswith("arbiter.player.entered."):
        mark = texts[data["name"]["text"]]
    elif kind.startswith("arbiter.ruling.made."):
        mark = texts[data["note"]["text"]]
    elif kind.startswith("arbiter.move.played."):
        mark = f"{event['subject'].removeprefix('games/')}/{data['ply']}"
    return Line(event["id"], event["causationid"], event["source"], content(event), mark)
