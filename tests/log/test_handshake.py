"""A process and its worker know of each other through one row, whoever looks at it, and however many at once."""

import threading
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from shared.core.terms import PAIRING
from shared.log.distributed import DistributedLog
from shared.log.port import LogUnavailable
from shared.log.sql import worker_state
from shared.log.sql.tables import WORKER
from tests.log.distributed import answer_questions

BEATS, THREADS = 30, 6


@pytest.fixture
def log(tmp_path):
    made = DistributedLog(f"sqlite:///{tmp_path / 'pairing.db'}", PAIRING)
    yield made
    made.close()


def test_many_threads_that_look_at_once_do_not_take_a_beat_for_a_database_that_was_put_back(log):
    # given a process that its worker has answered, with threads that look all the time
    log.unready()
    with log.begin() as connection:
        answer_questions(connection)
    found: set[str | None] = set()
    over = threading.Event()

    def look() -> None:
        while not over.is_set():
            found.add(log.unready())

    threads = [threading.Thread(target=look) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    # when the worker beats
    for _ in range(BEATS):
        with log.begin() as connection:
            worker_state.beat(connection)
    over.set()
    for thread in threads:
        thread.join()
    # then nobody has seen anything but that all is well
    assert found == {None}


def test_threads_that_come_at_once_put_one_question(log):
    together, found = threading.Barrier(THREADS), []

    def come() -> None:
        together.wait()
        found.append(log.unready())

    threads = [threading.Thread(target=come) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with log.begin() as connection:
        assert connection.execute(sa.select(WORKER.c.asked)).scalar_one() == 1
    assert set(map(str, found)) == {"the service's worker has not yet reached the end of the log"}


def test_a_question_that_was_not_committed_was_not_put(log):
    # given a commit that fails
    class Lost(DistributedLog):
        @contextmanager
        def begin(self):
            with super().begin() as connection:
                yield connection
                raise LogUnavailable("the database does not answer")

    log.__class__ = Lost
    with pytest.raises(LogUnavailable):
        log.unready()
    # when the database is there again
    log.__class__ = DistributedLog
    log.unready()
    with log.begin() as connection:
        answer_questions(connection)
    # then its question is the one that was answered
    assert log.unready() is None


def test_a_database_that_was_put_back_is_noticed_for_good(log):
    log.unready()
    with log.begin() as connection:
        answer_questions(connection)
        worker_state.beat(connection)
    assert log.unready() is None
    for beat in (0, 9):
        with log.begin() as connection:
            connection.execute(WORKER.update().values(beat=beat))
        assert "restored to an earlier state" in str(log.unready())
