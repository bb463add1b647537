"""Two workers of one service share its partitions: each event is stored once and in order, whoever dies or stalls."""

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import sqlalchemy as sa
from kafka import TopicPartition

from shared.core.terms import GAMES
from shared.log.distributed import DistributedLog
from shared.log.distributed_transaction import DistributedTransaction
from shared.log.kafka import consumer, topics
from shared.log.kafka.broker import MOVES, TEXTS, TOURNAMENTS, group_of
from shared.log.kafka.consumer import partition_of
from shared.log.port import START, LogUnavailable, Text, moved
from shared.log.sql import owners
from shared.log.sql.owners import Claims, Fenced
from shared.log.sql.statements import insert_many
from shared.log.sql.tables import LEDGER, OUTBOX
from shared.log.sql.tables import TEXTS as TEXT_TABLE
from shared.log.worker import ledger_rebuild, worker_lock
from shared.log.worker.membership import Membership
from shared.log.worker.waiting_records import WaitingRecords
from shared.log.worker.worker_lock import NotPossible
from tests.deploy.servers import SERVERS
from tests.log.distributed import World, until, write

pytestmark = SERVERS
COUNT = 3
CUPS = [next(f"cup{n}" for n in range(99) if partition_of(f"cup{n}", COUNT) == p) for p in range(COUNT)]
"""A tournament of each partition."""
HANDOVER_SECONDS = 30
"""Ten until Kafka misses a member, then a rebalance; the machine may be busy."""
_LEDGER = ("stream", "seq", "source", "sourceseq", "command", "n", "line", "root", "partition")


