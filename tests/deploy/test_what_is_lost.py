"""What gets lost while the whole system runs: noticed, named, and mended by the commands of ``deploy/docs/backup.md``."""

import json
from collections import Counter

import psycopg
import pytest
from kafka import KafkaProducer, TopicPartition

from deploy.server.settings import SERVICES, broker
from shared.client import Answer, Client, Problem
from shared.http.identity.tokens import issue
from shared.log.kafka import topics
from shared.log.kafka.broker import MOVES, TOURNAMENTS
from shared.log.kafka.consumer import partition_of
from tests.conditional_writes import outcome, post_with_if_match
from tests.deploy.operating import TOPICS_PAGE, WORKERS, Operator, commands
from tests.deploy.servers import STACK, broker_as
from tests.log.distributed import cut_last_batch, until

pytestmark = STACK


class Cup:
    """A tournament of four players with one round paired, and a command for each service."""

    def __init__(self, stack, name: str) -> None:
        self.name, self.at, self.stream = name, f"/v1/tournaments/{name}", f"tournaments/{name}"
        self._caller = Client(stack.url, issue(stack.data, "chief_arbiter", "hou", None, 1), patience=0)
        body = {"id": name, "name": name, "game": "chess", "format": "swiss", "rounds": 5, "regulations": "campus"}
        self._caller.post("/v1/tournaments", body)
        assert all(self.enters().status == 201 for _ in range(4))
        until(lambda: self._tagged("rounds", {}).status == 201)  # once the service that is asked for its ETag knows it
        until(lambda: self._post(f"{self.at}/results", self._result("1-0")).status == 201)

    @property
    def partition(self) -> int:
        return partition_of(self.name, 12)

    @property
    def where(self) -> str:
        return f"{TOURNAMENTS}, partition {self.partition}"

    def lines(self) -> list[bytes]:
        return self._caller.get(f"{self.at}/events", accept="application/x-ndjson").content.splitlines()

    def count(self, source: str) -> int:
        return sum(json.loads(line)["source"] == source for line in self.lines())

    def enters(self):
        """A command of pairing that can be given again and again."""
        return self._post(f"{self.at}/entries", {"players": [{"name": "Anna"}]})

    def moves(self, ply: int, move: str):
        return self._post(f"/v1/games/{self.name}.1.1/moves", {"ply": ply, "moves": [move]})

    def each_service_commands(self) -> dict:
        """Service → a command of its own, to be given; it returns the answer."""
        ruling = {"player": 1, "round": 1, "infraction": "violation"}
        return {
            "pairing": self.enters,
            "games": lambda: self._tagged("corrections", {**self._result("0-1"), "reason": "misread"}),
            "penalties": lambda: self._post(f"{self.at}/rulings", ruling),
            "standings": lambda: self._tagged("publications", {}),
        }

    @staticmethod
    def _result(result: str) -> dict:
        return {"round": 1, "results": [{"board": 2, "result": result}]}

    def _tagged(self, what: str, body: dict):
        return outcome(lambda: post_with_if_match(self._caller, self.at, f"{self.at}/{what}", body))

    def _post(self, path: str, body: dict) -> Answer | Problem:
        return outcome(lambda: self._caller.post(path, body))


def goes_on(cup: Cup) -> None:
    """Every service takes commands again, once it has read what the one before has written, and what they write is there."""
    written = []
    for service, command in cup.each_service_commands().items():
        answers = []

        def taken(command=command, answers=answers) -> bool:
            answers.append(command())
            return answers[-1].status != 503

        until(taken, "for a command to be accepted", 180)
        assert answers[-1].status == 201, (service, answers[-1])
        written += [event["id"] for event in answers[-1].json["events"]]

    def times() -> set[int]:
        held = Counter(json.loads(line)["id"] for line in cup.lines())
        return {held[id] for id in written}

    until(lambda: times() == {1}, "for each event once", 180)


def refused(cup: Cup) -> set[str]:
    """What every service says when it takes no command; it must be the same status everywhere."""
    answers = {service: command() for service, command in cup.each_service_commands().items()}
    assert {answer.status for answer in answers.values()} == {503}, answers
    assert all("retry-after" in answer.headers for answer in answers.values())
    return {answer.detail for answer in answers.values()}


