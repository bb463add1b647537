"""Rounds that an engine computes: no tournament waits for another's, and what takes too long is paired by hand."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deploy.server import embedded
from shared.core.terms import PAIRING
from shared.desk.computations.child_process import Exhausted
from shared.desk.computations.computations import ComputationLimits, Computations
from shared.desk.desk import Desk
from shared.desk.requests import Behind
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from shared.http.requests.app_context import EXTENSION
from tests import made_once
from tests.http.calls import Call, calls_on
from tests.stories.hall import Embedded, Lagging

PATIENCE = 60.0
LARGE = 300
T, U = "/v1/tournaments/T", "/v1/tournaments/U"


def until(holds: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while not (held := holds()):
        assert time.monotonic() < end, "it never came to be"
        time.sleep(0.005)
    return held


@contextmanager
def beside(work: Callable[[], Any]) -> Iterator[tuple[threading.Thread, list[Any]]]:
    """A thread that works while the block runs, and what it came to: at the block's end it must be done."""
    outcomes: list[Any] = []

    def kept() -> None:
        try:
            outcomes.append(work())
        except Exception as problem:
            outcomes.append(problem)

    thread = threading.Thread(target=kept, daemon=True)
    thread.start()
    yield thread, outcomes
    thread.join(PATIENCE)
    assert not thread.is_alive()


@pytest.fixture
def computations() -> Iterator[Computations]:
    made = Computations(ComputationLimits(seconds=PATIENCE, memory=1 << 30, at_once=2))
    yield made
    made.end()


def computing(computations: Computations) -> list[int]:
    """The processes that compute."""
    return [child._process.pid for child in list(computations._busy) if child._process and child._process.pid]


def test_each_tournament_computes_in_a_process_of_its_own(computations: Computations) -> None:
    with beside(lambda: computations.run("A", time.sleep, 3600)):
        (first,) = until(lambda: computing(computations))
        assert computations.run("B", os.getpid) not in (first, os.getpid())
        os.kill(first, signal.SIGKILL)
        (again,) = until(lambda: [pid for pid in computing(computations) if pid != first])
        os.kill(again, signal.SIGKILL)


def test_a_process_that_died_is_named_with_what_ended_it(computations: Computations) -> None:
    with beside(lambda: computations.run("A", time.sleep, 3600)) as (_, outcomes):
        (first,) = until(lambda: computing(computations))
        os.kill(first, signal.SIGKILL)
        (again,) = until(lambda: [pid for pid in computing(computations) if pid != first])
        os.kill(again, signal.SIGKILL)
    assert isinstance(outcomes[0], Behind)
    assert str(outcomes[0]) == f"the process {again} died while computing this (SIGKILL)"
    assert computations.run("A", divmod, 7, 2) == (3, 1)


