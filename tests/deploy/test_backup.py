"""``deploy/docs/backup.md``: backup and restore, their commands run as they are written, on the running stack."""

import json

import pytest

from shared.client import Client
from shared.core.terms import PAIRING
from shared.http.identity.tokens import issue
from shared.log.distributed import DistributedLog
from tests.deploy.operating import Operator
from tests.deploy.servers import STACK
from tests.log.distributed import until

pytestmark = STACK
ANNOUNCED = {"id": "kept", "name": "Kept", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "campus"}


@pytest.fixture
def chief(stack):
    return Client(stack.url, issue(stack.data, "organiser", "hou", None, 1))


def lines(chief) -> list[bytes]:
    return chief.get("/v1/tournaments/kept/events", accept="application/x-ndjson").content.splitlines()


def texts(chief) -> dict[str, str]:
    """Text -> its hash."""
    told = chief.get("/v1/tournaments/kept/texts", accept="application/x-ndjson").content.splitlines()
    return {text["text"]: text["hash"] for text in map(json.loads, told)}


def enter(chief, name: str) -> None:
    chief.post("/v1/tournaments/kept/entries", {"players": [{"name": name}]})


def test_a_database_from_an_hour_ago_takes_back_what_it_lacks_and_forgets_what_was_erased(stack, chief, tmp_path):
    operator = Operator(stack, BACKUP=str(tmp_path), SERVICE="pairing")
    chief.post("/v1/tournaments", ANNOUNCED)
    enter(chief, "Anna")
    operator.follows("Backup")

    enter(chief, "Berta")
    chief.delete(f"/v1/tournaments/kept/texts/{texts(chief)['Anna']}")
    until(lambda: "Anna" not in texts(chief))
    before = lines(chief)
    operator.follows("Restore")

    # What came after the backup is there again, and the next line follows the last one.
    enter(chief, "Clara")
    until(lambda: len(lines(chief)) == len(before) + 1)
    assert lines(chief)[:-1] == before
    own = [json.loads(line)["sourceseq"] for line in lines(chief) if b'"/services/pairing"' in line]
    assert own == list(range(1, len(own) + 1))
    restored = DistributedLog(stack.database("pairing"), PAIRING)
    assert {text.text for text in restored.tournament_texts("kept")} == {"Berta", "Clara"}
    restored.close()
    assert chief.get("/v1/tournaments/kept/audit").json["verdict"] == "agrees"
