"""Audits that strangers ask for: one run for all who ask the same, a bound for those who wait, and pairings go before."""

import threading
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

import pytest

from deploy.server import audit_job
from deploy.server.audit_job import Audits
from shared.desk.child_process import ChildProcess, Exhausted
from shared.http.problems import Problem
from shared.http.rate_limits import Limits
from tests.played import SIGNER, Played, a_desk, an_app

CROWD = 20


@pytest.fixture
def cup(tmp_path):
    """A desk with one tournament."""
    desk = a_desk(tmp_path)
    played = Played(desk)
    played.announce()
    yield desk, played, tmp_path
    desk.close()


class Runs:
    """In place of the child: counts what it is to compute, and lets it wait."""

    def __init__(self) -> None:
        self.number, self.go = 0, threading.Event()

    def __call__(self, function, *arguments):
        self.number += 1
        assert self.go.wait(20)
        return function(*arguments)


@pytest.fixture
def runs(monkeypatch):
    made = Runs()
    monkeypatch.setattr(ChildProcess, "run", made)
    return made


def test_equal_audits_share_one_run_and_what_came_of_it_is_kept_until_the_log_grows(cup, runs):
    desk, played, _ = cup
    audits = Audits(desk, SIGNER.verifier, Limits(audits=CROWD))
    with ThreadPoolExecutor(CROWD) as pool:
        asked = [pool.submit(audits.report, "cup") for _ in range(CROWD)]
        runs.go.set()
        reports = [one.result(20) for one in asked]
    assert runs.number == 1 and all(report == reports[0] for report in reports)
    assert audits.report("cup") == reports[0] and audits.crossings("cup") == [] and runs.number == 1
    played.enter("Li")
    assert audits.report("cup") != reports[0] and runs.number == 2


def test_more_than_may_wait_are_told_to_come_again(cup, runs):
    audits = Audits(cup[0], SIGNER.verifier, Limits(audits=2))
    with ThreadPoolExecutor(3) as pool:
        asked = [pool.submit(audits.report, "cup") for _ in range(3)]
        (refused,) = wait(asked, 20, FIRST_COMPLETED).done
        problem = refused.exception()
        runs.go.set()
    assert isinstance(problem, Problem) and (problem.status, problem.code) == (503, "audits-full")
    assert int(problem.headers["Retry-After"]) > 0
    assert sum(one.exception() is None for one in asked) == 2


def test_an_audit_that_takes_too_much_is_refused_once_for_all(cup, monkeypatch):
    calls = []

    def exhausted(*_):
        calls.append(1)
        raise Exhausted("the computation took more than 60 s")

    monkeypatch.setattr(ChildProcess, "run", exhausted)
    desk, _, data = cup
    client = an_app(data, desk).test_client()
    for what in ("audit", "integrity", "audit"):
        answer = client.get(f"/v1/tournaments/cup/{what}")
        assert (answer.status_code, answer.json["type"]) == (503, "urn:arbiter:problem:audit-too-large")
        assert "arbiter verify" in answer.json["detail"] and answer.headers["Retry-After"] == "60"
    assert len(calls) == 1


def test_a_run_that_failed_is_run_again(cup, monkeypatch):
    audits = Audits(cup[0], SIGNER.verifier, Limits())
    monkeypatch.setattr(audit_job, "audit", lambda *_: 1 / 0)
    monkeypatch.setattr(ChildProcess, "run", lambda child, function, *arguments: function(*arguments))
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            audits.report("cup")
    monkeypatch.undo()
    assert audits.report("cup")["verdict"] == "agrees"
    audits.end()
