"""A worker that must not go on: it says so to everybody, and does not forget it."""

import threading
from pathlib import Path

import sqlalchemy as sa
from kafka.errors import KafkaError

from deploy.server.keys.signing_key import NewLogPermit, permit_new_log
from shared.core.terms import GAMES, SOURCES
from shared.log.distributed import DistributedLog
from shared.log.kafka import consumer
from shared.log.kafka.broker import TOURNAMENTS
from shared.log.kafka.consumer import partition_of
from shared.log.port import NewRow
from shared.log.sql.tables import OWNERS, WORKER
from shared.log.sql.worker_state import FOLLOWER, RELAY, Halted
from shared.log.worker.relay import Relay
from shared.log.worker.repair import rebuild_topics
from tests.deploy.servers import SERVERS
from tests.log.distributed import T, Worker, cut_last_batch, line, lines, until, write

pytestmark = SERVERS


def test_a_reader_counts_the_connections_over_which_it_has_read(world, servers):
    reader = consumer.open_consumer(world.broker)
    places = consumer.partitions(reader, TOURNAMENTS)

    def answered() -> bool:
        try:
            return bool(consumer.ends(reader, places))
        except KafkaError:
            return False

    assert answered() and answered()
    before = consumer.connections(reader)
    assert answered()
    assert consumer.connections(reader) == before > 0
    servers.kafka.kill()
    servers.kafka.start()
    until(answered)
    assert consumer.connections(reader) > before
    reader.close()


def test_beside_old_keys_no_log_is_begun_until_an_operator_says_so_and_then_once(world, tmp_path):
    # given an empty database and an empty topic, and keys that are not new
    permit = NewLogPermit(tmp_path, GAMES)
    worker = world.workers[GAMES] = Worker(world.urls[GAMES], GAMES, world.broker, permit)
    games = world.open(GAMES)
    until(lambda: "keys of games are not new" in str(games.unready()))
    assert "`arbiter keys --new-log`" in str(games.halts()[FOLLOWER])
    # when the operator lets them begin, then the worker goes on by itself, and the permit holds until there is a line
    permit_new_log(tmp_path)
    until(lambda: games.unready() is None and games.lag() == 0)
    assert permit.given()
    write(games, 1)
    world.settle()
    until(lambda: not permit.given())
    # then what there is needs none, and a database that is empty is filled from the topic without
    world.stop()
    world.urls[GAMES] = world.servers.fresh_database()
    worker = world.workers[GAMES] = Worker(world.urls[GAMES], GAMES, world.broker, permit)
    until(worker.settled)
    assert lines(worker.log) == lines(games)


class OnlyARelay:
    """A relay whose follower was seen at the topics' end, and is gone."""

    def __init__(self, world, source):
        self._stop, self.halted = threading.Event(), None
        self.log = DistributedLog(world.urls[source], source)
        self.relay = Relay(self.log, world.broker, self._stop)
        self._thread = threading.Thread(target=self._run)

    def _run(self):
        try:
            self.relay.run()
        except Halted as found:
            self.halted = str(found)

    def _begins(self):
        with self.log.begin() as connection:
            connection.execute(sa.update(OWNERS).values(answered=sa.select(WORKER.c.asked).scalar_subquery()))
        return self.relay.holds or self.halted

    def __enter__(self):
        self._thread.start()
        until(self._begins)
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()
        self.log.close()


def test_a_relay_whose_records_were_lost_halts_for_everybody_to_see_until_the_topics_are_made_again(world, servers):
    # given records that Kafka has confirmed, and nobody has read
    games = world.open(GAMES)
    world.stop()
    with OnlyARelay(world, GAMES) as one:
        write(games, 3)
        until(lambda: one.relay.sent == 3)
        # when Kafka loses the last of them, and another is sent
        servers.kafka.kill()
        cut_last_batch(Path(servers.kafka.process.environment["KAFKA_DATA"]), TOURNAMENTS, partition_of("T", 3))
        servers.kafka.start()
        with games.transaction([T]) as tx:
            tx.append([NewRow(T, 4, GAMES, 4, "fourth", 0, line(GAMES, T, 4))])
        until(lambda: one.halted)
    # then it does not count as sent, and everybody is told
    assert f"{TOURNAMENTS}, partition {partition_of('T', 3)}" in one.halted
    assert "`arbiter rebuild topics`" in one.halted
    assert games.waiting()[0] == 1
    assert {part: str(why) for part, why in games.halts().items()} == {RELAY: one.halted}
    assert one.halted in str(games.unready())
    # then another relay does not go on either
    with OnlyARelay(world, GAMES) as other:
        until(lambda: other.halted)
    assert list(games.halts()) == [RELAY]
    # when the topics are made again, then nothing is missing
    logs = [DistributedLog(world.urls[source], source) for source in SOURCES]
    rebuild_topics(logs, world.broker)
    world.start()
    world.settle()
    assert lines(games) == [line(GAMES, T, n) for n in range(1, 5)]
    assert games.halts() == {}
