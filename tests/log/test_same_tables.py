"""The same lines are the same bytes of every table at every prefix: on SQLite, on PostgreSQL, and read from Kafka."""

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from random import Random

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from kafka import KafkaProducer, TopicPartition

from deploy.server.keys.signing_key import LOG
from deploy.server.rules import RULES
from services.standings.rules.table.table import standings, table_answer
from shared.audit.checkpoints.checkpoint import Signer
from shared.core.event_types.evolve import evolve
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import SOURCES, STANDINGS
from shared.desk.desk import Desk, DeskError
from shared.log.kafka import consumer
from shared.log.kafka.broker import TOURNAMENTS, Broker
from shared.log.kafka.consumer import partition_of
from shared.log.sqlite import SqliteLog
from shared.wire.envelope import read
from tests.deploy.servers import SERVERS
from tests.histories import begin, step
from tests.log.distributed import World
from tests.stories.rebuilt import rebuild

pytestmark = SERVERS
GOLDEN = Path(__file__).parents[1] / "golden" / "log-1.0.0"
SIGN = Signer("arbiter.test", Ed25519PrivateKey.generate()).sign


def golden(name: str) -> list[bytes]:
    """A log as the first release wrote it."""
    return (GOLDEN / f"{name}.ndjson").read_bytes().splitlines()


def of_today(folder: Path) -> list[bytes]:
    """A log of random commands, as they are written now."""
    folder.mkdir()
    desk, rng = Desk(SqliteLog(folder / LOG), RULES, SIGN, threads=False), Random(11)
    begin(desk, "today")
    while len(lines := [row.line for row in desk.lines("tournaments/today")]) < 80:
        try:
            step({source: [desk] for source in SOURCES}, "today", rng)
        except DeskError:
            continue
    desk.close()
    return lines


def bring(broker: Broker, tournament: str, lines: list[bytes]) -> None:
    """Send a log to the topic, one record a command."""
    producer = KafkaProducer(**broker.options())
    partition = partition_of(tournament, broker.partitions)
    for _, command in groupby(lines, key=lambda line: json.loads(line)["causationid"]):
        producer.send(TOURNAMENTS, key=tournament.encode(), value=b"\n".join(command), partition=partition).get(30)
    producer.close()


def in_the_topic(broker: Broker, tournament: str) -> list[bytes]:
    reader = consumer.open_consumer(broker)
    place = TopicPartition(TOURNAMENTS, partition_of(tournament, broker.partitions))
    records = list(consumer.stretch(reader, {place: 0}, consumer.ends(reader, [place])))
    reader.close()
    return [line for record in records for line in record.value.split(b"\n")]


def table(t: TournamentState) -> bytes:
    """The bytes that the standings' resource answers; none before there are regulations to count by."""
    return msgspec.json.encode(table_answer(standings(t), None)) if isinstance(t, Tournament) else b""


def folded(lines: list[bytes], tournament: str) -> Iterator[bytes]:
    """The table after each line, as `arbiter replay` folds them."""
    t = TournamentState(tournament)
    for seq, line in enumerate(lines, 1):
        evolve(t, read(line, seq))
        yield table(t.fork())


def viewed(desk: Desk, tournament: str, size: int) -> Iterator[bytes]:
    """The table at each line, as a service shows it."""
    for seq in range(1, size + 1):
        yield table(desk.view(tournament, at=seq).state)


@pytest.mark.parametrize("name", ["spring-cup", "hall", "today"])
def test_a_table_is_the_same_bytes_at_every_prefix_wherever_its_lines_lie(servers, tmp_path, name):
    # given one log, put into a SQLite file, and sent through Kafka to a ledger on PostgreSQL
    lines = of_today(tmp_path / "played") if name == "today" else golden(name)
    tournament = json.loads(lines[0])["subject"].partition("/")[2]
    rebuild(tmp_path / "same", lines, [])
    world = World(servers, tmp_path, (STANDINGS,))
    bring(world.broker, tournament, lines)
    world.start()
    world.settle()
    sqlite = Desk(SqliteLog(tmp_path / "same" / LOG), RULES, SIGN, threads=False)
    postgres = Desk(world.open(STANDINGS), {STANDINGS: RULES[STANDINGS]}, SIGN)
    topic = in_the_topic(world.broker, tournament)
    try:
        # then all three hold the same bytes, and each prefix of them comes to the same table
        stream = f"tournaments/{tournament}"
        assert [row.line for row in sqlite.lines(stream)] == [row.line for row in postgres.lines(stream)] == topic
        assert topic == lines
        tables = list(folded(topic, tournament))
        assert list(viewed(sqlite, tournament, len(lines))) == tables
        assert list(viewed(postgres, tournament, len(lines))) == tables
        assert len(set(tables)) > 10
    finally:
        sqlite.close()
        postgres.close()
        world.close()
