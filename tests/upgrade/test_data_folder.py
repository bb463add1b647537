"""A data folder of 1.0.0: the server is stopped, the new version starts in it, and everything is as it was."""

import json
import sqlite3
from contextlib import closing
from urllib.request import Request, urlopen

import pytest

from services.standings.files.archive import contents as c
from shared.http.identity import tokens
from tests.faults.killing import House
from tests.golden.recorded import TABLE, TEAMS, load_tournaments, run_arbiter, unpack_data
from tests.golden.test_second import ARCHIVED, assert_contains
from tests.log.test_migrations import newest

OPEN = "chess"
"""A tournament of the set that is not closed."""


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    data = unpack_data(tmp_path_factory.mktemp("former"))
    house = House(data)
    yield data, f"http://{house.address[0]}:{house.address[1]}"
    house.kill()


def asked(address: str, path: str, token: str, body: dict | None = None) -> tuple[int, bytes]:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    with urlopen(Request(address + path, None if body is None else json.dumps(body).encode(), headers)) as answer:
        return answer.status, answer.read()


def test_database_of_1_0_is_of_an_older_schema_and_is_migrated(tmp_path, served):
    before, (data, _) = unpack_data(tmp_path), served
    assert revision(before) < revision(data) == newest()


def revision(data) -> str:
    with closing(sqlite3.connect(data / "arbiter.db")) as connection:
        return connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]


def test_tables_of_1_0_are_the_same_over_http(served):
    data, address = served
    for name in ARCHIVED:
        holder = ("chief_arbiter", "import") if name.startswith("imported") else ("organiser", "organiser")
        token, files = tokens.issue(data, *holder), load_tournaments()[name]
        path = f"/v1/tournaments/{name}/standings"
        assert_contains(json.loads(asked(address, path, token)[1]), json.loads(files[TABLE]))
        if TEAMS in files:
            assert_contains(json.loads(asked(address, f"{path}/teams", token)[1]), json.loads(files[TEAMS]))


def test_log_of_1_0_takes_a_new_command_and_verifies(served, tmp_path):
    data, address = served
    token = tokens.issue(data, "chief_arbiter", "chief_arbiter")
    body = {"player": 1, "round": 1, "infraction": "misconduct", "note": "after the upgrade"}
    status, content = asked(address, f"/v1/tournaments/{OPEN}/rulings", token, body)
    assert status == 201
    log, sheets = tmp_path / "log.ndjson", tmp_path / "sheets.ndjson"
    log.write_bytes(run_arbiter("log", OPEN, "--data", data)[1])
    sheets.write_bytes(run_arbiter("log", OPEN, "--data", data, "--sheets")[1])
    former = load_tournaments()[OPEN][c.LOG]
    assert log.read_bytes().startswith(former)
    added = log.read_bytes()[len(former) :].splitlines()
    assert [json.loads(line) for line in added] == json.loads(content)["events"]
    code, report = run_arbiter("verify", log, "--sheets", sheets, "--json")
    assert (code, json.loads(report)["checked"]) == (0, log.read_bytes().count(b"\n"))
