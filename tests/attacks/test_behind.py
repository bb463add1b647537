"""A server whose database was put back: it does not write in a log that ends before its last signed checkpoint."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.stories.conftest import Story
from tests.stories.hall import Embedded

T = "/v1/tournaments/T"
LOST = 2
LATE = {"players": [{"id": 9, "name": "late"}]}


@pytest.fixture
def behind(tmp_path: Path) -> Story:
    """Start a server on a log that lost its last events after they were signed."""
    before = Story(Embedded(tmp_path))
    before.announced()
    before.get(f"{T}/checkpoint")
    before.hall.close()
    with (
        closing(sqlite3.connect(tmp_path / "arbiter.db")) as database,
        closing(sqlite3.connect(tmp_path / "whole.db")) as copy,
    ):
        database.backup(copy)
        database.execute(f"DELETE FROM events WHERE pos > (SELECT max(pos) - {LOST} FROM events)")
        database.commit()
    after = Story(Embedded(tmp_path))
    after.seq = before.seq - LOST
    return after


def test_log_behind_its_checkpoint_accepts_no_command(behind: Story) -> None:
    refused = behind.ask("POST", f"{T}/entries", LATE, "chief_arbiter")
    assert (refused.status_code, refused.get_json()["type"].rpartition(":")[2]) == (503, "tournament-stopped")
    assert f"checkpoint of {behind.seq + LOST} events was signed" in refused.get_json()["detail"]
    assert "--restart" in refused.get_json()["detail"]
    seen = behind.get(T)
    assert seen["seq"] == behind.seq and "was signed" in seen["stopped"]


def test_restart_of_checkpoints_accepts_commands_again(behind: Story) -> None:
    behind.tell(f"{T}/checkpoint/restarts", {"reason": "the disk is gone"}, "organiser")
    behind.tell(f"{T}/entries", LATE)
    assert behind.get(T)["stopped"] is None
    assert any("started again" in str(remark) for remark in behind.audited().remarks)


def test_other_tournaments_of_the_server_continue(behind: Story) -> None:
    other = {"id": "U", "name": "U", "game": "xiangqi", "format": "swiss", "rounds": 5, "regulations": "campus"}
    assert behind.ask("POST", "/v1/tournaments", other, "chief_arbiter").status_code == 201
    assert behind.ask("POST", "/v1/tournaments/U/entries", LATE, "chief_arbiter").status_code == 201


def test_restored_log_accepts_commands_at_the_next_start(behind: Story, tmp_path: Path) -> None:
    behind.hall.close()
    shutil.copy(tmp_path / "whole.db", tmp_path / "arbiter.db")
    again = Story(Embedded(tmp_path))
    again.seq = behind.seq + LOST
    again.tell(f"{T}/entries", LATE)


def test_automatic_commands_are_not_queued(behind: Story) -> None:
    assert isinstance(behind.hall, Embedded)
    assert behind.hall.desk.queue_due("T") is False