@pytest.fixture
def operator(stack):
    return Operator(stack)


@pytest.fixture
def rights(stack, monkeypatch):
    """The cluster, as its administrator."""
    monkeypatch.setenv("ARBITER_KAFKA", stack.kafka)
    monkeypatch.setenv("ARBITER_KAFKA_PASSWORD", stack.passwords["admin.kafka"])
    return broker()


def sql(stack, service: str, statement: str, *values) -> None:
    """A statement in a service's database, as nobody of us would."""
    with psycopg.connect(stack.postgres.url(service).replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(statement, values)


# ---------------------------------------------------------------- topics


def kafka_loses_the_end(stack, topic: str, partition: int) -> None:
    stack.processes["kafka"].kill()
    cut_last_batch(stack.folder / "volumes", topic, partition)
    stack.restart("kafka")


def emptied(stack, cup: Cup, rights) -> str:
    """All records before the end deleted; a worker that reads on sees it when it connects again."""
    with topics.admin(rights) as client:
        client.delete_records({TopicPartition(TOURNAMENTS, cup.partition): -1})
    stack.stop(*WORKERS)
    for name in WORKERS:
        stack.processes[name].start()
    return f"{cup.where} begins at"


def test_what_a_topic_lost_is_named_by_everybody_and_made_again(stack, operator, rights):
    """`tests/log/test_losses.py` does the same for a topic that was deleted."""
    # given a tournament whose every line was acknowledged
    cup = Cup(stack, "lost")
    before = cup.lines()
    # when its topic loses some of them
    said = emptied(stack, cup, rights)
    # then every service stops, says why and what mends it; reading goes on
    until(lambda: all(said in operator.ready(service)[1].get("detail", "") for service in SERVICES))
    assert {operator.ready(service)[0] for service in SERVICES} == {503}
    assert all(said in why and "`arbiter rebuild topics`" in why for why in refused(cup))
    wrong = operator.doctor()
    for service in SERVICES:
        found, remedy = wrong[f"follower of {service}"]
        assert said in found
        assert remedy == "arbiter rebuild topics"
    assert cup.lines() == before
    # when the operator follows the page, then nothing is lost, and commands are taken
    operator.follows("The topics")
    assert cup.lines() == before
    until(lambda: all(operator.ready(service)[0] == 200 for service in SERVICES))
    goes_on(cup)
    assert operator.doctor() == {}


def test_lost_end_of_score_sheets_halts_games_and_standings(stack, operator):
    cup = Cup(stack, "lost-sheet")
    until(lambda: cup.moves(1, "e2e4").status == 201)
    assert cup.moves(2, "e7e5").status == 201
    until(lambda: operator.ready("games")[1]["worker"]["waiting"] == 0)
    kafka_loses_the_end(stack, MOVES, partition_of(f"{cup.name}.1.1", 12))
    until(lambda: all(MOVES in operator.ready(name)[1].get("detail", "") for name in ("games", "standings")))
    assert cup.moves(3, "g1f3").status == 503
    assert cup.enters().status == 201
    operator.follows("The topics")
    until(lambda: cup.moves(3, "g1f3").status == 201)
    goes_on(cup)


# ---------------------------------------------------------------- one tournament


def send(stack, cup: Cup, line: dict) -> None:
    """A record that no relay has sent, by somebody who has games' password."""
    producer = KafkaProducer(**broker_as(stack, "games").options())
    record = json.dumps(line, separators=(",", ":")).encode()
    producer.send(TOURNAMENTS, key=cup.name.encode(), value=record, partition=cup.partition).get(30)
    producer.close()


def last_of_games(cup: Cup) -> dict:
    return [found for found in map(json.loads, cup.lines()) if found["source"] == "/services/games"][-1]


def used_again(cup: Cup) -> tuple[dict, str]:
    return {**last_of_games(cup), "actor": "somebody else"}, "has different bytes"


def of_another_root(cup: Cup) -> tuple[dict, str]:
    line = last_of_games(cup)
    root = line["basisroot"].translate(str.maketrans("ABCabc", "BCAbca"))
    return {
        **line,
        "sourceseq": line["sourceseq"] + 1,
        "basisroot": root,
        "causationid": "c",
    }, "that differs from that of this log"


def test_records_that_cannot_be_stop_their_tournaments_until_resumed(stack, operator):
    cups = {wrong: Cup(stack, wrong.__name__.replace("_", "-")) for wrong in (used_again, of_another_root)}
    other, said = Cup(stack, "undisturbed"), {}
    for wrong, cup in cups.items():
        line, said[cup] = wrong(cup)
        send(stack, cup, line)
    # then each service stops these, and only these
    names = sorted(cup.name for cup in said)
    until(lambda: all(sorted(operator.ready(service)[1]["parked"]) == names for service in SERVICES))
    assert {operator.ready(service)[0] for service in SERVICES} == {200}
    goes_on(other)
    wrong = operator.doctor()
    for cup, words in said.items():
        assert all(words in why or "signature" in why for why in refused(cup))
        found, remedy = wrong[f"standings, tournament {cup.name}"]
        assert words in found or "signature" in found
        assert f"`arbiter resume {cup.name}`" in remedy
    # when the operator resumes one, then every service takes commands for it, and the other stands
    for cup, left in zip(said, (names[:1], []), strict=True):
        operator.environment["T"] = cup.name
        operator.follows("A suspended tournament")
        until(lambda left=left: all(operator.ready(service)[1]["parked"] == left for service in SERVICES))
        goes_on(cup)
    operator.environment |= {"NAME": "Li Wei", "REASON": "looked at"}
    assert {found for found, _ in operator.doctor().values() if "has no number" not in found} == set()
    operator.types(commands("Findings", TOPICS_PAGE)[1])
    assert operator.doctor() == {}


# ---------------------------------------------------------------- ledgers


def test_a_ledger_that_is_gone_is_named_at_once_and_read_again(stack, operator):
    cup = Cup(stack, "no-ledger")
    before = cup.lines()
    sql(stack, "penalties", "DELETE FROM ledger")
    until(lambda: "`arbiter rebuild ledger penalties`" in operator.ready("penalties")[1].get("detail", ""))
    assert cup.each_service_commands()["penalties"]().status == 503
    assert operator.doctor()["follower of penalties"][1] == "arbiter rebuild ledger penalties"
    assert operator.ready("games")[0] == 200
    operator.environment["SERVICE"] = "penalties"
    operator.follows("A ledger")
    until(lambda: operator.ready("penalties")[0] == 200)
    assert cup.lines()[: len(before)] == before
    goes_on(cup)


def test_a_ledger_with_another_line_stops_its_service_and_the_operator_is_told_whose_it_is(stack, operator):
    # given a service whose ledger somebody has changed in its database
    cup = Cup(stack, "forged")
    operator.environment |= {"SERVICE": "penalties", "T": cup.name}
    stack.stop("penalties", "penalties-worker")
    sql(
        stack,
        "penalties",
        """UPDATE ledger SET line = replace(convert_from(line, 'UTF8'), '"chief_arbiter"', '"organiser"')::bytea
        WHERE stream = %s AND seq = 3""",
        cup.stream,
    )
    stack.restart("penalties-worker", "penalties")
    # when another service's line names the root of the log before it
    assert cup.enters().status == 201
    # then it stops the tournament, and nobody goes on before the ledgers agree
    until(lambda: cup.name in operator.ready("penalties")[1]["parked"])
    answer = cup.each_service_commands()["penalties"]()
    assert (answer.status, "that this log does not have" in answer.detail) == (503, True)
    code, told = operator.types(commands("A suspended tournament")[0])
    assert code == 1
    assert f"line 3 of {cup.name} is not the same in penalties as in pairing, games, standings" in told
    # when that ledger is read again, then it takes commands, and nothing is left to be resumed
    operator.follows("A ledger")
    until(lambda: cup.name not in operator.ready("penalties")[1]["parked"])
    goes_on(cup)
    assert not any(cup.name in what for what in operator.doctor())
