"""Readings that many ask for at once: one for all who asked before it began, none that is older than its question."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from deploy.server.jobs.audit_job import SharedReadings
from tests.log.distributed import until

CROWD = 20


class Slow:
    """Gives the number of its readings; each waits until it is let go."""

    def __init__(self) -> None:
        self.begun, self.go = 0, threading.Semaphore(0)

    def __call__(self, name: str) -> tuple[str, int]:
        self.begun += 1
        number = self.begun
        assert self.go.acquire(timeout=20)
        return name, number


def test_all_who_ask_while_it_is_read_share_the_next_reading_and_none_has_the_one_begun_before():
    slow = Slow()
    readings = SharedReadings(slow)
    with ThreadPoolExecutor(CROWD + 1) as pool:
        first = pool.submit(readings.of, "cup")
        until(lambda: slow.begun == 1, "for the first reading")
        asked = [pool.submit(readings.of, "cup") for _ in range(CROWD)]
        until(lambda: readings._readings["cup"].asking == CROWD + 1, "for the crowd")
        slow.go.release(2)
        assert first.result(20) == ("cup", 1)
        assert {one.result(20) for one in asked} == {("cup", 2)}


def test_one_thing_does_not_wait_for_another():
    slow = Slow()
    readings = SharedReadings(lambda name: slow(name) if name == "cup" else (name, 0))
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(readings.of, "cup")
        until(lambda: slow.begun == 1, "for the first reading")
        assert readings.of("league") == ("league", 0)
        slow.go.release()
        assert first.result(20) == ("cup", 1)


def test_what_could_not_be_read_is_read_again_and_nothing_is_kept_that_nobody_asks_for():
    outcomes = iter((OSError("gone"), None))

    def read(name: str) -> str:
        if problem := next(outcomes):
            raise problem
        return name

    readings = SharedReadings(read)
    with pytest.raises(OSError, match="gone"):
        readings.of("cup")
    assert readings.of("cup") == "cup" and not readings._readings
