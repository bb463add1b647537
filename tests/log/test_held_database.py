"""A SQLite database that another process holds: who waits for it in vain is told to come again, and nothing is written."""

import sqlite3
from pathlib import Path

import pytest

from shared.core.terms import GAMES
from shared.log.port import CommitUnknown, LogUnavailable, NewRow
from shared.log.sql import engines
from shared.log.sqlite import SqliteLog


def test_a_lock_that_is_not_had_in_time_is_no_crash_and_nothing_is_written(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(engines, "_BUSY_SECONDS", 0.1)
    log = SqliteLog(tmp_path / "arbiter.sqlite")
    holder = sqlite3.connect(tmp_path / "arbiter.sqlite", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")

    def write() -> None:
        with log.transaction() as tx:
            tx.append([NewRow("games/A.1.1", 1, GAMES, 1, "moves", 0, b"{}")])

    with pytest.raises(LogUnavailable, match="another process holds the database") as raised:
        write()
    assert not isinstance(raised.value, CommitUnknown)
    holder.execute("ROLLBACK")
    assert log.lines("games/A.1.1") == []
    write()
    assert len(log.lines("games/A.1.1")) == 1
    holder.close()
    log.close()
