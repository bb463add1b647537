"""An audit of a log of 100,000 lines, by the command and on its page: how far it is, and every line that was forged."""

import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask import Flask

from services.pairing.rules.commands import CheckInPlayers
from shared.core.terms import PAIRING, PlayerId
from shared.desk.desk import Desk
from shared.http.limits.rate_limits import Limits
from tests.great_hall import great_hall
from tests.http.test_log_pages import shown
from tests.played import CHIEF, a_desk, an_app

ARBITER = Path(sys.executable).parent / "arbiter"
LINES, PLAYERS = 100_000, 4999
STREAM = "tournaments/great"


@dataclass
class LongLog:
    """A served log, its lines in a file, and those that somebody who holds the database gave another author."""

    app: Flask
    file: Path
    forged: list[int]


def long_hall(desk: Desk) -> list[int]:
    """Everybody comes in and goes out as often as there are lines to fill; the lines of three fouls among them, in the middle,
    later, and at the end."""
    cup, fouls = great_hall(desk, players=PLAYERS, rounds=3), []
    everybody, coming = tuple(PlayerId(n) for n in range(1, PLAYERS + 1)), True
    for upto in (LINES // 2, LINES * 3 // 4, LINES):
        while cup.do(PAIRING, CheckInPlayers(CHIEF, *((everybody, ()) if coming else ((), everybody)))).seq < upto:
            coming = not coming
        coming = not coming
        cup.foul(len(fouls) + 1, 3)
        fouls.append(cup.desk.view("great").seq)
    return fouls


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LongLog]:
    data = tmp_path_factory.mktemp("long")
    desk = a_desk(data)
    fouls = long_hall(desk)
    with sqlite3.connect(data / "log.db") as database:
        for seq in fouls:
            at = (STREAM, seq)
            line = database.execute("SELECT line FROM events WHERE stream = ? AND seq = ?", at).fetchone()[0]
            forged = bytes(line).replace(b'"actor":"li.wei"', b'"actor":"li.wej"')
            assert forged != line
            database.execute("UPDATE events SET line = ? WHERE stream = ? AND seq = ?", (forged, *at))
    file = data / "log.ndjson"
    file.write_bytes(b"".join(row.line + b"\n" for row in desk.lines(STREAM)))
    yield LongLog(an_app(data, desk, Limits(reads=0)), file, fouls)
    desk.close()


def test_the_command_names_every_forged_line_of_a_hundred_thousand(log: LongLog):
    told = subprocess.run([ARBITER, "verify", log.file], capture_output=True, text=True, check=False)
    assert told.returncode == 1 and log.forged[-1] > LINES, told
    for seq in log.forged:
        assert f"event {seq} (decision)" in told.stdout
    assert len(told.stdout.splitlines()) < 20, "what follows from a forged line hides no other"


def test_the_page_says_how_far_it_is_then_names_every_forged_line_within_the_limits_of_its_process(log: LongLog):
    client, english = log.app.test_client(), {"Accept-Language": "en"}
    begun = client.get("/t/great/audit", headers=english).text
    assert re.search(rf"<progress [^>]*>.*/ {log.forged[-1]}\b", begun), "how far it is, of how many"

    answer = client.get("/v1/tournaments/great/audit")
    assert answer.status_code == 200, answer.text
    report = answer.json
    assert [one["line"] for one in report["found"] if one["kind"] == "decision"] == log.forged
    assert report["findings"] == len(report["found"]) > PLAYERS, "with each root that does not fit"
    text = shown(client.get("/t/great/audit", headers=english).text)
    assert "Differs." in text
    for seq in log.forged:
        assert f"event {seq} decision" in text
