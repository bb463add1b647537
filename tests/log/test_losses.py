"""What gets lost is noticed, named, and mended by the command that the message names."""

import pytest
import sqlalchemy as sa
from kafka import KafkaProducer, TopicPartition

from shared.core.language.stored_messages import message_from
from shared.core.terms import GAMES, PAIRING, SOURCES, STANDINGS
from shared.log.kafka import topics
from shared.log.kafka.broker import MOVES, TEXTS, TOURNAMENTS
from shared.log.kafka.consumer import partition_of
from shared.log.port import NewRow
from shared.log.sql.tables import EVENTS, LEDGER, OUTBOX, POSITIONS
from shared.log.texts import salted
from shared.log.worker import ledger_rebuild, worker_lock
from shared.log.worker.ledger_rebuild import rebuild_ledger
from shared.log.worker.repair import rebuild_topics
from shared.log.worker.worker_lock import NotPossible
from tests.deploy.servers import SERVERS
from tests.log.distributed import T, Worker, found, line, lines, until, write

pytestmark = SERVERS


def send(world, key, record):
    """A record that no relay sends."""
    producer = KafkaProducer(**world.broker.options())
    partition = partition_of(key, world.broker.partitions)
    producer.send(TOURNAMENTS, key=key.encode(), value=record, partition=partition).get(30)
    producer.close()


def halts(world, source):
    """Start a worker and wait for what it has found."""
    worker = Worker(world.urls[source], source, world.broker)
    try:
        until(lambda: worker.halted is not None, "for the worker to halt")
        return worker.halted
    finally:
        worker.end()


def test_topics_are_made_with_their_settings_and_a_changed_one_is_named(world):
    assert topics.check(world.broker) == []
    with topics.admin(world.broker) as admin:
        admin.delete_topics([MOVES])
        until(lambda: MOVES not in admin.list_topics())
    assert ["arbiter topics" in str(problem.sentence()) for problem in topics.check(world.broker)] == [True]
    assert topics.create(world.broker) == [MOVES]
    assert topics.check(world.broker) == []


def test_every_service_has_the_same_ledger(world):
    # given two services that write at once to two tournaments
    pairing, games = world.open(PAIRING), world.open(GAMES)
    world.start()
    for _ in range(10):
        write(pairing, 2)
        write(games, 3)
        write(games, 1, "tournaments/U")
    # when all has moved
    world.settle()
    # then each ledger has each line under the same number with the same root
    logs = [world.open(source) for source in SOURCES]
    for stream, size in ((T, 50), ("tournaments/U", 10)):
        assert len(lines(logs[0], stream)) == size
        assert all(lines(log, stream) == lines(logs[0], stream) for log in logs)
    roots = sa.select(LEDGER.c.stream, LEDGER.c.seq, LEDGER.c.root).order_by(LEDGER.c.stream, LEDGER.c.seq)
    kept = []
    for log in logs:
        with log.begin() as connection:
            kept.append(list(connection.execute(roots)))
    assert all(k == kept[0] for k in kept)


def test_a_used_number_with_other_bytes_stops_that_tournament_in_every_service_until_it_is_resumed(world):
    pairing, games = world.open(PAIRING), world.open(GAMES)
    write(games, 2)
    world.settle()
    send(world, "T", line(GAMES, T, 2, "other"))
    write(games, 1)
    write(games, 1, "tournaments/U")
    world.settle()
    for log in (pairing, games):
        assert "different bytes" in str(log.stopped(T))
        assert log.stops()[T].seq == 2
        assert log.stopped("tournaments/U") is None
        assert len(lines(log, "tournaments/U")) == 1
        assert log.resume(T)
        assert log.stopped(T) is None
        assert not log.resume(T)
    assert lines(pairing) == lines(games)


