"""Expensive answers to readers without a token: one at a time, in turn by address, and only for readers who are still there."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from types import SimpleNamespace

import pytest

from deploy.server.front.turns import WAIT_SECONDS, TurnQueue
from shared.http.limits.rate_limits import Buckets
from shared.http.limits.turns import EXPENSIVE_MILLISECONDS, AnswerCosts, Turn

PAGE = ("slips", "T")


class Front:
    """A queue whose connections are answered when the test says so."""

    def __init__(self, stack: ExitStack) -> None:
        self.begun: list[SimpleNamespace] = []
        self.dropped: list[SimpleNamespace] = []
        self.queue = TurnQueue(self.begun.append, self.dropped.append)
        self._stack = stack

    def ask(self, home: str) -> SimpleNamespace:
        here, there = (self._stack.enter_context(one) for one in socket.socketpair())
        here.setblocking(False)
        conn = SimpleNamespace(sock=here, reader=there, turn=None, home=home)
        self.queue.add(conn, home)
        return conn


@pytest.fixture
def front() -> Iterator[Front]:
    with ExitStack() as stack:
        yield Front(stack)


def test_one_expensive_answer_is_made_at_a_time(front: Front):
    first, second = front.ask("@a"), front.ask("@a")
    assert front.begun == [first] and first.turn is Turn.TAKEN
    front.queue.finished(first)
    assert front.begun == [first, second]


def test_addresses_take_turns(front: Front):
    asked = [front.ask(home) for home in ("@a", "@a", "@a", "@b")]
    for _ in range(3):
        front.queue.finished(front.begun[-1])
    assert [conn.home for conn in front.begun] == ["@a", "@a", "@b", "@a"], asked


def test_a_turn_that_does_not_come_in_time_is_missed(front: Front, monkeypatch):
    monkeypatch.setattr("deploy.server.front.turns.time.monotonic", lambda: 100.0)
    first, second = front.ask("@a"), front.ask("@a")
    front.queue.sweep(100.0 + WAIT_SECONDS - 0.1)
    assert front.begun == [first]
    front.queue.sweep(100.0 + WAIT_SECONDS)
    assert front.begun == [first, second] and second.turn is Turn.MISSED


def test_an_answer_is_not_made_for_a_reader_who_has_left(front: Front):
    first, second, third = (front.ask("@a") for _ in range(3))
    second.reader.close()
    front.queue.finished(first)
    assert front.dropped == [second] and front.begun == [first, third]


def test_an_answer_is_expensive_until_it_was_measured():
    costs = AnswerCosts()
    assert costs.is_expensive(PAGE)
    costs.note(PAGE, 1.0, None)
    assert not costs.is_expensive(PAGE)


def test_a_cheap_answer_lowers_the_cost_only_in_its_turn():
    costs = AnswerCosts()
    costs.note(PAGE, 8 * EXPENSIVE_MILLISECONDS, Turn.TAKEN)
    costs.note(PAGE, 1.0, None)
    assert costs.is_expensive(PAGE)
    for _ in range(4):
        assert costs.is_expensive(PAGE)
        costs.note(PAGE, 1.0, Turn.TAKEN)
    assert not costs.is_expensive(PAGE)


def test_cpu_time_beyond_the_declared_cost_is_taken_afterwards():
    now = [0.0]
    buckets = Buckets("reads", 10.0, 100, lambda: now[0])
    assert buckets.take("@a", 5).left == 95
    buckets.settle("@a", 400)
    assert buckets.take("@a", 1).wait == pytest.approx(10.1), "the level falls to minus one burst at most"
    assert buckets.take("@b", 1).wait == 0


def test_who_has_paid_is_not_refused_for_what_others_of_the_address_used():
    buckets = Buckets("reads", 10.0, 100, lambda: 0.0)
    buckets.settle("@a", 150)
    assert buckets.take("@a", 0).wait == 0
    assert buckets.take("@a", 1).wait > 0
