"""``/readyz``: a server is ready if it can write; a replica is asked whether it can be read."""

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from deploy.server import write_probe
from tests.stories.conftest import Story
from tests.stories.hall import Embedded

T = "/v1/tournaments/T"


@pytest.fixture(autouse=True)
def _always_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_probe, "_FRESH_SECONDS", 0.0)


def ready(story: Story, query: str = "") -> tuple[int, str]:
    answer = story.ask("GET", f"/readyz{query}")
    return answer.status_code, answer.get_json().get("detail", "")


def test_server_without_room_is_not_ready_but_can_be_read(tmp_path: Path) -> None:
    story = Story(Embedded(tmp_path))
    assert ready(story) == (200, "")
    (tmp_path / ".room").symlink_to("/dev/full")
    code, why = ready(story)
    assert code == 503 and str(tmp_path) in why and "No space left on device" in why
    (tmp_path / ".room").symlink_to("/dev/full")
    assert ready(story, "?for=reads") == (200, "")
    assert ready(story, "?for=nothing")[0] == 400
    story.hall.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "small"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(command, check=False).returncode != 0:
        pytest.skip("NOT TESTED HERE: only root may mount a small disk, and not everywhere")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def test_full_disk_is_not_ready_until_it_has_room(small_disk: Path) -> None:
    story = Story(Embedded(small_disk))
    story.announced()
    players = [{"name": "x" * 200} for _ in range(500)]
    answers = (story.ask("POST", f"{T}/entries", {"players": players}, "chief_arbiter") for _ in range(100))
    refused = next(answer for answer in answers if answer.status_code != 201)
    assert refused.status_code == 507
    assert ready(story)[0] == 503
    subprocess.run(["mount", "-o", "remount,size=64m", small_disk], check=True)
    assert ready(story) == (200, "")
    assert story.ask("POST", f"{T}/entries", {"players": players}, "chief_arbiter").status_code == 201
    story.hall.close()


def test_server_on_damaged_pages_is_not_ready(tmp_path: Path) -> None:
    before = Story(Embedded(tmp_path))
    before.announced()
    before.hall.close()
    path = tmp_path / "arbiter.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'texts'").fetchone()
    content = bytearray(path.read_bytes())
    content[(root - 1) * 4096 : root * 4096] = bytes(range(256)) * 16
    path.write_bytes(content)
    story = Story(Embedded(tmp_path))
    code, why = ready(story)
    assert code == 503 and str(path) in why and "`arbiter doctor`" in why
    story.hall.close()
