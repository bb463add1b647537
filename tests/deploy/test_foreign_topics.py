"""Somebody else writes to the topics, or changes them, while the whole system runs: mended as ``deploy/docs/topics.md`` says."""

import json
import time

import jwt
import pytest
import uuid_utils
from kafka import KafkaProducer
from kafka.admin import ConfigResource, ConfigResourceType
from kafka.errors import TopicAuthorizationFailedError

from deploy.server.settings import SERVICES
from shared.audit.keys import key_files
from shared.client import Answer, Client, Problem
from shared.core.terms import GAMES
from shared.http.identity.tokens import issue
from shared.log.kafka import topics
from shared.log.kafka.broker import TOKENS, TOURNAMENTS
from shared.signing.service_keys import OwnKey, signed, signer
from tests.conditional_writes import outcome
from tests.deploy.operating import TOPICS_PAGE, WORKERS, Operator, commands
from tests.deploy.servers import STACK, broker_as
from tests.deploy.test_what_is_lost import Cup, goes_on, last_of_games, refused
from tests.log.distributed import until

pytestmark = STACK
CORRECTED = b'"type":"arbiter.result.corrected'


@pytest.fixture
def operator(stack):
    return Operator(stack, NAME="Li Wei", REASON="a stolen password")


@pytest.fixture
def admin(stack):
    with topics.admin(broker_as(stack)) as client:
        yield client


@pytest.fixture
def intruder(stack):
    """A producer that may write to every topic."""
    producer = KafkaProducer(**broker_as(stack).options())
    yield producer
    producer.close()


COMMANDS = {"pairing": "rounds", "games": "results", "penalties": "rulings", "standings": "publications"}


def refused_by(stack, token: str) -> list[str]:
    """The services that say that the token was revoked."""

    def said(name: str, path: str) -> Answer | Problem:
        with Client(stack.address(name), token, patience=0) as service:
            return outcome(lambda: service.post(f"/v1/tournaments/T/{path}", {}))

    answers = {name: said(name, path) for name, path in COMMANDS.items()}
    return [name for name, one in answers.items() if isinstance(one, Problem) and one.code == "token-revoked"]


def test_a_token_that_was_revoked_a_second_ago_is_refused_everywhere_and_nobody_gives_it_back(
    stack, operator, insider, intruder
):
    thief, office = issue(stack.data, "chief_arbiter", "wang"), Client(stack.url, issue(stack.data, "organiser", "li"))
    assert refused_by(stack, thief) == []
    jti = jwt.decode(thief, options={"verify_signature": False})["jti"]
    # when it is revoked through the gateway
    began = time.monotonic()
    office.delete(f"/v1/tokens/{jti}")
    until(lambda: refused_by(stack, thief) == list(COMMANDS), "for every service to know")
    assert time.monotonic() - began < 10
    # then games' password writes nothing there, and what somebody writes who may is no revocation and takes none back
    with pytest.raises(TopicAuthorizationFailedError):
        insider.send(TOKENS, key=f"jti/{jti}".encode(), value=None).get(timeout=20)
    for value in (None, b"poison"):
        intruder.send(TOKENS, key=f"jti/{jti}".encode(), value=value).get(timeout=20)
    services = [f"topics read by {service}" for service in SERVICES]
    until(lambda: all(name in operator.doctor() for name in services), "for doctor to name it")
    for service in SERVICES:
        status, facts = operator.ready(service)
        assert (status, facts["tokens"]["problem"]) == (200, None)
        assert any(TOKENS in line for line in facts["topics"])
    # nor does a worker that begins anew, nor a topic that is made again
    stack.restart("games", *WORKERS)
    assert refused_by(stack, thief) == list(COMMANDS)
    operator.follows("Tokens", TOPICS_PAGE)
    until(lambda: refused_by(stack, thief) == list(COMMANDS), "for the services to be back")
    # and who is revoked on the command line is known as well
    other = issue(stack.data, "arbiter", "zhou")
    code, told = operator.types("arbiter token --revoke-name zhou")
    assert code == 0, told
    until(lambda: refused_by(stack, other) == list(COMMANDS), "for the command line's")
    operator.types(commands("Findings", TOPICS_PAGE)[1])


class NoText(str):
    """A header's name that is no UTF-8, which Kafka takes all the same."""

    def encode(self, *_):
        return b"\xff\xfe"


def corrects(cup: Cup, reason: str):
    return cup._tagged("corrections", {"round": 1, "results": [{"board": 2, "result": "0-1"}], "reason": reason})


def forged(stack, cup: Cup, stolen: bool) -> bytes:
    """Right source, next number, right root; signed where games' key was stolen as well as its password."""
    line = last_of_games(cup)
    line.pop("signature", None)
    line |= {"id": str(uuid_utils.uuid7()), "causationid": str(uuid_utils.uuid7()), "sourceseq": line["sourceseq"] + 1}
    record = json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode()
    if not stolen:
        return record
    key = OwnKey.of(GAMES, key_files.read(stack.data / "keys" / "games.key"))
    (record,) = signed([record], signer(key.private, key.public))
    return record


