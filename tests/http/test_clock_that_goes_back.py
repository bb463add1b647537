"""A server's clock that goes back: no stream's lines do."""

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from deploy.server.rules import RULES
from services.pairing.rules.commands import EnterPlayers, Entry
from shared.audit.audit import Evidence, audit
from shared.audit.checkpoints.checkpoint import Signer
from shared.core.terms import PAIRING
from shared.desk.desk import Desk, Receipt
from shared.desk.event_writer import Clock
from shared.log.sqlite import SqliteLog
from tests.histories import CHIEF, NAME, begin

SIGNER = Signer("arbiter", Ed25519PrivateKey.generate())


def told(folder: Path, year: int) -> list[bytes]:
    """What stands in the log after a server of that year began the tournament, or entered one more into it."""
    now = datetime(year, 11, 21, 9, 30, tzinfo=UTC)
    desk = Desk(SqliteLog(folder / "log.db"), RULES, SIGNER.sign, clock=Clock(lambda: now), threads=False)
    try:
        begin(desk, "T", players=2)
        assert isinstance(desk.submit(PAIRING, "T", EnterPlayers(CHIEF, (Entry(None, NAME),))), Receipt)
        return [row.line for row in desk.lines("tournaments/T")]
    finally:
        desk.close()


def test_after_a_clock_went_back_the_next_line_bears_the_time_of_the_last(tmp_path):
    # given a log whose last line was written in 2027
    before = told(tmp_path, 2027)
    # when a server whose clock says 2026 writes the next
    lines = told(tmp_path, 2026)
    times = [json.loads(line)["time"] for line in lines]
    # then no line goes back, in that tournament alone
    assert len(lines) == len(before) + 1 and times == sorted(times) and times[-1].startswith("2027")
    assert audit(lines, RULES, Evidence()).findings == []


def test_after_a_line_whose_time_is_none_the_next_bears_the_time_of_the_clock(tmp_path):
    # given a log whose last line somebody else wrote, in words instead of a time
    told(tmp_path, 2026)
    with sqlite3.connect(tmp_path / "log.db") as database:
        (last, line) = database.execute("SELECT max(seq), line FROM events WHERE stream = 'tournaments/T'").fetchone()
        said = bytes(line).replace(b'"time":"2026', b'"time":"noon, 2026')
        database.execute("UPDATE events SET line = ? WHERE stream = 'tournaments/T' AND seq = ?", (said, last))
    # then who writes the next does not take it over
    times = [json.loads(line)["time"] for line in told(tmp_path, 2026)]
    assert times[-2].startswith("noon") and times[-1] == "2026-11-21T09:30:00.000000Z"
