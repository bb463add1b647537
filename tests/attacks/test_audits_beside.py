"""Audits that strangers ask for: one run for all who ask the same, a bound for those who wait, and pairings go before."""

import threading
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

import pytest

from deploy.server.jobs import audit_job
from deploy.server.jobs.audit_job import Audits
from services.standings.files.sheet_sources import sheets_here
from shared.audit.report import Progress
from shared.desk.computations.child_process import ChildProcess, Delayed, Exhausted
from shared.desk.views import stream_of
from shared.http.identity.tokens import issue
from shared.http.limits.rate_limits import Limits
from shared.http.problems import Problem
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

    def __call__(self, function, *arguments, callback):
        self.number += 1
        callback(Progress("signatures", 3, 7))
        assert self.go.wait(20)
        return function(*arguments, callback)


@pytest.fixture
def runs(monkeypatch):
    made = Runs()
    monkeypatch.setattr(ChildProcess, "run", made)
    return made


def test_equal_audits_share_one_run_and_what_came_of_it_is_kept_until_the_log_grows(cup, runs):
    desk, played, _ = cup
    audits = Audits(desk, SIGNER.verifier, Limits(audits=CROWD), sheets_here(desk))
    with ThreadPoolExecutor(CROWD) as pool:
        asked = [pool.submit(audits.report, "cup") for _ in range(CROWD)]
        runs.go.set()
        reports = [one.result(20) for one in asked]
    assert runs.number == 1 and all(report == reports[0] for report in reports)
    assert audits.report("cup") == reports[0] and runs.number == 1
    played.enter("Li")
    assert audits.report("cup") != reports[0] and runs.number == 2


def test_more_than_may_wait_are_told_to_come_again(cup, runs):
    audits = Audits(cup[0], SIGNER.verifier, Limits(audits=2), sheets_here(cup[0]))
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

    def exhausted(*_, **__):
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


def test_an_audit_delayed_by_a_busy_machine_is_run_again(cup, monkeypatch):
    audits = Audits(cup[0], SIGNER.verifier, Limits(), sheets_here(cup[0]))

    def delayed(*_, **__):
        raise Delayed("the computation took more than 60 s")

    monkeypatch.setattr(ChildProcess, "run", delayed)
    with pytest.raises(Problem) as refused:
        audits.report("cup")
    assert refused.value.code == "audit-too-large"
    monkeypatch.undo()
    assert audits.report("cup").verdict == "agrees"
    audits.end()


def test_a_run_that_failed_is_run_again(cup, monkeypatch):
    audits = Audits(cup[0], SIGNER.verifier, Limits(), sheets_here(cup[0]))
    monkeypatch.setattr(audit_job, "audit", lambda *_: 1 / 0)
    monkeypatch.setattr(
        ChildProcess, "run", lambda child, function, *arguments, callback: function(*arguments, callback)
    )
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            audits.report("cup")
    monkeypatch.undo()
    assert audits.report("cup").verdict == "agrees"
    audits.end()


def test_who_does_not_wait_is_told_how_far_the_audit_is_which_goes_on_without_him(cup, runs):
    desk, played, _ = cup
    audits = Audits(desk, SIGNER.verifier, Limits(audits=2), sheets_here(desk))
    assert audits.look("cup") == Progress("signatures", 3, 7)
    played.enter("Li")
    assert audits.look("cup") == Progress("signatures", 3, 7), "it is not begun again for a line that came since"
    runs.go.set()
    assert audits.report("cup").size == audits.look("cup").size > 1


def test_who_looks_for_what_an_audit_found_waits_for_none_and_has_one_that_read_his_line(cup, runs):
    desk, played, _ = cup
    audits = Audits(desk, SIGNER.verifier, Limits(audits=2), sheets_here(desk))
    before = len(desk.lines(stream_of("cup")))
    assert [audits.made("cup", before) for _ in range(2)] == [None, None]
    runs.go.set()
    audits.report("cup")
    played.enter("Li")
    found = audits.made("cup", before)
    assert found is not None and found.size == before, "an older one that read the line is good enough"
    assert runs.number == 1, "and no other is begun"
    assert audits.made("cup", before + 1) is None and audits.report("cup").size > before


def test_audits_that_nobody_waits_for_are_no_more_than_may_be(cup, runs):
    desk, *_ = cup
    audits = Audits(desk, SIGNER.verifier, Limits(audits=2), sheets_here(desk))
    for id in ("second", "third"):
        Played(desk, id).announce()
    assert [type(audits.look(id)) for id in ("cup", "second")] == [Progress, Progress]
    with pytest.raises(Problem) as refused:
        audits.look("third")
    assert (refused.value.status, refused.value.code) == (503, "audits-full")
    runs.go.set()


def test_readers_without_a_token_leave_a_quarter_of_the_audits(cup, runs):
    desk, _, data = cup
    client = an_app(data, desk).test_client()
    audits = Audits(desk, SIGNER.verifier, Limits(audits=4), sheets_here(desk))
    for id in ("second", "third", "fourth", "fifth"):
        Played(desk, id).announce()
    with client.application.test_request_context():
        for id in ("cup", "second", "third"):
            audits.look(id)
        with pytest.raises(Problem) as refused:
            audits.look("fourth")
    assert "already running as many audits" in str(refused.value.detail)
    token = {"Authorization": f"Bearer {issue(data, 'auditor', 'hall')}"}
    with client.application.test_request_context(headers=token):
        assert type(audits.look("fourth")) is Progress
        with pytest.raises(Problem):
            audits.look("fifth")
    runs.go.set()


def test_readers_without_a_token_leave_a_quarter_of_the_waiting_places(cup, runs):
    desk, _, data = cup
    app = an_app(data, desk)
    audits = Audits(desk, SIGNER.verifier, Limits(audits=4), sheets_here(desk))
    token = {"Authorization": f"Bearer {issue(data, 'auditor', 'hall')}"}

    def ask(headers):
        with app.test_request_context(headers=headers):
            return audits.report("cup")

    with ThreadPoolExecutor(5) as pool:
        asked = [pool.submit(ask, {}) for _ in range(4)]
        (refused,) = wait(asked, 20, FIRST_COMPLETED).done
        official = pool.submit(ask, token)
        runs.go.set()
        assert official.result(20).size > 0
    assert "already waiting for an audit" in str(refused.exception().detail)
    assert sum(one.exception() is None for one in asked) == 3


def test_a_page_with_an_audit_is_there_while_that_is_made_and_asks_for_it_again(cup, runs):
    desk, _, data = cup
    client = an_app(data, desk).test_client()
    for page in ("closing", "crossings"):
        shown = client.get(f"/t/cup/{page}").text
        assert "/t/cup/audit" in shown and 'http-equiv="refresh"' in shown and 'hx-trigger="' in shown
    runs.go.set()
    assert client.get("/v1/tournaments/cup/audit").json["verdict"] == "agrees"
    for page, told in (("closing", "events re-evaluated, all match"), ("crossings", "<p>None.</p>")):
        shown = client.get(f"/t/cup/{page}").text
        assert told in shown and "http-equiv" not in shown and 'hx-trigger="load' not in shown
    assert runs.number == 1
