"""People across tournaments of four services apart: projected by standings' worker, in a consumer group of its own."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import sqlalchemy as sa
from kafka.admin import KafkaAdminClient

from deploy.server.people.people_consumer import PeopleConsumer
from shared.client import Client
from shared.core.terms import STANDINGS
from shared.desk.views import Folds
from shared.http.identity.tokens import issue
from shared.log.distributed import DistributedLog
from shared.log.kafka.broker import PEOPLE_GROUP
from shared.log.sql.people_tables import PEOPLE, PEOPLE_ENTRIES, PEOPLE_RESULTS
from tests.conditional_writes import outcome, post_with_if_match
from tests.deploy.servers import STACK, broker_as
from tests.log.distributed import until
from tests.stack.stack import Stack

pytestmark = STACK
FIDE_IDS = ("8603677", "1503014")


def play(chief: Client, t: str) -> None:
    """Play a tournament in which the first entry beats the second."""
    announced = {"id": t, "name": t, "game": "chess", "format": "swiss", "rounds": 1, "regulations": "fide-2026"}
    chief.post("/v1/tournaments", announced | {"officials": [{"name": "hou", "role": "organiser"}]})
    players = [{"name": f"Player {n}", "rating": 2000, "fide_id": fide_id} for n, fide_id in enumerate(FIDE_IDS, 1)]
    path = f"/v1/tournaments/{t}"
    chief.post(f"{path}/entries", {"players": players})
    post_with_if_match(chief, path, f"{path}/rounds", {"boards": [[1, 2]], "reason": "as drawn"})
    result = {"round": 1, "results": [{"board": 1, "result": "1-0"}]}
    until(lambda: outcome(lambda: chief.post(f"{path}/results", result)).status == 201)


def listed(chief: Client, state: str) -> set[str]:
    """Return the tournaments in this state, as the calendar lists them."""
    return {t["id"] for t in chief.get(f"/v1/tournaments?state={state}&limit=100").json["tournaments"]}


def lag(stack: Stack) -> int:
    """Return the records that the group has not read, as Kafka's own tools compute it."""
    client = KafkaAdminClient(**broker_as(stack).options())
    try:
        read = client.list_group_offsets([PEOPLE_GROUP])[PEOPLE_GROUP]
        ends = client.list_partition_offsets(dict.fromkeys(read, -1))
        return sum(ends[place].offset - at.offset for place, at in read.items()) if read else -1
    finally:
        client.close()


@contextmanager
def second_member(stack: Stack) -> Iterator[None]:
    """Run a second worker's member of the group, in this process."""
    as_standings, stop = broker_as(stack, "standings"), threading.Event()
    log = DistributedLog(stack.database("standings"), STANDINGS, as_standings)
    desk: Any = SimpleNamespace(log=log, folds=Folds(log), caught_up=lambda: log.catch_up(1.0))
    thread = threading.Thread(target=PeopleConsumer(desk, as_standings, stop).run)
    thread.start()
    yield
    stop.set()
    thread.join()
    log.close()


def members(stack: Stack) -> int:
    """Return how many members of the group have partitions."""
    client = KafkaAdminClient(**broker_as(stack).options())
    try:
        group = client.describe_groups([PEOPLE_GROUP])[PEOPLE_GROUP]
        return len(group["members"]) if group["group_state"] == "Stable" else 0
    finally:
        client.close()


def rows(stack: Stack) -> list[Any]:
    engine = sa.create_engine(stack.database("standings"))
    with engine.connect() as connection:
        found = [
            tuple(row)
            for table in (PEOPLE, PEOPLE_ENTRIES, PEOPLE_RESULTS)
            for row in connection.execute(sa.select(table).order_by(*table.primary_key))
        ]
    engine.dispose()
    return found


def test_people_are_projected_by_a_consumer_group_and_survive_their_worker(stack: Stack, arbiter: Any):
    chief = Client(stack.url, issue(stack.data, "chief_arbiter", "hou", None, 1))
    play(chief, "first")
    play(chief, "second")

    def found(fide_id: str) -> list[Any]:
        people: list[Any] = chief.get(f"/v1/people?fide_id={fide_id}").json["people"]
        return people

    until(lambda: all(found(one) for one in FIDE_IDS))
    winner, loser = (found(one)[0]["person"] for one in FIDE_IDS)

    def totals() -> tuple[int, int, int]:
        both = chief.get(f"/v1/people/{winner}/opponents/{loser}").json
        return both["games"], both["won"], both["lost"]

    until(lambda: totals() == (2, 2, 0))
    until(lambda: {"first", "second"} <= listed(chief, "running"))  # other tests of the stack have some, too
    until(lambda: lag(stack) == 0)
    stack.processes["standings-worker"].kill()
    correction = {"round": 1, "results": [{"board": 1, "result": "0-1"}], "reason": "the slip was misread"}
    post_with_if_match(chief, "/v1/tournaments/second", "/v1/tournaments/second/corrections", correction)
    stack.restart("standings-worker")
    until(lambda: totals() == (2, 1, 1))
    until(lambda: lag(stack) == 0)

    with second_member(stack):
        until(lambda: members(stack) == 2)
        for t in ("third", "fourth", "fifth"):
            play(chief, t)
        until(lambda: totals() == (5, 4, 1))
    until(lambda: members(stack) == 1)
    play(chief, "sixth")
    until(lambda: totals() == (6, 5, 1))

    before = rows(stack)
    code, _, told = arbiter("rebuild", "people", "--database", f"standings={stack.database('standings')}")
    assert code == 0, told
    assert rows(stack) == before

    events = chief.get("/v1/tournaments/first/events?type=arbiter.player.entered.v2").json["events"]
    identifier = events[0]["event"]["data"]["fide_id"]["text"]
    organiser = Client(stack.url, issue(stack.data, "organiser", "hou", None, 1))
    organiser.delete(f"/v1/tournaments/first/texts/{identifier}")
    until(lambda: totals() == (5, 4, 1))
    until(lambda: chief.get(f"/v1/people/{winner}").json["tournaments"] == 5)