def test_a_record_in_another_partition_or_of_nobody_is_no_line_and_counted(world):
    games = world.open(GAMES)
    wrong = next(key for key in "ABCDEFGH" if partition_of(key, 3) != partition_of("T", 3))
    send(world, wrong, line(GAMES, T, 1, "wrong place"))
    send(world, "T", b"nothing")
    write(games, 1)
    world.settle()
    assert lines(games) == [line(GAMES, T, 1)]
    assert world.workers[GAMES].follower.strangers == 2


def test_the_end_of_somebodys_transaction_is_gone_past_and_named(world):
    games = world.open(GAMES)
    producer = KafkaProducer(transactional_id="somebody", **world.broker.options())
    producer.init_transactions()
    producer.begin_transaction()
    producer.send(TOURNAMENTS, key=b"T", value=b"nothing", partition=partition_of("T", 3)).get(30)
    producer.abort_transaction()
    producer.close()
    # then the service is at the end of the topics, also when its worker begins anew
    world.settle()
    world.stop(GAMES)
    write(games, 1)
    world.start(GAMES)
    world.settle()
    assert lines(games) == [line(GAMES, T, 1)]
    assert {str(message_from(finding.what)) for finding in games.findings()} == {
        "the record must contain the events of one command of one of the four services",
        "the record ends a Kafka transaction, but services write none",
    }


def test_two_relays_at_once_change_nothing(world):
    # given a relay that sends everything again, as one that lost its lock would
    games = world.open(GAMES)
    write(games, 20)
    world.settle()
    with games.begin() as connection:
        for data in lines(games)[5:]:
            connection.execute(sa.insert(OUTBOX), {"topic": TOURNAMENTS, "key": "T", "record": data, "at": 0.0})
    write(games, 5)
    world.settle()
    assert [r.sourceseq for r in games.lines(T)] == list(range(1, 26))
    assert games.stopped(T) is None


def test_a_lost_ledger_is_noticed_and_read_again(world, monkeypatch):
    games = world.open(GAMES)
    write(games, 8)
    world.settle()
    before = lines(games)
    with monkeypatch.context() as patched, pytest.raises(NotPossible, match="stop the workers"):
        patched.setattr(worker_lock, "_LOCK_SECONDS", 0.3)
        rebuild_ledger(games, world.broker)
    world.stop()
    with games.begin() as connection:
        connection.execute(sa.delete(LEDGER))
    assert "arbiter rebuild ledger" in halts(world, GAMES)
    assert "arbiter rebuild ledger" in str(games.unready())
    rebuild_ledger(games, world.broker)
    world.start(GAMES)
    world.settle()
    assert lines(games) == before


def test_a_ledger_that_cannot_be_read_again_whole_stays_as_it_was(world, monkeypatch):
    games = world.open(GAMES)
    write(games, 4)
    world.settle()
    before = lines(games)
    world.stop()
    # when the reading ends in its midst
    with monkeypatch.context() as patched, pytest.raises(RuntimeError, match="power"):
        patched.setattr(ledger_rebuild, "_compared", lambda connection: (_ for _ in ()).throw(RuntimeError("power")))
        rebuild_ledger(games, world.broker)
    assert lines(games) == before
    # when the topic has lost what the ledger holds
    with topics.admin(world.broker) as admin:
        admin.delete_records({TopicPartition(TOURNAMENTS, partition_of("T", 3)): 2})
    with pytest.raises(NotPossible, match="`arbiter rebuild topics`"):
        rebuild_ledger(games, world.broker)
    assert lines(games) == before


def test_a_ledger_with_another_line_is_read_again_and_the_line_named(world):
    games = world.open(GAMES)
    write(games, 4)
    world.settle()
    before = lines(games)
    world.stop()
    with games.begin() as connection:
        wrong = sa.update(LEDGER).where(LEDGER.c.stream == T, LEDGER.c.seq >= 3)
        connection.execute(wrong.values(line=b"another", root=b"another"))
    assert rebuild_ledger(games, world.broker) == (4, {T: 3})
    assert lines(games) == before
    world.start(GAMES)
    world.settle()
    assert games.unready() is None


