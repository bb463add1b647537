"""The child process: what it is given is computed or refused, and it never holds up its parent for ever."""

import os
import resource
import threading
import time

import pytest

from shared.desk.computations.child_process import ChildProcess, Delayed, Exhausted, children_time
from shared.desk.requests import Behind


@pytest.fixture
def child():
    made = ChildProcess(seconds=20, memory=1 << 30, nice=1)
    yield made
    made.end()


def test_it_answers_and_raises_as_the_function_does_and_stays_the_same_process(child):
    first = child.run(os.getpid)
    assert first != os.getpid() and child.run(os.getpid) == first
    with pytest.raises(ZeroDivisionError):
        child.run(divmod, 1, 0)
    assert child.run(os.getpid) == first


def test_what_takes_too_long_is_ended_and_the_next_is_answered():
    child = ChildProcess(seconds=0.2)
    child._seconds = 20
    child.run(os.getpid)
    child._seconds = 0.2
    with pytest.raises(Exhausted, match=r"more than 0\.2 s"):
        child.run(time.sleep, 60)
    child._seconds = 20
    assert child.run(divmod, 7, 2) == (3, 1)
    child.end()


def test_the_seconds_are_those_of_its_processor_and_half_as_many_again_by_the_clock():
    child = ChildProcess(seconds=20)
    child.run(os.getpid)
    child._seconds = 0.4
    assert child.run(time.sleep, 0.45) is None, "it waited, and computed nothing"
    with pytest.raises(Delayed, match=r"more than 0\.4 s"):
        child.run(time.sleep, 60)
    child._seconds = 20
    child.run(os.getpid)
    child._seconds, began = 0.4, time.monotonic()
    with pytest.raises(Exhausted, match=r"more than 0\.4 s"):
        child.run(eval, "sum(range(10**12))")
    assert time.monotonic() - began < 30
    child.end()


def test_what_takes_too_much_memory_is_refused_and_the_next_is_answered(child):
    with pytest.raises(Exhausted, match="more than 1024 MiB"):
        child.run(bytes, 2 << 30)
    assert child.run(divmod, 7, 2) == (3, 1)


def test_a_server_that_is_forked_from_one_that_had_a_child_starts_its_own(child):
    child.run(os.getpid)
    forked = os.fork()
    if not forked:
        own = ChildProcess(seconds=20)
        try:
            os._exit(0 if own.run(divmod, 7, 2) == (3, 1) else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(forked, 0)[1]) == 0


def test_a_child_that_dies_is_replaced_once(child):
    with pytest.raises(Behind, match="died"):
        child.run(os._exit, 1)
    assert child.run(divmod, 7, 2) == (3, 1)


def compute(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_its_cpu_seconds_are_those_of_the_thread_that_waited(child):
    child.run(os.getpid)
    others = []
    other = threading.Thread(target=lambda: others.append((child.run(os.getpid), children_time())[1]))
    before = children_time()
    child.run(compute, 0.3)
    assert 0.3 <= children_time() - before < 3
    other.start()
    other.join(20)
    assert others[0] < 0.3
    before, child._seconds = children_time(), 0.2
    with pytest.raises(Exhausted):
        child.run(compute, 20)
    assert children_time() > before, "what was ended counts too"


def nested() -> tuple[int, int]:
    own = ChildProcess(seconds=20)
    try:
        return own.run(os.getpid), os.getpid()
    finally:
        own.end()


def test_in_a_child_process_a_function_runs_in_place(child):
    ran_in, asked_in = child.run(nested)
    assert ran_in == asked_in != os.getpid()


def test_what_cannot_be_sent_back_is_an_error_and_no_end(child):
    first = child.run(os.getpid)
    with pytest.raises((TypeError, AttributeError)):
        child.run(threading.Lock)
    assert child.run(os.getpid) == first


def test_the_end_does_not_wait_for_what_is_computed(child):
    child.run(os.getpid)
    refused = []

    def long() -> None:
        try:
            child.run(time.sleep, 60)
        except Behind as problem:
            refused.append(str(problem))

    waiting = threading.Thread(target=long)
    waiting.start()
    child.end()
    waiting.join(20)
    assert refused == ["the service is ending"]


def test_a_child_that_cannot_be_started_is_told_and_the_next_one_is():
    forked = os.fork()  # the limit would reach every thread of this process
    if not forked:
        own, (soft, hard) = ChildProcess(seconds=20), resource.getrlimit(resource.RLIMIT_NOFILE)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))  # no descriptor is left
            try:
                own.run(os.getpid)
            except Behind as refused:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
                told = "a process for this could not be started" in str(refused)
                os._exit(0 if told and own.run(divmod, 7, 2) == (3, 1) else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(forked, 0)[1]) == 0