class Workers:
    """Worker processes of games, and what they wrote."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._processes: list[subprocess.Popen[bytes]] = []
        self.log = world.open(GAMES)
        world.stop()

    def start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "tests.log.worker_process", str(self.world.file), "games"]
        with self.world.file.with_name(f"worker-{len(self._processes)}.log").open("wb") as told:
            made = subprocess.Popen(command, stdout=told, stderr=subprocess.STDOUT)
        self._processes.append(made)
        return made

    def owned(self) -> dict[int, str]:
        """Return the member that owns each partition now."""
        with self.log.begin() as connection:
            return {owner.partition: owner.member for owner in owners.owners(connection) if owner.left > 0}

    def shared_by(self, count: int) -> bool:
        owned = self.owned()
        return len(owned) == COUNT and len(set(owned.values())) == count

    def of(self, process: subprocess.Popen[bytes]) -> set[int]:
        return {partition for partition, member in self.owned().items() if f"-{process.pid}-" in member}

    def two(self) -> tuple[subprocess.Popen[bytes], subprocess.Popen[bytes]]:
        made = self.start(), self.start()
        until(lambda: self.shared_by(2), "for two workers to share the partitions")
        return made

    def settled(self) -> bool:
        return self.log.waiting()[0] == 0 and self.log.unready() is None and self.log.lag() == 0

    def judge(self, written: int) -> None:
        """Every ledger row once, in the order of its source, in the partition of its record; nothing odd in the topic."""
        until(self.settled, "for the workers to send and read everything")
        for cup in CUPS:
            rows = self.log.lines(f"tournaments/{cup}")
            assert [row.seq for row in rows] == [row.sourceseq for row in rows] == list(range(1, written + 1))
        assert {row.stream: row.partition for row in self.log.tail(START)} == {
            f"tournaments/{cup}": partition for partition, cup in enumerate(CUPS)
        }
        assert self.log.findings() == []
        assert self.log.halts() == {}

    def end(self) -> None:
        for process in self._processes:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)
                process.terminate()
        for process in self._processes:
            process.wait(60)


@pytest.fixture
def workers(world: World) -> Iterator[Workers]:
    made = Workers(world)
    yield made
    made.end()


def write_all(workers: Workers, count: int) -> None:
    for cup in CUPS:
        write(workers.log, count, f"tournaments/{cup}")


def records_of(world: World, topic: str) -> list[Any]:
    """Return the records of a topic, in order of each partition."""
    reader = consumer.open_consumer(world.broker)
    places = consumer.partitions(reader, topic)
    records = list(consumer.stretch(reader, dict.fromkeys(places, 0), consumer.ends(reader, places)))
    reader.close()
    return records


def test_two_workers_share_the_partitions_visibly_to_kafkas_tools(workers):
    workers.two()
    write_all(workers, 5)
    workers.judge(5)
    sent = Counter((record.key, record.value) for record in records_of(workers.world, TOURNAMENTS))
    assert set(sent.values()) == {1}
    group = group_of(GAMES)
    with topics.admin(workers.world.broker) as client:
        members = client.describe_groups([group])[group]["members"]
        assert {member["client_id"] for member in members} == set(workers.owned().values())
        place = TopicPartition(TOURNAMENTS, 0)
        shown = lambda: client.list_group_offsets([group])[group]  # noqa: E731
        until(lambda: place in (offsets := shown()) and offsets[place].offset == 5, "for the offsets to be committed")


def test_killed_worker_hands_its_partitions_over_in_seconds(workers):
    first, second = workers.two()
    write_all(workers, 3)
    lost = workers.of(first)
    # when it is killed while commands are accepted
    writers = [threading.Thread(target=write, args=(workers.log, 20, f"tournaments/{cup}")) for cup in CUPS]
    for thread in writers:
        thread.start()
    first.kill()
    for thread in writers:
        thread.join()
    # then the other one has its partitions soon
    until(lambda: workers.of(second) == set(range(COUNT)), "for the other worker", HANDOVER_SECONDS)
    assert lost
    workers.judge(23)


def test_stalled_worker_loses_its_partitions_and_writes_nothing_more(workers):
    first, second = workers.two()
    write_all(workers, 3)
    workers.judge(3)
    # when it stalls with records that wait for it
    os.kill(first.pid, signal.SIGSTOP)
    write_all(workers, 10)
    until(lambda: workers.of(second) == set(range(COUNT)), "for the other worker", HANDOVER_SECONDS)
    until(workers.settled)
    # and goes on
    os.kill(first.pid, signal.SIGCONT)
    write_all(workers, 10)
    # then it gets partitions by a new claim only
    until(lambda: workers.shared_by(2), "for the stalled worker to be a member again")
    write_all(workers, 3)
    workers.judge(26)


def test_ledger_is_not_rebuilt_while_workers_share_the_partitions(workers, monkeypatch):
    monkeypatch.setattr(worker_lock, "_LOCK_SECONDS", 0.3)
    first, second = workers.two()
    write_all(workers, 2)
    workers.judge(2)
    with pytest.raises(NotPossible, match="still running"):
        ledger_rebuild.rebuild_ledger(workers.log, workers.world.broker)
    # when one has ended, then the other still forbids it
    first.terminate()
    until(lambda: workers.of(second) == set(range(COUNT)), "for the other worker", HANDOVER_SECONDS)
    with pytest.raises(NotPossible, match="still running"):
        ledger_rebuild.rebuild_ledger(workers.log, workers.world.broker)
    second.terminate()
    second.wait(60)
    assert ledger_rebuild.rebuild_ledger(workers.log, workers.world.broker).lines == 6
    # when they are started again, then everything is as before
    workers.two()
    workers.judge(2)


# ---------------------------------------------------------------- fencing, without a broker


@pytest.fixture
def log(servers) -> Iterator:
    url = servers.fresh_database()
    made = DistributedLog(url, GAMES)
    with made.begin() as connection:
        owners.add_partitions(connection, COUNT)
    yield made
    made.close()
    servers.give_back(url)


def claim(log, member: str, generation: int, partitions=range(COUNT)) -> Claims:
    with log.begin() as connection:
        return owners.claim(connection, Claims(member), generation, partitions)


def test_worker_whose_partition_was_claimed_cannot_write(log):
    mine = claim(log, "first", 1)
    with worker_lock.hold(log, "relay", threading.Event(), mine) as lock:
        with lock.begin() as connection:
            connection.execute(sa.insert(OUTBOX), {"topic": TEXTS, "key": "a", "at": 0.0})
        claim(log, "second", 2, [1])
        with pytest.raises(Fenced), lock.begin() as connection:
            connection.execute(sa.insert(OUTBOX), {"topic": TEXTS, "key": "b", "at": 0.0})
    assert log.waiting()[0] == 1


def test_claim_waits_for_a_running_transaction_of_the_former_owner(log):
    mine, order = claim(log, "first", 1), []
    with worker_lock.hold(log, "relay", threading.Event(), mine) as lock:
        with lock.begin() as connection:
            connection.execute(sa.insert(OUTBOX), {"topic": TEXTS, "key": "a", "at": 0.0})
            thread = threading.Thread(target=lambda: order.append(claim(log, "second", 2).member))
            thread.start()
            until(lambda: waits_for_a_lock(log), "for the claim to wait")
            order.append("first")
        thread.join()
    assert order == ["first", "second"]


def waits_for_a_lock(log) -> bool:
    with log.begin() as connection:
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        return connection.exec_driver_sql(waiting).scalar_one() > 0


def test_stalled_transaction_of_the_former_owner_is_ended_by_a_claim(log, servers):
    mine = claim(log, "first", 1)
    held = worker_lock.hold(log, "relay", threading.Event(), mine)
    with held as lock, pytest.raises(LogUnavailable), lock.begin() as connection:
        connection.execute(sa.insert(OUTBOX), {"topic": TEXTS, "key": "a", "at": 0.0})
        # when it stalls in a transaction, and another worker claims its partitions
        membership = Membership(log, servers.broker, threading.Event())
        membership._claim(2, frozenset(range(COUNT)))
        membership._claim(2, frozenset(range(COUNT)))
        assert membership.claims.epochs.keys() == set(range(COUNT))
        connection.execute(sa.insert(OUTBOX), {"topic": TEXTS, "key": "b", "at": 0.0})
    assert log.waiting()[0] == 0


def test_claim_needs_a_higher_generation_or_an_expired_claim(log):
    claim(log, "first", 5)
    assert claim(log, "second", 5).epochs == {}
    assert claim(log, "second", 4).epochs == {}
    with log.begin() as connection:
        owners.release(connection, Claims("first", dict.fromkeys(range(COUNT), 1)), [2])
    assert claim(log, "second", 4).epochs == {2: 2}
    assert claim(log, "second", 6).epochs.keys() == set(range(COUNT))


# ---------------------------------------------------------------- order


def test_events_that_are_committed_late_are_read_in_their_partition(log):
    def insert(connection, partition: int) -> None:
        row = (f"tournaments/{CUPS[partition]}", 1, GAMES, 1, "c", 0, b"{}", b"root", partition)
        insert_many(connection, LEDGER, _LEDGER, [row])

    # given two workers, of which the first to write is the last to commit
    with log.begin() as early:
        insert(early, 0)
        with log.begin() as late:
            insert(late, 1)
        seen = log.tail(START)
        assert [row.partition for row in seen] == [1]
    # then a reader that has read the other partition to its end reads it
    rest = log.tail(moved(START, seen))
    assert [row.partition for row in rest] == [0]
    assert rest[0].pos < seen[0].pos
    assert log.tail(moved(moved(START, seen), rest)) == []
    assert log.end() == {0: rest[0].pos, 1: seen[0].pos}


GAME = next(f"{CUPS[0]}.1.{n}" for n in range(1, 99) if partition_of(f"{CUPS[0]}.1.{n}", COUNT) == 1)
"""A game whose score sheet has another partition than the events of its tournament."""


def test_events_wait_for_a_score_sheet_that_another_relay_sends(log):
    with log.begin() as connection:
        rows = [(TEXTS, "hash", 0), (MOVES, GAME, 1), (TOURNAMENTS, CUPS[0], 0), (TOURNAMENTS, CUPS[1], 1)]
        for topic, key, partition in rows:
            row = {"topic": topic, "key": key, "record": b"{}", "at": 0.0, "partition": partition}
            connection.execute(sa.insert(OUTBOX), row)

    def sends(*partitions: int) -> list[str]:
        with log.begin() as connection:
            found = WaitingRecords(GAMES, partitions, COUNT).next_rows(connection, [], 99)
            connection.execute(sa.delete(OUTBOX).where(OUTBOX.c.id.in_([row.id for row in found])))
        return [row.topic for row in found]

    # the sheet waits for the text, and the event for the sheet
    assert sends(1) == [TOURNAMENTS]
    assert sends(0) == [TEXTS]
    assert sends(0) == []
    assert sends(1) == [MOVES]
    assert sends(0) == [TOURNAMENTS]


def test_text_is_erased_although_another_worker_stores_it_at_the_same_time(log):
    text = Text("h" * 64, "salt", "Li", CUPS[0])
    with log.begin() as storing:
        DistributedTransaction(storing, GAMES).store_texts([text])
        thread = threading.Thread(target=erase, args=(log, text.hash))
        thread.start()
        until(lambda: waits_for_a_lock(log), "for the erasure to wait")
    thread.join()
    with log.begin() as connection:
        assert connection.execute(sa.select(TEXT_TABLE.c.hash)).all() == []


def erase(log, hash: str) -> None:
    with log.begin() as connection:
        DistributedTransaction(connection, GAMES).forget_text(hash)
