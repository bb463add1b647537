"""A command as large as one may be, through the gateway, PostgreSQL and Kafka; and one that is larger."""

import json

import pytest

from shared.client import Client, Problem
from shared.desk.event_writer import MAX_COMMAND
from shared.http.identity.tokens import issue
from tests.deploy.servers import STACK
from tests.log.distributed import until

pytestmark = STACK
T = "t" * 64
"""Names as long as they may be, for lines as long as they may be."""
AT = f"/v1/tournaments/{T}"
ENTRY = {"name": "n", "club": "c"}


@pytest.fixture(scope="module")
def chief(stack):
    return Client(stack.url, issue(stack.data, "organiser", "o" * 100, None, 1))


def test_a_command_of_almost_eight_mebibytes_arrives_everywhere_and_a_larger_one_nowhere(stack, chief):
    # given how long the line of one entry is that bears no signature: the last of a record bears one
    cup = {"id": T, "name": "Large", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "campus"}
    chief.post("/v1/tournaments", cup)
    chief.post(f"{AT}/entries", {"players": [ENTRY] * 2})
    line = next(line for line in lines(chief) if b"player.entered" in line)
    # when as many enter at once as there is room for in one record, and when one in twenty more do
    count = MAX_COMMAND // (len(line) + len('"9999"') * 2)
    with pytest.raises(Problem) as larger:
        chief.post(f"{AT}/entries", {"players": [ENTRY] * (count * 21 // 20)})
    chief.post(f"{AT}/entries", {"players": [ENTRY] * count})
    # then the one is in the log, and of the other nothing
    assert (larger.value.status, larger.value.code) == (413, "command-too-large")
    until(lambda: chief.get(AT).json["players"] == count + 2)
    command = [line for line in lines(chief) if json.loads(line)["sourceseq"] > 4]
    assert len(command) == count
    assert 0.97 * MAX_COMMAND < sum(len(line) + 1 for line in command) <= MAX_COMMAND + count


def lines(chief) -> list[bytes]:
    return chief.get(f"{AT}/events", accept="application/x-ndjson").content.splitlines()
