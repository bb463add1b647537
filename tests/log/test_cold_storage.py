"""Compressed streams are read as before, on every backend; nothing is lost by a crash, and damage is noticed."""

import re
from base64 import b64encode
from pathlib import Path

import pytest
import sqlalchemy as sa

from shared.core.terms import GAMES, PAIRING
from shared.core.trust.merkle import EMPTY, Frontier, leaf_hash
from shared.desk.views import Folds
from shared.log.port import START, DamagedStream, NewRow
from shared.log.sql import cold
from shared.log.sql.engines import open_engines
from shared.log.sql.tables import COLD, EVENTS, LEDGER
from shared.log.sqlite import SqliteLog
from shared.log.worker.ledger import Book
from tests.log.test_ledger import STREAM, line

SHEET = "games/T.1.1"


def test_compressed_stream_is_read_as_before(backend):
    # given a stream of nine events, and another
    log = backend.open()
    for count in (4, 1, 3, 1):
        backend.append(log, count=count)
    backend.append(log, "tournaments/U", count=2)
    backend.settle()
    spans = [(after, upto) for after in range(10) for upto in (None, *range(11))]
    before = {span: log.lines(STREAM, *span) for span in spans}
    assert len(before[0, None]) == 9
    # when it is compressed
    log.compress("T", [STREAM])
    # then each part of it, the list of streams and their ends are as before
    assert {span: log.lines(STREAM, *span) for span in spans} == before
    assert log.streams("tournaments/") == [STREAM, "tournaments/U"]
    assert log.streams("tournaments/", STREAM, 1) == ["tournaments/U"]
    assert log.ends("tournaments/") == {STREAM: 9, "tournaments/U": 2}
    assert log.resting() == {STREAM}
    assert {row.seq for row in log.tail(START) if row.stream == STREAM} == {1, 9}, "the others are moved"


def test_new_event_of_a_compressed_stream_is_appended_and_compressed_later(backend):
    log = backend.open()
    backend.append(log, count=5)
    backend.settle()
    log.compress("T", [STREAM])
    backend.append(log, count=2)
    backend.settle()
    read = log.lines(STREAM)
    assert [row.seq for row in read] == [1, 2, 3, 4, 5, 6, 7]
    assert log.resting() == set()
    log.compress("T", [STREAM])
    assert (log.lines(STREAM), log.resting()) == (read, {STREAM})
    assert log.decompress() == 1
    tail = [row for row in log.tail(START) if row.stream == STREAM]
    assert [row._replace(partition=-1) for row in tail] == read
    assert len({row.partition for row in tail}) == 1


def test_process_that_missed_the_last_events_reads_them_after_compression(backend):
    # given a process that has read five events
    log, other = backend.open(), backend.open()
    backend.append(log, count=5)
    backend.settle()
    folds = Folds(other)
    assert folds.get("T").size == 5
    # when three more are written and compressed before it looks again
    backend.append(log, count=3)
    backend.settle()
    log.compress("T", [STREAM])
    folds.refresh()
    # then it has all of them
    assert folds.get("T").tree.root(8) == Folds(log).get("T").tree.root(8)


@pytest.fixture
def sqlite(tmp_path: Path):
    log = SqliteLog(tmp_path / "log.sqlite")
    with log.transaction() as tx:
        for stream in (STREAM, SHEET):
            tx.append([NewRow(stream, n, GAMES, n, f"{stream}{n // 2}", n % 2, b"line %d" % n) for n in range(1, 9)])
    yield log
    log.close()


def test_crash_during_the_move_loses_nothing(sqlite):
    # given a database that fails while the moved rows of the second stream are deleted
    before = sqlite.tail(START), sqlite.lines(SHEET)
    with sqlite.transaction() as tx:
        tx.connection.exec_driver_sql(
            "CREATE TRIGGER crash BEFORE DELETE ON events WHEN old.stream LIKE 'games/%' AND old.seq = 6 "
            "BEGIN SELECT RAISE(ABORT, 'crash'); END"
        )
    with pytest.raises(sa.exc.DBAPIError, match="crash"):
        sqlite.compress("T", [STREAM, SHEET])
    # then nothing has moved
    assert (sqlite.tail(START), sqlite.lines(SHEET)) == before
    assert sqlite.resting() == set()


@pytest.mark.parametrize(
    "damage",
    [
        {"content": b""},
        {"content": b"\x78\xda" + bytes(40)},
        {"digest": "0" * 64},
        {"size": 5},
    ],
)
def test_damaged_stream_is_reported_and_never_shorter(sqlite, damage):
    sqlite.compress("T", [STREAM, SHEET])
    with sqlite.transaction() as tx:
        tx.connection.execute(sa.update(COLD).where(COLD.c.stream == STREAM).values(**damage))
    for span in ((0, None), (0, 3), (5, None)):
        with pytest.raises(DamagedStream, match=re.escape(f"events of {STREAM} are damaged")):
            sqlite.lines(STREAM, *span)
    assert len(sqlite.lines(SHEET)) == 8, "other streams are read"


def test_command_of_a_compressed_stream_is_found(sqlite):
    before = sqlite.command_lines(f"{SHEET}2", "T")
    assert [row.seq for row in before] == [4, 5]
    sqlite.compress("T", [STREAM, SHEET])
    assert sqlite.command_lines(f"{SHEET}2", "T") == before


def test_stream_that_lacks_an_event_stays(sqlite):
    with sqlite.transaction() as tx:
        tx.connection.execute(sa.delete(EVENTS).where(EVENTS.c.stream == STREAM, EVENTS.c.seq == 4))
    before = sqlite.lines(STREAM)
    sqlite.compress("T", [STREAM])
    assert (sqlite.resting(), sqlite.lines(STREAM)) == (set(), before)


@pytest.fixture
def ledger(tmp_path: Path):
    """Yield a ledger of 600 events, compressed, with the roots after them."""
    writer, reader = open_engines(tmp_path / "ledger.sqlite")
    with writer.begin() as connection:
        book, frontier, roots = Book(), Frontier(), [EMPTY]
        for number in range(1, 601):
            said = line(PAIRING, number, 0, EMPTY)
            book.take(connection, said, lambda hash: None)
            frontier.append(leaf_hash(said))
            roots.append(frontier.root())
        book.flush(connection)
        assert cold.compress(connection, LEDGER, "T", STREAM)
        yield connection, roots
    writer.dispose()
    reader.dispose()


@pytest.mark.parametrize("basis", [0, 1, 20, 599, 600])
def test_follower_continues_a_compressed_ledger(ledger, basis):
    connection, roots = ledger
    book = Book()
    assert book.take(connection, line(PAIRING, 300, 0, EMPTY), lambda hash: None).verdict == "repeat"
    assert book.take(connection, line(GAMES, 1, basis, roots[basis]), lambda hash: None).verdict == "accept"
    assert book.stops == 0


def test_other_bytes_of_a_compressed_number_are_a_fork(ledger):
    connection, _ = ledger
    forked = line(PAIRING, 300, 0, EMPTY).replace(b'"c300"', b'"other"')
    assert Book().take(connection, forked, lambda hash: None).verdict == "fork"


def test_decompressed_ledger_has_its_roots(ledger):
    connection, roots = ledger
    cold.decompress(connection, LEDGER)
    kept = connection.execute(sa.select(LEDGER.c.root).order_by(LEDGER.c.seq)).scalars()
    assert [b64encode(root) for root in kept] == [b64encode(root) for root in roots[1:]]
