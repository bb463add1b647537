"""Generated clients on Kafka: each plays its Swiss through the gateway of the whole stack (embedded: `tests.clients`)."""

import json
import shutil

import pytest

from tests.clients.test_generated import HERE, STORY, played, python_client, typescript_client
from tests.deploy.servers import STACK

pytestmark = STACK


@pytest.fixture(scope="module")
def tables():
    """Gather the final table of each client."""
    gathered = []
    yield gathered
    assert gathered == gathered[:1] * len(gathered), "both clients play the same story"


@pytest.mark.parametrize("client", [python_client, typescript_client])
def test_generated_client_plays_a_swiss_of_nine_rounds_on_kafka(client, stack, tables, tmp_path):
    folder, id = tmp_path / "client", client.__name__
    shutil.copytree(HERE, folder)
    (folder / "story.json").write_text(json.dumps({**STORY, "id": id}))
    table, _ = played(client(folder, checked=False), stack.url, stack.data, folder, id)
    tables.append(table)
