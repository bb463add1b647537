"""``deploy/docs/backup.md``: its commands, run as they are written, on the running stack."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from deploy.cli.http import Remote
from deploy.local import postgres
from deploy.settings import SERVICES, broker
from shared.http.auth import issue
from shared.log import topics
from shared.log.apart import ApartLog
from shared.log.broker import TOURNAMENTS
from shared.terms import PAIRING
from tests.deploy.servers import STACK
from tests.log.apart import until

pytestmark = STACK
PAGE = Path(__file__).parents[2] / "deploy" / "docs" / "backup.md"
WORKERS = [f"{service}-worker" for service in SERVICES]
ANNOUNCED = {"id": "kept", "name": "Kept", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "campus"}


def commands(section: str) -> list[str]:
    """The commands of a section of the page."""
    part = PAGE.read_text().split(f"## {section}\n")[1].split("\n## ")[0]
    return [line for block in re.findall(r"```sh\n(.*?)```", part, re.DOTALL) for line in block.splitlines()]


class Operator:
    """Types the commands of the page for one service; what docker would do the stack does."""

    def __init__(self, stack, backup: Path, service: str) -> None:
        self._stack, self._service = stack, service
        place = Path(postgres.program("postgres")).parent
        self._said = {
            "PATH": f"{place}{os.pathsep}{os.environ['PATH']}",
            "PGHOST": "127.0.0.1",
            "PGPORT": str(stack.postgres.port),
            "PGUSER": "postgres",
            "PGPASSWORD": stack.secrets["ARBITER_POSTGRES"],
            "BACKUP": str(backup),
            "SERVICE": service,
        }

    def types(self, command: str) -> None:
        docker = re.fullmatch(r"docker compose (stop|start) (.*)", command)
        if docker is None:
            subprocess.run(command, shell=True, env=self._said, check=True)
            return
        for name in docker[2].replace("$SERVICE", self._service).split():
            (self._stack.stop if docker[1] == "stop" else self._stack.restart)(name)


@pytest.fixture
def chief(stack):
    return Remote(stack.url, issue(stack.data, "organiser", "hou", None, 1))


def lines(chief) -> list[bytes]:
    return chief.get("/v1/tournaments/kept/events", {"Accept": "application/x-ndjson"}).splitlines()


def texts(chief) -> dict[str, str]:
    """Text -> its hash."""
    told = chief.get("/v1/tournaments/kept/texts", {"Accept": "application/x-ndjson"}).splitlines()
    return {text["text"]: text["hash"] for text in map(json.loads, told)}


def enter(chief, name: str) -> None:
    assert chief.call("POST", "/v1/tournaments/kept/entries", {"players": [{"name": name}]}).status == 201


def test_a_database_from_an_hour_ago_takes_back_what_it_lacks_and_forgets_what_was_erased(stack, chief, tmp_path):
    operator = Operator(stack, tmp_path, "pairing")
    assert chief.call("POST", "/v1/tournaments", ANNOUNCED).status == 201
    enter(chief, "Anna")
    for command in commands("Backup"):
        operator.types(command)

    enter(chief, "Berta")
    assert chief.call("DELETE", f"/v1/tournaments/kept/texts/{texts(chief)['Anna']}").status == 200
    until(lambda: "Anna" not in texts(chief))
    before = lines(chief)
    for command in commands("Restore"):
        operator.types(command)

    # What came after the backup is there again, and the next line follows the last one.
    enter(chief, "Clara")
    until(lambda: len(lines(chief)) == len(before) + 1)
    assert lines(chief)[:-1] == before
    own = [json.loads(line)["sourceseq"] for line in lines(chief) if b'"/services/pairing"' in line]
    assert own == list(range(1, len(own) + 1))
    restored = ApartLog(stack.database("pairing"), PAIRING)
    assert {text.text for text in restored.tournament_texts("kept")} == {"Berta", "Clara"}
    restored.close()
    assert chief.call("GET", "/v1/tournaments/kept/audit").json["verdict"] == "agrees"


def test_a_topic_that_was_deleted_is_made_again_by_the_command_that_the_page_names(stack, chief, arbiter, monkeypatch):
    monkeypatch.setenv("ARBITER_KAFKA", stack.kafka)
    monkeypatch.setenv("ARBITER_KAFKA_PASSWORD", stack.secrets["ARBITER_KAFKA_ADMIN"])
    before = lines(chief)
    assert len(before) > 3
    with topics.admin(broker()) as client:
        client.delete_topics([TOURNAMENTS])
    for name in WORKERS:
        stack.stop(name)
    databases = [f"--database={name}={stack.database(name)}" for name in SERVICES]
    code, _, err = arbiter("rebuild", "topics", *databases)
    assert code == 0, err
    for name in WORKERS:
        stack.restart(name)
    assert arbiter("topics")[0] == 0
    assert lines(chief) == before
    until(lambda: chief.call("POST", "/v1/tournaments/kept/entries", {"players": [{"name": "Dora"}]}).status == 201)
    until(lambda: len(lines(chief)) == len(before) + 1)
