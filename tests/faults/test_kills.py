"""The server is killed while callers write: what was acknowledged is in the log, once, and all of it follows."""

import http.client
import json
import threading
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from deploy.server.keys.house_signer import HouseSigner
from deploy.server.rules import RULES
from shared.audit.audit import Evidence, audit
from shared.http.identity import tokens
from tests.faults.killing import SHARED, Caller, House, callers, lines_of
from tests.offices import everywhere

pytestmark = pytest.mark.xdist_group("kills")
KILLS, CALLERS, SEED = 15, 8, 20261121
AGAIN = 4
"""Repeats of acknowledged keys after each restart."""


def written(house: House, all_callers: list[Caller], seconds: float) -> None:
    """Let all callers write, and kill the house that long after the first answer."""
    first = threading.Event()
    threads = [threading.Thread(target=caller.write, args=(house, first)) for caller in all_callers]
    for thread in threads:
        thread.start()
    assert first.wait(30)
    threading.Event().wait(seconds)  # the moment itself: nothing is waited for
    house.kill()
    for thread in threads:
        thread.join(30)
    for caller in all_callers:
        if caller.failure is not None:
            raise caller.failure


def repeated(house: House, all_callers: list[Caller], rng: Random) -> int:
    """Send some acknowledged commands with a key again; each gets the body that it got before."""
    keyed = [(caller, *one) for caller in all_callers for one in caller.acknowledged if one[0].key]
    chosen = rng.sample(keyed, min(AGAIN, len(keyed)))
    connection = http.client.HTTPConnection(*house.address, timeout=20)
    for caller, said, body in chosen:
        assert caller.send(connection, said) == (201, body)
    connection.close()
    return len(chosen)


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A data folder with the hall that all callers share: four players, paired."""
    tokens.ensure_keys(tmp_path)
    house = House(tmp_path)
    (one,) = callers(tmp_path, 1, 0)
    connection = http.client.HTTPConnection(*house.address, timeout=20)
    cup: dict[str, Any] = {
        "id": SHARED,
        "name": "Hall",
        "game": "xiangqi",
        "format": "swiss",
        "rounds": 9,
        "regulations": "campus",
    }
    cup["officials"] = everywhere(*(f"c{n}" for n in range(CALLERS)))
    for path, body in (
        ("", cup),
        (f"/{SHARED}/entries", {"players": [{"name": f"选手 {n}"} for n in range(1, 5)]}),
        (f"/{SHARED}/rounds", {"boards": [[1, 2], [3, 4]], "reason": "as drawn"}),
    ):
        status, said = one.send(connection, one.said(f"/v1/tournaments{path}", body, "chief_arbiter"))
        assert status == 201, said
    connection.close()
    house.kill()
    return tmp_path


def test_whatever_was_acknowledged_before_a_kill_is_in_the_log_exactly_once(begun: Path) -> None:
    # given eight callers with keys for a half of what they say
    rng = Random(SEED)
    all_callers = callers(begun, CALLERS, SEED)
    before, replayed = lines_of(begun), 0

    # when the house is killed at fifteen moments, each time while they write
    for _ in range(KILLS):
        house = House(begun)
        replayed += repeated(house, all_callers, rng)
        written(house, all_callers, rng.uniform(0.05, 0.6))
        after = lines_of(begun)
        for stream, lines in before.items():
            assert after[stream][: len(lines)] == lines, f"{stream} only grows"
        before = after

    # then every acknowledged event is in the log once, with the bytes that the answer told
    lines = [line for stream in before.values() for line in stream]
    logged = Counter(json.loads(line)["id"] for line in lines)
    told = [event for caller in all_callers for _, body in caller.acknowledged for event in json.loads(body)["events"]]
    assert set(logged.values()) == {1}
    assert len(told) > 20 * KILLS and replayed > 2 * KILLS
    assert {event["id"] for event in told} <= set(logged)
    assert {json.dumps(event, sort_keys=True) for event in told} <= {
        json.dumps(json.loads(line), sort_keys=True) for line in lines
    }

    # and every decision follows again, in every tournament
    key = HouseSigner(begun).verifier
    for stream, log in before.items():
        kind, _, t = stream.partition("/")
        if kind == "tournaments":
            sheets = {
                s[6:]: sheet
                for s, sheet in before.items()
                if s.startswith(f"games/{t}.") and s[6:].rsplit(".", 2)[0] == t
            }
            report = audit(log, RULES, Evidence(sheets=sheets, keys=(key,)))
            assert (report.findings, report.crossings, report.unchecked) == ([], [], {}), stream
            assert report.decided == len(log)