def test_of_one_tournament_one_is_computed_and_few_wait(
    computations: Computations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.desk.computations.computations._TURN_SECONDS", 0.01)
    monkeypatch.setattr("shared.desk.computations.computations._WAITING", 0)
    with beside(lambda: computations.run("A", time.sleep, 3600)) as (_, outcomes):
        until(lambda: computing(computations))
        with pytest.raises(Behind, match="the next round of A is being computed"):
            computations.run("A", divmod, 7, 2)
        monkeypatch.setattr("shared.desk.computations.computations._WAITING", 1)
        with pytest.raises(Behind, match="the next round of A is being computed"):
            computations.run("A", divmod, 7, 2)
        computations.end()
    assert isinstance(outcomes[0], Behind)


def test_more_than_a_service_takes_at_once_are_refused_and_wait_for_nobody(computations: Computations) -> None:
    with (
        beside(lambda: computations.run("A", time.sleep, 3600)),
        beside(lambda: computations.run("B", time.sleep, 3600)),
    ):
        until(lambda: len(computing(computations)) == 2)
        with pytest.raises(Behind, match="this service is already computing as many pairings"):
            computations.run("C", divmod, 7, 2)
        computations.end()
    with pytest.raises(Behind, match="the service is ending"):
        computations.run("C", divmod, 7, 2)


def test_one_process_stays_for_the_next_and_one_that_took_too_long_does_not(computations: Computations) -> None:
    first = computations.run("A", os.getpid)
    assert computations.run("B", os.getpid) == first
    computations._idle[0]._seconds = 0.2
    with pytest.raises(Exhausted, match=r"more than 0\.2 s"):
        computations.run("A", time.sleep, 3600)
    computations._idle[0]._seconds = PATIENCE
    assert computations.run("B", os.getpid) != first


# ------------------------------------------------------------ over HTTP


def announced(call: Callable[..., Any], path: str, players: int) -> None:
    name = path.rpartition("/")[2]
    cup = {"id": name, "name": name, "game": "chess", "format": "swiss", "rounds": 5, "regulations": "fide-2026"}
    assert call("POST", "/v1/tournaments", cup).status_code == 201
    entered = [{"id": n, "name": f"P {n}", "rating": 2600 - n} for n in range(1, players + 1)]
    assert call("POST", f"{path}/entries", {"players": entered}).status_code == 201


def pair(call: Callable[..., Any], path: str, **boards: Any) -> Any:
    def caught_up() -> Any:
        answer = call("GET", f"/services/pairing{path}")
        return answer if answer.status_code == 200 else None

    return call("POST", f"{path}/rounds", boards, If_Match=until(caught_up).headers["ETag"])


def reported(call: Callable[..., Any], path: str, boards: int) -> None:
    """Who has the higher number wins each second board, the other boards are drawn."""
    results = [{"board": n, "result": "0-1" if n % 2 else "1/2-1/2"} for n in range(1, boards + 1)]
    assert call("POST", f"{path}/results", {"round": 1, "results": results}).status_code == 201


@pytest.mark.parametrize("kind", ["embedded", "distributed"])
def test_a_round_that_does_not_end_holds_no_other_tournament(tmp_path: Path, kind: str) -> None:
    from tests.stories.conftest import Story

    made_once.forget_children()  # one that is there already has paired before anybody looks
    hall = Embedded(tmp_path) if kind == "embedded" else Lagging(tmp_path, 1)
    story = Story(hall)
    desk: Desk = hall.desk if isinstance(hall, Embedded) else hall.desks[PAIRING]

    def call(method: str, path: str, json: Any = None, **headers: str) -> Any:
        return story.ask(method, path, json, "chief_arbiter", **headers)

    try:
        for path in (T, U):
            announced(call, path, 30)
        with beside(lambda: pair(call, T)) as (thread, outcomes):
            (process,) = until(lambda: computing(desk._computations))
            os.kill(process, signal.SIGSTOP)
            answer = pair(call, U)
            assert (answer.status_code, len(answer.json["boards"])) == (201, 15), answer.text
            result = {"round": 1, "results": [{"board": 1, "result": "1-0"}]}
            until(lambda: call("POST", f"{U}/results", result).status_code == 201)
            assert thread.is_alive(), "the round that does not end still computes"
            os.kill(process, signal.SIGCONT)
        assert (outcomes[0].status_code, len(outcomes[0].json["boards"])) == (201, 15), outcomes
    finally:
        hall.close()


def test_a_large_round_past_its_time_is_503_and_is_paired_by_hand(tmp_path: Path) -> None:
    app = embedded.make_app(tmp_path, Limits(rate=0, reads=0))
    desk: Desk = app.extensions[EXTENSION].desk
    call: Call = calls_on(app, tmp_path, "chief_arbiter")
    try:
        announced(call, T, LARGE)
        first = pair(call, T)
        assert first.status_code == 201, first.text
        reported(call, T, LARGE // 2)
        for child in desk._computations._idle:
            child._seconds = 0.05
        late = pair(call, T)
        assert (late.status_code, late.json["type"]) == (503, "urn:arbiter:problem:pairing-too-large")
        assert late.json["detail"] == "the computation took more than 0.05 s; pair by hand, or ask again"
        assert late.headers["Retry-After"] == "30"
        assert call("GET", f"{T}/rounds/2").status_code == 404, "nothing was written"
        halves = [[b["black"], b["white"]] for b in first.json["boards"]]
        boards = [[a[0], b[1]] for a, b in zip(halves, halves[1:] + halves[:1], strict=True)]
        by_hand = pair(call, T, boards=boards, reason="the engine took too long")
        assert by_hand.status_code == 201, by_hand.text
    finally:
        close(app)
