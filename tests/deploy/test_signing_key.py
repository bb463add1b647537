"""A data folder's key and its database belong together; a server that finds them apart refuses, and says what to do."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from deploy.server import embedded, embedded_desk
from shared.log.port import START, BadDatabase
from tests.log.older_schema import upgraded
from tests.log.test_migrations import older


@pytest.fixture
def house(arbiter, tmp_path):
    """A data folder in which the sample was played."""
    assert arbiter("demo", "--data", tmp_path / "house")[0] == 0
    return tmp_path / "house"


@pytest.fixture
def other(arbiter, tmp_path):
    """Another house, likewise."""
    assert arbiter("demo", "--data", tmp_path / "other")[0] == 0
    return tmp_path / "other"


def refusal(arbiter, folder) -> str:
    """The one line by which serve and every other verb refuse a folder, and its last command, as it is to be typed."""
    code, _, err = arbiter("serve", "--data", folder)
    assert (code, err.count("\n")) == (2, 1)
    with pytest.raises(BadDatabase) as refused:
        embedded.make_app(folder)
    assert str(refused.value) in err, "gunicorn says the same"
    return err


def opens(folder: Path) -> int:
    """How many lines the log of a folder has that is opened by its server."""
    log = embedded_desk.open_log(folder)
    try:
        return len(log.tail(START))
    finally:
        log.close()


def without_database(folder: Path) -> None:
    for file in folder.glob("arbiter.db*"):
        file.unlink()


def way_out(arbiter, line: str) -> None:
    """Type what the refusal says."""
    command = line.rpartition("`arbiter ")[2].partition("`")[0]
    assert arbiter(*command.split())[0] == 0


@pytest.mark.parametrize("left", ["missing", "empty"])
def test_old_keys_without_their_database_begin_no_other_log_by_themselves(arbiter, house, left):
    without_database(house)
    if left == "empty":
        (house / "arbiter.db").touch()
    before = sorted(p.name for p in house.iterdir())
    line = refusal(arbiter, house)
    assert f"is {left}; restore the database from a backup" in line
    assert sorted(p.name for p in house.iterdir()) == before, "nothing was made"
    way_out(arbiter, line)
    assert opens(house) == 0
    assert opens(house) == 0, "and from then on it is theirs"
    without_database(house)
    refusal(arbiter, house)


def test_a_backup_of_the_database_is_taken_back(arbiter, house, tmp_path):
    backup = sqlite3.connect(tmp_path / "backup.db")
    source = sqlite3.connect(house / "arbiter.db")
    source.backup(backup)
    for connection in (source, backup):
        connection.close()
    lines = opens(house)
    without_database(house)
    shutil.copy(tmp_path / "backup.db", house / "arbiter.db")
    assert opens(house) == lines > 0


def test_keys_that_have_just_been_made_begin_a_log_without_a_word(arbiter, tmp_path):
    assert arbiter("keys", "--data", tmp_path / "new")[0] == 0
    assert opens(tmp_path / "new") == 0


def test_a_database_of_another_house_is_refused_and_not_touched(arbiter, house, other):
    without_database(house)
    shutil.copy(other / "arbiter.db", house / "arbiter.db")
    before = (house / "arbiter.db").read_bytes()
    line = refusal(arbiter, house)
    assert "belongs to different keys from those in" in line
    assert (house / "arbiter.db").read_bytes() == before
    way_out(arbiter, line)
    assert opens(house) == opens(other) > 0


def test_keys_of_another_house_are_refused_likewise(arbiter, house, other):
    for name in ("arbiter.key", "arbiter.vkey"):
        shutil.copy(other / name, house / name)
    assert "restore its own keys" in refusal(arbiter, house)


@pytest.mark.parametrize("verb", [("keys",), ("serve",), ("log", "open")])
def test_no_new_key_is_made_beside_a_log_that_another_signs_for(arbiter, house, verb):
    (house / "arbiter.key").unlink()
    code, _, err = arbiter(*verb, "--data", house)
    assert (code, "is missing; restore the key" in err) == (2, True)
    assert not (house / "arbiter.key").exists()


def test_after_a_key_was_lost_a_new_one_and_its_public_half_are_made_by_the_command_that_is_named(arbiter, house):
    (house / "arbiter.key").unlink()
    lines, public = refusal(arbiter, house), (house / "arbiter.vkey").read_text()
    way_out(arbiter, lines)
    assert (house / "arbiter.vkey").read_text() != public
    assert opens(house) > 0


def test_a_database_of_the_version_before_is_taken_by_the_keys_that_signed_its_publications(arbiter, house, other):
    older(house / "arbiter.db", "0003")
    shutil.copy(house / "arbiter.db", other / "arbiter.db")
    assert opens(house) > 0
    assert "belongs to different keys from those in" in refusal(arbiter, other)


def test_a_database_without_a_line_says_nothing_of_old_keys(arbiter, house):
    without_database(house)
    upgraded(f"sqlite:///{house / 'arbiter.db'}", "0003")
    assert "is empty; restore the database" in refusal(arbiter, house)


def test_the_files_of_a_log_are_its_owners_alone(house):
    (house / "arbiter.db").chmod(0o644)
    app_log = embedded_desk.open_log(house)
    with app_log.transaction() as tx:
        tx.erase_text("none")
    modes = {file.name: file.stat().st_mode & 0o777 for file in house.glob("arbiter.db*")}
    app_log.close()
    assert modes == dict.fromkeys(("arbiter.db", "arbiter.db-wal", "arbiter.db-shm"), 0o600)
    assert house.stat().st_mode & 0o777 == 0o700
