"""What a ledger remembers of the roots that lines name."""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
import sqlalchemy as sa

from shared.core.language.stored_messages import message_from
from shared.core.terms import GAMES, PAIRING
from shared.core.trust.merkle import EMPTY, Frontier, leaf_hash
from shared.log.sql.tables import STOPPED
from shared.log.sqlite import open_engines
from shared.log.worker.ledger import Book

STREAM = "tournaments/T"


def line(source: str, number: int, basis: int, root: bytes) -> bytes:
    named = b64encode(root).decode()
    return (
        f'{{"source":"{source}","sourceseq":{number},"subject":"{STREAM}","causationid":"c{number}",'
        f'"basis":{basis},"basisroot":"{named}"}}'
    ).encode()


@pytest.fixture
def connection(tmp_path):
    writer, reader = open_engines(tmp_path / "ledger.sqlite")
    with writer.begin() as connection:
        yield connection
    writer.dispose()
    reader.dispose()


@pytest.fixture
def long(connection):
    """A ledger of 1,200 lines that all name the empty log, and the tree's end after each of them."""
    book, frontier, roots = Book(), Frontier(), [EMPTY]
    for number in range(1, 1201):
        said = line(PAIRING, number, 0, EMPTY)
        assert book.take(connection, said, lambda hash: None).verdict == "accept"
        frontier.append(leaf_hash(said))
        roots.append(frontier.root())
    return book, roots


def test_a_line_may_name_the_empty_log_however_long_it_is_by_now(long):
    book, _ = long
    assert book.stops == 0


@pytest.mark.parametrize("basis", [1, 200, 688, 689, 1199, 1200])
def test_every_root_of_the_past_is_known_held_or_looked_up(connection, long, basis):
    book, roots = long
    assert book.take(connection, line(GAMES, 1, basis, roots[basis]), lambda hash: None).verdict == "accept"
    assert book.stops == 0


@pytest.mark.parametrize(("basis", "root"), [(0, sha256(b"x").digest()), (3, EMPTY), (1201, EMPTY)])
def test_a_root_that_this_log_never_had_stops_the_tournament(connection, long, basis, root):
    book, _ = long
    book.take(connection, line(GAMES, 1, basis, root), lambda hash: None)
    assert book.stops == 1
    book.take(connection, line(GAMES, 2, basis, root), lambda hash: None)
    assert book.stops == 2


def test_every_line_after_one_that_named_a_wrong_root_is_compared_again(connection, long):
    book, roots = long
    for number, (basis, root) in enumerate([(5, roots[5]), (5, EMPTY), (5, roots[5]), (5, EMPTY)], 1):
        book.take(connection, line(GAMES, number, basis, root), lambda hash: None)
    assert book.stops == 2


WRITTEN = (Path(__file__).parents[1] / "golden" / "arbiter.bye.granted.v1.json").read_bytes().strip()


@pytest.mark.parametrize(("old", "new"), [(b'"data":{', b'"data": {'), (b'"data":{', b'"data":{"more":1,')])
def test_a_line_that_says_the_same_in_other_bytes_stops_its_tournament_and_no_other(connection, old, new):
    # given a record in the right name, with the next number and the right root, that is not written as it should be
    book, other = Book(), WRITTEN.replace(b'tournaments/T"', b'tournaments/U"').replace(b'key":"T"', b'key":"U"')
    assert book.take(connection, WRITTEN.replace(old, new), lambda hash: None).verdict == "accept"
    # then that tournament stops before it
    assert book.take(connection, other, lambda hash: None).verdict == "accept"
    book.flush(connection)
    stopped = connection.execute(sa.select(STOPPED.c.stream, STOPPED.c.seq, STOPPED.c.why)).all()
    assert [(stream, seq) for stream, seq, _ in stopped] == [("tournaments/T", 0)]
    assert "line 1: not canonical" in str(message_from(stopped[0].why))