def test_a_line_that_is_missing_from_a_ledger_is_named_before_another_is_appended(world):
    games = world.open(GAMES)
    write(games, 4)
    world.settle()
    before = lines(games)
    world.stop()
    with games.begin() as connection:
        connection.execute(sa.delete(LEDGER).where(LEDGER.c.stream == T, LEDGER.c.seq == 2))
    send(world, "T", line(PAIRING, T, 1))
    assert "the ledger lacks line 2 of T: `arbiter rebuild ledger games`" in halts(world, GAMES)
    rebuild_ledger(games, world.broker)
    world.start(GAMES)
    world.settle()
    assert lines(games) == [*before, line(PAIRING, T, 1)]


def test_a_topic_that_was_deleted_is_noticed_and_made_again_from_the_services(world):
    # given three topics with records, a text among them, and lines that were never sent
    pairing, games = world.open(PAIRING), world.open(GAMES)
    world.start()
    name = salted("李伟", "T")
    with pairing.transaction() as tx:
        tx.put_texts([name])
    write(pairing, 3)
    write(games, 3)
    write(games, 4, "games/T.1.1")
    world.settle()
    before, sheet = lines(pairing), lines(games, "games/T.1.1")
    world.stop()
    write(games, 2)
    with topics.admin(world.broker) as admin:
        admin.delete_topics([TOURNAMENTS, TEXTS, MOVES])
        until(lambda: TOURNAMENTS not in admin.list_topics())
    # when a worker comes back, it does not go on, also where somebody has made new ones
    assert "does not exist: `arbiter rebuild topics`" in halts(world, GAMES)
    topics.create(world.broker)
    assert "was deleted and created again: `arbiter rebuild topics`" in halts(world, GAMES)
    # then the command makes them again, and a new reader gets the same log
    logs = [world.open(source) for source in SOURCES]
    world.stop()
    sent = rebuild_topics(logs, world.broker)
    assert (sent[TEXTS], sent[MOVES], sent[TOURNAMENTS]) == (1, 4, 6)
    rebuild_ledger(pairing, world.broker)
    world.start()
    world.settle()
    assert lines(pairing)[:6] == before
    assert len(lines(pairing)) == 8
    assert lines(pairing) == lines(games)
    assert lines(games, "games/T.1.1") == sheet
    assert world.open(PAIRING).texts([name.hash]) == {name.hash: name}


def test_standings_reads_score_sheets_again_and_gives_them_back(world):
    # given a score sheet that standings follows
    logs = [world.open(source) for source in SOURCES]
    pairing, games, standings = (logs[SOURCES.index(source)] for source in (PAIRING, GAMES, STANDINGS))
    write(pairing, 1)
    world.settle()
    write(games, 4, "games/T.1.1")
    sheet = lines(games, "games/T.1.1")
    until(lambda: lines(standings, "games/T.1.1") == sheet)
    world.stop()
    # when its ledger is rebuilt, it reads the sheet again
    rebuild_ledger(standings, world.broker)
    assert lines(standings, "games/T.1.1") == []
    world.start()
    until(lambda: lines(standings, "games/T.1.1") == sheet)
    assert standings.sheets_behind(10) is None
    world.stop()
    # and when games and the topics have lost it, both get it back from standings
    with games.begin() as connection:
        connection.exec_driver_sql("DELETE FROM events WHERE stream = 'games/T.1.1'")
    assert rebuild_topics(logs, world.broker)[MOVES] == 1
    world.start()
    until(lambda: [lines(log, "games/T.1.1") for log in (games, standings)] == [sheet, sheet])


