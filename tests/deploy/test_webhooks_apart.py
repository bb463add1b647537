"""Webhooks of four services apart: registered with standings' web process, sent by its worker, over Kafka and PostgreSQL."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from shared.client import Client
from shared.http.identity.tokens import issue
from tests.conditional_writes import outcome, post_with_if_match
from tests.deploy.servers import STACK
from tests.deploy.webhook_receiver import Receiver, status
from tests.log.distributed import until
from tests.stack.stack import Stack

pytestmark = STACK
SENDERS = ("standings", "standings-worker")


@pytest.fixture
def receiver(stack: Stack, tmp_path: Path) -> Iterator[Receiver]:
    """One on this machine, which the two processes of standings are allowed to reach."""
    made = Receiver(tmp_path)
    own = {"ARBITER_WEBHOOK_NETWORKS": "127.0.0.0/8", "SSL_CERT_FILE": str(made.authority)}
    before = {name: stack.processes[name].environment for name in SENDERS}
    for name, environment in before.items():
        stack.processes[name].environment = {**environment, **own}
    stack.restart(*SENDERS)
    yield made
    for name, environment in before.items():
        stack.processes[name].environment = environment
    stack.restart(*SENDERS)
    made.close()


def test_lines_of_every_service_are_sent_in_their_order_and_a_worker_that_dies_goes_on_where_it_was(
    stack: Stack, receiver: Receiver
):
    chief = Client(stack.url, issue(stack.data, "chief_arbiter", "hou", None, 1))
    announced = {"id": "hooks", "name": "Hooks", "game": "xiangqi", "format": "swiss", "rounds": 3}
    chief.post("/v1/tournaments", {**announced, "regulations": "campus"})
    path = "/v1/tournaments/hooks"
    until(lambda: chief.get(path).json["seq"] > 1)
    receiver.answers = [status(204), status(500)]
    hook = chief.post(f"{path}/webhooks", {"url": receiver.url("127.0.0.1"), "after": 0}).json
    receiver.wait(2)

    def told() -> dict:
        return chief.get(f"{path}/webhooks/{hook['id']}").json

    until(lambda: told()["state"] == "failing")
    assert (told()["failing"]["seq"], told()["sent"]) == (2, {"hooks": 1})
    with urlopen(stack.address("standings-worker") + "/metrics", timeout=10) as answer:
        assert "\narbiter_webhooks_failing 1.0" in answer.read().decode()
    chief.post(f"{path}/webhooks/{hook['id']}/resume", {})
    stack.processes["standings-worker"].kill()
    chief.post(f"{path}/entries", {"players": [{"name": "Anna"}, {"name": "Berta"}]})
    stack.restart("standings-worker")
    until(lambda: chief.get(path).json["players"] == 2)
    post_with_if_match(chief, path, f"{path}/rounds", {})
    result = {"round": 1, "results": [{"board": 1, "result": "1-0"}]}
    until(lambda: outcome(lambda: chief.post(f"{path}/results", result)).status == 201)
    until(lambda: b"result.reported" in chief.get(f"{path}/events", accept="application/x-ndjson").content)
    lines = chief.get(f"{path}/events", accept="application/x-ndjson").content.splitlines()
    until(lambda: told()["sent"] == {"hooks": len(lines)})
    messages = receiver.verified(hook["secret"])
    seqs = [one["data"]["seq"] for one in messages]
    assert sorted(set(seqs)) == list(range(1, len(lines) + 1)) and seqs == sorted(seqs)
    assert {json.dumps(one["data"]["event"]) for one in messages} == {json.dumps(json.loads(line)) for line in lines}
