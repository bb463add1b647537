"""The client while its server is killed with -9 in the middle of its commands: nothing is doubled, and nothing lost."""

import json
import os
import subprocess
import threading
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from deploy.cli.client import local
from deploy.cli.main import run
from shared.client import Client, NoAnswer, Problem
from shared.http.identity.tokens import issue
from tests import warm
from tests.clients import killed_import
from tests.clients.relay import Moment, relay
from tests.faults.killing import ROOT, House

MOMENTS: tuple[Moment, ...] = ("written", "unheard", "deciding")
STEPS: tuple[tuple[str, Moment], ...] = (
    ("announce", "written"),
    ("entries", "unheard"),
    ("round", "written"),
    ("results", "deciding"),
    ("round", "unheard"),
    ("results", "written"),
    ("round", "deciding"),
    ("results", "unheard"),
    ("records", "written"),
)
"""The steps of an import at which its server is killed, in their order."""


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    """A tournament of 12 players and 5 rounds, with forfeits, byes and withdrawals."""
    made = tmp_path_factory.mktemp("file") / "cup.trf"
    with made.open("w") as written, redirect_stdout(written):
        assert run(["simulate", "--players", "12", "--rounds", "5", "--seed", "11"]) == 0
    return made


def told(lines: list[bytes]) -> list[tuple[str, object]]:
    """Type and data of each line, without what a text's own salt, a key or the time makes of it."""

    def plain(part: object) -> object:
        match part:
            case dict():
                chance = ("salt", "hash", "keys", "key", "recovery", "at")
                return {
                    k: plain(v) for k, v in part.items() if not isinstance(v, str) or len(v) != 64 if k not in chance
                }
            case list():
                return [plain(one) for one in part]
        return part

    return [(event["type"], plain(event["data"])) for event in map(json.loads, lines)]


def test_an_import_outlives_every_kill_and_who_follows_the_log_sees_each_line_once(file, tmp_path):
    """The client makes the calls itself, as with a server of an older release."""
    data = tmp_path / "data"
    with relay(data, MOMENTS, each=4, imports=False) as way:
        token = issue(data, "chief_arbiter", "he.jing")
        seen, ended = [], threading.Event()

        def follow() -> None:
            with Client(way.url, patience=600) as reader:
                for line in reader.follow("cup"):
                    seen.append(line)
                    if line.type.startswith("arbiter.standings.published"):
                        break
            ended.set()

        with Client(way.url, token) as chief:
            importing = [warm.programs() / "arbiter", "import", str(file), "--url", way.url, "--id", "cup"]
            environment = os.environ | {"ARBITER_TOKEN": token}
            with subprocess.Popen(importing, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True) as running:
                while chief_sees_none(chief):
                    assert running.poll() is None, running.stderr.read()
                follower = threading.Thread(target=follow)
                follower.start()
                _, errors = running.communicate(timeout=300)
            assert running.returncode == 0, errors
            final = {"round": 5, "final": False}
            chief.post("/v1/tournaments/cup/publications", final, if_match=chief.get("/v1/tournaments/cup").etag)
            assert ended.wait(120)
            follower.join()
            written = chief.get("/v1/tournaments/cup/events", accept="application/x-ndjson").content.splitlines()
            assert chief.get("/v1/tournaments/cup/audit").json["verdict"] == "agrees"
        assert way.killed == list(MOMENTS)
    assert [line.text.encode() for line in seen] == written
    assert [line.seq for line in seen] == list(range(1, len(written) + 1))
    assert told(written)[:-1] == told(undisturbed(file, tmp_path))


def test_import_by_the_server_outlives_kills_at_every_step(file, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    kills = data / killed_import.FILE
    kills.write_text(json.dumps(STEPS))
    with relay(data, module="tests.clients.killed_import") as way:
        token = issue(data, "chief_arbiter", "he.jing")
        importing = [warm.programs() / "arbiter", "import", str(file), "--url", way.url, "--id", "cup"]
        environment = os.environ | {"ARBITER_TOKEN": token}
        ran = subprocess.run(
            importing, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert ran.returncode == 0, ran.stderr
        assert json.loads(kills.read_text()) == []
        with Client(way.url, token) as chief:
            written = chief.get("/v1/tournaments/cup/events", accept="application/x-ndjson").content.splitlines()
            assert chief.get("/v1/tournaments/cup/audit").json["verdict"] == "agrees"
    assert told(written) == told(undisturbed(file, tmp_path))


def undisturbed(file: Path, folder: Path) -> list[bytes]:
    """The log of an import that nothing disturbs."""
    data = folder / "undisturbed"
    assert run(["import", str(file), "--data", str(data), "--id", "cup"]) == 0
    with local(data, "reader", "auditor") as house:
        return house.get("/v1/tournaments/cup/events", accept="application/x-ndjson").content.splitlines()


def chief_sees_none(chief: Client) -> bool:
    """Whether nothing was announced yet."""
    try:
        chief.get("/v1/tournaments/cup")
    except Problem as problem:
        assert problem.code == "unknown-tournament"
        return True
    return False


CUP = {"id": "cup", "name": "Cup", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "campus"}


def test_a_command_whose_outcome_nobody_told_is_done_once_when_it_is_sent_again_with_its_key(tmp_path):
    with relay(tmp_path / "data", ("written",), each=2) as way:
        token = issue(tmp_path / "data", "chief_arbiter", "he.jing")
        with Client(way.url, token, patience=0) as impatient:
            impatient.post("/v1/tournaments", CUP)
            entries = {"players": [{"name": "李文轩"}]}
            with pytest.raises(NoAnswer) as trouble:
                impatient.post("/v1/tournaments/cup/entries", entries)
            assert (trouble.value.written, bool(trouble.value.key)) == ("unknown", True)
            again = impatient.post("/v1/tournaments/cup/entries", entries, key=trouble.value.key)
            assert again.repeated
            assert impatient.get("/v1/tournaments/cup").json["players"] == 1


def test_a_server_that_is_gone_is_waited_for_by_who_has_reached_it_and_by_nobody_else(tmp_path):
    (tmp_path / "data").mkdir()
    house = House(tmp_path / "data")
    url = "http://{}:{}".format(*house.address)
    with Client(url, patience=1) as known, Client(url, patience=1000) as stranger:
        known.get("/v1/regulations")
        house.kill()
        with pytest.raises(NoAnswer, match="no answer") as waited:
            known.get("/v1/regulations")
        with pytest.raises(NoAnswer, match="no answer") as refused:
            stranger.post("/v1/tournaments", CUP)
    assert (waited.value.written, waited.value.key) == ("no", None)
    assert refused.value.written == "no"
