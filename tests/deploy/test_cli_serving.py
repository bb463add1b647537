"""What is wrong before a server starts is one line that names it and says what to do; nothing is served."""

import socket
import sqlite3

import pytest

from shared import regulations
from shared.regulations.typed_toml import TomlError


@pytest.fixture
def refused(arbiter, tmp_path):
    """The line by which `arbiter serve` refuses a data folder."""

    def call(*args: object) -> str:
        code, out, err = arbiter("serve", "--data", tmp_path / "data", *args)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith("arbiter: ") and "serving" not in err
        return err.removeprefix("arbiter: ")

    return call


@pytest.fixture
def database(arbiter, tmp_path):
    """The database of a folder in which the sample was played."""
    assert arbiter("demo", "--data", tmp_path / "data")[0] == 0
    return tmp_path / "data" / "arbiter.db"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ARBITER_PORT", "abc"),
        ("ARBITER_PORT", "70000"),
        ("ARBITER_MAX_BODY", "0"),
        ("ARBITER_RATE", "much"),
        ("ARBITER_BURST", "-1"),
        ("ARBITER_STREAMS", "1e3"),
        ("ARBITER_HEARTBEAT", "0"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(refused, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    line = refused()
    assert name in line and value in line


def test_the_environment_says_where_the_server_listens_and_where_the_data_lie(refused, arbiter, monkeypatch, tmp_path):
    monkeypatch.setenv("ARBITER_HOST", "nowhere.invalid")
    monkeypatch.setenv("ARBITER_PORT", "8123")
    assert refused().startswith("nowhere.invalid:8123 cannot be listened at")
    monkeypatch.setenv("ARBITER_DATA", str(tmp_path / "elsewhere"))
    assert arbiter("keys")[0] == 0
    assert (tmp_path / "elsewhere" / "arbiter.vkey").exists()


def test_regulations_that_cannot_be_taken_are_named_before_anything_is_served(refused, arbiter, monkeypatch, tmp_path):
    def broken(name):
        raise TomlError(f"{name}.toml: points has an unknown key 'wim'; is 'win' meant?")

    monkeypatch.setattr(regulations, "load", broken)
    line = "campus.toml: points has an unknown key 'wim'; is 'win' meant?"
    assert refused() == f"the rulesets are not valid: {line}\n"
    code, out, err = arbiter("demo", "--data", tmp_path / "cup")
    assert (code, out, err) == (2, "", f"arbiter: {line}\n")


def test_a_port_that_another_program_has_is_named(refused):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        line = refused("--port", port)
    assert line.startswith(f"127.0.0.1:{port} cannot be listened at (Address already in use): choose another with")


def test_a_folder_that_cannot_be_written_is_named(refused, tmp_path):
    (tmp_path / "data").write_text("a file")
    assert refused().startswith(
        f"{tmp_path / 'data'}: cannot be used as the data folder (File exists); name a writable"
    )


def test_a_key_that_is_none_is_named(refused, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "arbiter.key").write_text("nothing")
    assert f"{tmp_path / 'data' / 'arbiter.key'} is not a private key" in refused()


def test_a_file_that_is_no_database_is_named(refused, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "arbiter.db").write_text("a shopping list, longer than the header of a database" * 9)
    file = tmp_path / "data" / "arbiter.db"
    assert refused().startswith(
        f"the database {file} cannot be opened: file is not a database; restore its last backup"
    )


def test_a_database_that_was_cut_is_named(refused, database):
    database.write_bytes(database.read_bytes()[:20_000])
    line = refused()
    assert line.startswith(
        f"the database {database} cannot be opened: database disk image is malformed; restore its last"
    )


def test_a_database_of_another_program_is_named_and_left_alone(refused, tmp_path):
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "arbiter.db"
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE recipes (name)")
    line = refused()
    assert line.startswith(f"the database {file} has tables (recipes …)") and "it is not a log of Arbiter" in line
    with sqlite3.connect(file) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]


def test_a_database_of_a_later_release_is_named(refused, database):
    with sqlite3.connect(database) as later:
        later.execute("UPDATE alembic_version SET version_num = '9999'")
    line = refused()
    assert line.startswith(f"the database {database} is at migration '9999'") and "start the version of" in line


@pytest.mark.parametrize("verb", [("log", "x"), ("demo",), ("demo", "--serve")])
def test_every_verb_on_a_data_folder_says_the_same(arbiter, tmp_path, verb):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "arbiter.db").write_text("a shopping list, longer than the header of a database" * 9)
    code, out, err = arbiter(*verb, "--data", tmp_path / "data")
    assert (code, out, err.count("\n")) == (2, "", 1) and "arbiter.db cannot be opened: file is not a database" in err