def test_a_database_put_back_to_an_earlier_state_gets_its_lines_and_sheets_again_and_forgets_what_was_erased(world):
    # given a database as it was before more was written and a name was erased
    pairing, games = world.open(PAIRING), world.open(GAMES)
    world.start()
    name, other = salted("李伟", "T"), salted("Anna", "T")
    with pairing.transaction() as tx:
        tx.put_texts([name, other])
    write(games, 2)
    write(games, 2, "games/T.1.1")
    write(pairing, 1)
    world.settle()
    backups = {}
    world.stop()
    for source, log in ((PAIRING, pairing), (GAMES, games)):
        log.close()
        backups[source] = copy(world, source)
    pairing, games = world.open(PAIRING), world.open(GAMES)
    world.start()
    write(games, 3)
    write(games, 3, "games/T.1.1")
    erase(pairing, name.hash)
    world.settle()
    sheet, before = lines(games, "games/T.1.1"), lines(games)
    world.stop()
    # when both are put back
    world.urls |= backups
    # then nothing is taken before the worker has read the topics
    world.start()
    world.settle()
    pairing, games = world.open(PAIRING), world.open(GAMES)
    until(lambda: games.unready() is None)
    assert lines(games) == before
    assert lines(games, "games/T.1.1") == sheet
    assert pairing.texts([name.hash, other.hash]) == {other.hash: other}
    with pairing.transaction() as tx:
        tx.put_texts([name])
    world.settle()
    assert all(world.open(source).texts([name.hash]) == {} for source in SOURCES)
    with games.begin() as connection:
        own = sa.select(EVENTS.c.sourceseq).where(EVENTS.c.stream == T).order_by(EVENTS.c.sourceseq)
        assert list(connection.execute(own).scalars()) == [1, 2, 3, 4, 5]
    write(games, 1)
    world.settle()
    assert games.stopped(T) is None
    assert len(lines(games)) == len(before) + 1


def copy(world, source):
    """A database as it is now, under another name."""
    name = world.urls[source].rpartition("/")[2]
    world.servers.postgres.run(f"CREATE DATABASE {name}_backup TEMPLATE {name}")
    return f"{world.urls[source]}_backup"


def erase(log, hash):
    """An erasure as pairing commits it."""
    with log.transaction([T]) as tx:
        number = sum(r.source == PAIRING for r in log.lines(T)) + 1
        data = line(PAIRING, T, number)[:-1] + f',"type":"arbiter.text.erased.v1","data":{{"hash":"{hash}"}}}}'.encode()
        tx.append([NewRow(T, 0, PAIRING, number, f"erase{number}", 0, data)])
        tx.erase_text(hash)


def test_a_process_does_not_go_on_with_a_database_that_was_put_back_under_it(world):
    games = world.open(GAMES)
    write(games, 1)
    world.settle()
    until(lambda: games.unready() is None)
    with games.begin() as connection:
        connection.exec_driver_sql("UPDATE worker SET beat = 0, asked = 0, answered = 0")
    assert "restored to an earlier state" in str(games.unready())


def test_a_process_takes_no_command_before_its_worker_was_seen_at_the_topics_end(world):
    # given a worker that was at the end once, but no longer runs
    world.start(GAMES)
    world.settle()
    world.stop()
    late = found(world.file, GAMES)
    assert "has not yet reached the end" in str(late.unready())
    # when it comes back
    world.start(GAMES)
    # then commands are taken, and still are when it is gone again
    until(lambda: late.unready() is None)
    world.stop()
    assert late.unready() is None
    late.close()


def test_another_record_where_the_last_one_was_read_stops_the_service(world):
    games = world.open(GAMES)
    write(games, 3)
    world.settle()
    world.stop()
    with games.begin() as connection:
        read = POSITIONS.c.next > 0
        connection.execute(sa.update(POSITIONS).where(read, POSITIONS.c.topic == TOURNAMENTS).values(digest="00"))
    assert "has a different record" in halts(world, GAMES)


def test_a_tail_that_was_cut_off_is_noticed(world):
    games = world.open(GAMES)
    write(games, 3)
    world.settle()
    world.stop()
    with games.begin() as connection:
        ahead = sa.update(POSITIONS).where(POSITIONS.c.next > 0, POSITIONS.c.topic == TOURNAMENTS)
        connection.execute(ahead.values(next=POSITIONS.c.next + 1))
    assert "records were known" in halts(world, GAMES)
