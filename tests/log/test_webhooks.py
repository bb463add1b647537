"""Webhooks in a service's database: kept once, however many processes there are, and never further than was taken."""

import pytest

from shared.log.webhooks import Webhook
from tests.log.conftest import Backend, together


def webhook(n: int, **otherwise: object) -> Webhook:
    return Webhook(f"w{n}", "T", f"https://hooks.example/{n}", "whsec_AAAA", "li", 1000)._replace(**otherwise)


@pytest.fixture
def processes(backend: Backend) -> list:
    """Four processes of one service, each with its own connections."""
    return [backend.open().webhooks for _ in range(4)]


def test_of_many_who_register_one_address_at_once_one_does(processes):
    said = []
    together(
        *(
            lambda n=n, one=one: said.append(one.add(webhook(n, url="u"), {"T": 3}, 9))
            for n, one in enumerate(processes)
        )
    )
    assert sorted(map(str, said)) == ["None", "there", "there", "there"]
    (kept,) = processes[0].of("T")
    assert processes[1].sent(kept.id) == {"T": 3} and processes[2].every() == [kept]


def test_there_are_no_more_than_may_be(processes):
    assert [processes[0].add(webhook(n), {}, 2) for n in range(3)] == [None, None, "many"]
    assert processes[0].add(webhook(3, tournament="U"), {}, 2) is None


def test_what_was_taken_is_known_to_all_and_ends_what_is_said_of_failures(processes):
    processes[0].add(webhook(1), {"T": 3}, 9)
    processes[0].failed(webhook(1, tries=2, due=77, failing="T", seq=4, why="it answers 500", stopped=1))
    (failing,) = processes[1].of("T")
    assert (failing.tries, failing.due, failing.seq, failing.why, failing.stopped) == (2, 77, 4, "it answers 500", 1)
    assert processes[1].resume("T", "w1") and not processes[1].resume("U", "w1")
    (resumed,) = processes[2].of("T")
    assert (resumed.tries, resumed.due, resumed.stopped, resumed.seq) == (0, 0, 0, 4)
    assert processes[2].taken("w1", "T", 4) and processes[2].taken("w1", "U", 1)
    assert processes[3].sent("w1") == {"T": 4, "U": 1}
    assert processes[3].of("T") == [webhook(1)]


def test_one_that_is_removed_is_gone_with_its_secret_and_takes_nothing_more(processes):
    processes[0].add(webhook(1), {"T": 3}, 9)
    assert not processes[1].remove("U", "w1") and processes[1].remove("T", "w1") and not processes[1].remove("T", "w1")
    assert processes[2].every() == [] and processes[2].sent("w1") == {}
    assert not processes[3].taken("w1", "T", 4)
    processes[3].failed(webhook(1, tries=1))
    assert processes[2].every() == [] and processes[2].sent("w1") == {}
