"""Integration tokens on Kafka: created at one service, in force and revoked at all of them."""

import json

from shared.client import Client
from shared.http.identity.tokens import issue
from tests.conditional_writes import outcome, post_with_if_match
from tests.deploy.servers import STACK
from tests.log.distributed import until

pytestmark = STACK
T = "/v1/tournaments/bots"


def test_integration_token_reports_a_result_and_is_refused_by_every_service_once_revoked(stack):
    organiser = Client(stack.url, issue(stack.data, "organiser", "office", None, 1))
    cup = {"id": "bots", "name": "Bots", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "fide-2026"}
    organiser.post("/v1/tournaments", cup)
    organiser.post(f"{T}/entries", {"players": [{"name": name} for name in ("Ana", "Bo", "Cy", "Di")]})
    post_with_if_match(organiser, T, f"{T}/rounds", {"boards": [[1, 2], [3, 4]], "reason": "by lot"})
    (row,) = organiser.post(f"{T}/tokens", {"name": "office.bot", "roles": ["arbiter"]}).json["tokens"]
    program = Client(stack.url, row["token"], patience=0)

    def report(board: int):
        result = {"round": 1, "results": [{"board": board, "result": "1-0"}]}
        return outcome(lambda: program.post(f"{T}/results", result))

    def rule():
        return outcome(lambda: program.post(f"{T}/rulings", {"player": 1, "round": 1, "infraction": "warned_act"}))

    assert report(1).status == 201
    written = json.loads(organiser.get(f"{T}/events", accept="application/x-ndjson").content.splitlines()[-1])
    assert (written["actor"], written["role"], written["tokenid"]) == ("office.bot", "arbiter", row["id"])

    organiser.delete(f"{T}/tokens/{row['id']}")
    until(lambda: (report(2).status, rule().status) == (401, 401))
    (state,) = [one["state"] for one in organiser.get(f"{T}/tokens").json["tokens"]]
    assert state == "revoked"