def test_forged_records_before_genuine_ones_lose_no_acknowledged_event(stack, operator, insider):
    """One is signed by the stolen key of games, the other by nobody."""
    cups = {False: Cup(stack, "insider-alone"), True: Cup(stack, "insider-with-key")}
    other, names = Cup(stack, "beside-insiders"), [cup.name for cup in cups.values()]
    # given corrections that were answered, and wait because the worker that sends them is down
    stack.stop("games-worker")
    assert {corrects(cup, "the genuine one").status for cup in cups.values()} == {201}
    # when somebody else comes first
    for stolen, cup in cups.items():
        record = forged(stack, cup, stolen)
        insider.send(TOURNAMENTS, key=cup.name.encode(), value=record, partition=cup.partition).get(30)
    stack.restart("games-worker")
    # then every service stops these tournaments, and no other
    until(lambda: all(sorted(operator.ready(service)[1]["parked"]) == names for service in SERVICES))
    goes_on(other)
    told_by_doctor = operator.doctor()
    resume, resubmit, _ = commands("A suspended tournament", TOPICS_PAGE)
    for stolen, cup in cups.items():
        refused(cup)
        assert f"games, tournament {cup.name}" in told_by_doctor
        # when the operator follows the page
        operator.environment["T"] = cup.name
        code, told = operator.types(resume)
        assert code == 0, told
        # then what the forged record came before is listed; what bears no signature has come before nothing
        assert ("1 command is missing from every ledger" in told and "hou (chief_arbiter)" in told) is stolen
        if stolen:
            assert "missing from every ledger" in operator.doctor()[f"games, tournament {cup.name}"][0]
        code, told = operator.types(resubmit)
        assert code == 0, told
        assert ("was sent again as" in told) is stolen
        # and the correction is in the log, once
        until(lambda cup=cup: sum(CORRECTED in one for one in cup.lines()) == 1)
        goes_on(cup)
    # and everything is well
    acknowledged(operator)


def test_poison_is_named_and_acknowledged_and_holds_nobody_up(stack, operator, insider):
    cup = Cup(stack, "poisoned")
    until(lambda: operator.ready("standings")[1]["topics"] == [])
    at = {"key": cup.name.encode(), "partition": cup.partition}
    insider.send(TOURNAMENTS, value=b"nothing", **at)
    insider.send(TOURNAMENTS, value=None, **at)
    insider.send(TOURNAMENTS, value=b"x" * 900_000, **at)
    insider.send(TOURNAMENTS, value=b"{" * 100_000, **at)
    insider.send(TOURNAMENTS, value=cup.lines()[0], headers=[(NoText("x"), b"y")], **at)
    insider.send(TOURNAMENTS, value=cup.lines()[0], key=b"somebody", partition=cup.partition)
    insider.flush(30)
    # then the services go on, and each names it
    until(lambda: all(len(operator.ready(service)[1]["topics"]) == 2 for service in SERVICES))
    assert {operator.ready(service)[0] for service in SERVICES} == {200}
    assert all(cup.name not in operator.ready(service)[1]["parked"] for service in SERVICES)
    goes_on(cup)
    # also those that begin anew
    stack.restart(*WORKERS)
    goes_on(cup)
    acknowledged(operator)


def test_keys_are_rotated_beside_the_running_services_and_everybody_follows(stack, operator):
    cup = Cup(stack, "rotated")
    for service in ("games", "pairing"):
        code, told = operator.types(f"arbiter keys --rotate {service}")
        assert code == 0, told

    # when games writes next, it announces its key by the one before; and pairing announces a new tournament by its new one
    def announced() -> bool:
        written = corrects(cup, "by the new key").status == 201
        return written and any(b'"type":"arbiter.key.announced' in one for one in cup.lines())

    until(announced)
    other = Cup(stack, "rotated-anew")
    goes_on(cup)
    goes_on(other)
    assert all(operator.ready(service)[1]["parked"] == [] for service in SERVICES)
    assert operator.doctor() == {}


def test_a_topic_that_forgets_is_refused_while_running_and_goes_on_once_it_is_mended(stack, operator, admin):
    cup = Cup(stack, "compacted")
    before = cup.lines()

    def setting(value: str) -> None:
        admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, TOURNAMENTS, {"cleanup.policy": value})])

    setting("compact")
    until(lambda: {operator.ready(service)[0] for service in SERVICES} == {503})
    assert all("has cleanup.policy=compact, not delete" in why for why in refused(cup))
    _, remedy = operator.doctor()["follower of games"]
    assert "kafka-configs.sh --alter" in remedy
    assert cup.lines() == before
    setting("delete")
    until(lambda: {operator.ready(service)[0] for service in SERVICES} == {200})
    goes_on(cup)
    assert operator.doctor() == {}


def test_more_partitions_are_refused_while_running_and_the_topics_made_again(stack, operator, admin):
    cup = Cup(stack, "partitioned")
    before = cup.lines()
    admin.create_partitions({TOURNAMENTS: 13})
    until(lambda: {operator.ready(service)[0] for service in SERVICES} == {503})
    assert all("has 13 partitions, not the 12 of the settings" in why for why in refused(cup))
    operator.follows("The topics")
    until(lambda: {operator.ready(service)[0] for service in SERVICES} == {200})
    assert cup.lines()[: len(before)] == before
    goes_on(cup)
    assert operator.doctor() == {}


def acknowledged(operator: Operator) -> None:
    """The operator looks at the findings, and says so; then everything is well."""
    listed, acknowledge = commands("Findings", TOPICS_PAGE)
    assert operator.types(listed)[0] == 1
    code, told = operator.types(acknowledge)
    assert code == 0, told
    assert operator.types(listed)[0] == 0
    assert operator.doctor() == {}
