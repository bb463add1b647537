"""One service of the distributed system without the others: it reads, and takes no command before its worker is seen."""

import json
import re
from pathlib import Path

import pytest

from deploy.server import distributed
from deploy.server.settings import BadSetting, settings
from deploy.server.worker.worker import Worker
from shared.audit.keys import service_key_files
from shared.core.language.messages import say
from shared.core.terms import PAIRING
from shared.http.app import close
from shared.http.identity.tokens import ensure_keys, issue
from shared.log.distributed import DistributedLog
from shared.log.port import Text
from shared.log.sql import worker_state
from shared.log.sql.tables import WORKER
from tests.log.distributed import until
from tests.stack.process import free_port

pytestmark = pytest.mark.usefixtures("impatient")
BODY = {"id": "T", "name": "Cup", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "campus"}


def environment(folder: Path, **more: str) -> dict[str, str]:
    """A service with a database of its own, and a broker that nobody has started."""
    return {
        "ARBITER_SERVICE": "pairing",
        "ARBITER_DATABASE_URL": f"sqlite:///{folder / 'pairing.db'}",
        "ARBITER_KAFKA": f"127.0.0.1:{free_port()}",
        "ARBITER_DATA": str(folder),
        **more,
    }


def service(folder: Path, **more: str):
    ensure_keys(folder)
    service_key_files.ensure(folder)
    return distributed.make_app(settings(environment(folder, **more)))


@pytest.fixture
def pairing(tmp_path):
    app = service(tmp_path, ARBITER_OUTBOX="3")
    yield app.test_client(), tmp_path
    close(app, 1)


def worker_is_seen(folder: Path) -> DistributedLog:
    """The database as a worker leaves it that was at the topics' end."""
    log = DistributedLog(f"sqlite:///{folder / 'pairing.db'}", PAIRING)
    with log.begin() as connection:
        connection.execute(WORKER.update().values(answered=WORKER.c.asked))
    return log


def announce(client, folder: Path):
    token = issue(folder, "organiser", "hou", None, 1)
    return client.post("/v1/tournaments", json=BODY, headers={"Authorization": f"Bearer {token}"})


def test_before_its_worker_was_seen_a_service_takes_no_command_and_says_when_to_come_again(pairing):
    client, folder = pairing
    answer = announce(client, folder)
    assert (answer.status_code, answer.mimetype) == (503, "application/problem+json")
    assert answer.headers["Retry-After"].isdigit()
    assert "worker" in answer.json["detail"]
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json["worker"]["waiting"]) == (503, 0)
    assert client.get("/healthz").status_code == 200


def test_once_its_worker_was_seen_it_takes_commands_while_kafka_is_away(pairing):
    client, folder = pairing
    client.get("/readyz")
    worker_is_seen(folder).close()
    taken(client, folder)
    assert client.get("/readyz").json["worker"]["waiting"] > 0


def test_app_of_the_child_process_answers_like_its_service(pairing, monkeypatch):
    client, folder = pairing
    for name, value in environment(folder).items():
        monkeypatch.setenv(name, value)
    reading = distributed.make_reading_app()
    try:
        for path in ("/v1/regulations", "/v1/openapi.json", "/nowhere"):
            here, there = client.get(path), reading.test_client().get(path)
            assert (there.status_code, there.data) == (here.status_code, here.data)
        assert "RateLimit" not in there.headers, "the service charges its readers"
    finally:
        close(reading, 1)


def taken(client, folder):
    """Announce, once what was remembered of the worker is known anew."""
    until(lambda: client.get("/readyz").status_code == 200)
    answer = announce(client, folder)
    assert answer.status_code == 201
    assert "ETag" not in answer.headers


@pytest.mark.parametrize("part", ["relay", "follower"])
def test_what_has_halted_either_part_of_its_worker_is_said_everywhere_until_that_part_goes_on(pairing, arbiter, part):
    client, folder = pairing
    client.get("/readyz")
    halted = say("{topic} is gone: `{command}` mends it", topic="arbiter.moves", command="arbiter rebuild topics")
    log, why = worker_is_seen(folder), str(halted)
    until(lambda: client.get("/readyz").status_code == 200)
    with log.begin() as connection:
        worker_state.halt(connection, part, say("it contains no game"))
        worker_state.halt(connection, part, halted)
    until(lambda: client.get("/readyz").status_code == 503)
    assert why in client.get("/readyz").json["detail"]
    assert (announce(client, folder).status_code, why in announce(client, folder).json["detail"]) == (503, True)
    assert f'arbiter_halted{{part="{part}"}} 1.0' in client.get("/metrics").text
    _, out, _ = arbiter(
        "doctor", "--data", folder, "--database", f"pairing=sqlite:///{folder / 'pairing.db'}", "--json"
    )
    told = {f["what"]: (f["found"], f["remedy"]) for f in json.loads(out)["findings"]}
    assert told[f"{part} of pairing"] == (why, "arbiter rebuild topics")
    # Starting a worker mends nothing where its follower has halted.
    assert (told["worker of pairing"][1] is None) == (part == "follower")
    # A sign of life of the other part does not hide it.
    with log.begin() as connection:
        worker_state.beat(connection)
    assert {one: str(told) for one, told in log.halts().items()} == {part: why}
    with log.begin() as connection:
        worker_state.go_on(connection, part)
    log.close()
    taken(client, folder)
    assert 'arbiter_halted{part="relay"} 0.0' in client.get("/metrics").text


def test_where_too_much_waits_for_kafka_commands_are_refused_until_it_takes_them(pairing):
    client, folder = pairing
    client.get("/readyz")
    log = worker_is_seen(folder)
    with log.transaction() as tx:
        tx.put_texts([Text(str(n), "00", "waits", "T") for n in range(4)])
    log.close()
    until(lambda: "4 records are waiting for Kafka" in client.get("/readyz").json.get("detail", ""))
    answer = announce(client, folder)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")


def test_a_service_says_of_itself_what_is_its_own(pairing):
    client, _ = pairing
    assert client.get("/version").json["service"] == "pairing"
    assert client.get("/services/pairing/version").json["service"] == "pairing"
    paths = client.get("/v1/openapi.json").json["paths"]
    assert "/v1/tournaments/{t}/rounds" in paths
    assert "/v1/tournaments/{t}/standings" not in paths


def test_its_numbers_are_there_without_kafka(pairing):
    numbers = pairing[0].get("/metrics").text
    assert re.search(r"^arbiter_outbox_records 0\.0$", numbers, re.MULTILINE)
    assert re.search(r"^arbiter_database_up 1\.0$", numbers, re.MULTILINE)


@pytest.mark.parametrize("missing", ["ARBITER_DATABASE_URL", "ARBITER_KAFKA"])
def test_what_is_missing_is_named(tmp_path, missing):
    said = environment(tmp_path)
    del said[missing]
    with pytest.raises(BadSetting, match=missing):
        settings(said)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ARBITER_SERVICE", "kitchen"),
        ("ARBITER_PARTITIONS", "0"),
        ("ARBITER_REPLICATION", "x"),
        ("ARBITER_WORKERS", "0"),
    ],
)
def test_what_cannot_be_is_named(tmp_path, name, value):
    with pytest.raises(BadSetting, match=name):
        settings(environment(tmp_path, **{name: value}))


def test_the_worker_of_standings_does_not_start_without_the_key_that_signs_which_its_web_processes_need_not(tmp_path):
    app = service(tmp_path, ARBITER_SERVICE="standings")
    try:
        assert app.test_client().get("/healthz").status_code == 200
    finally:
        close(app, 1)
    with pytest.raises(BadSetting, match="arbiter keys"):
        Worker(settings(environment(tmp_path, ARBITER_SERVICE="standings", ARBITER_PORT="0")))


@pytest.mark.parametrize(
    ("said", "protocol"),
    [({}, None), ({"ARBITER_KAFKA_PASSWORD": "x"}, "SASL_PLAINTEXT"), ({"ARBITER_KAFKA_CA": "/ca"}, "SSL"),
     ({"ARBITER_KAFKA_PASSWORD": "x", "ARBITER_KAFKA_CA": "/ca"}, "SASL_SSL")],
)  # fmt: skip
def test_passwords_and_certificates_choose_how_kafka_is_spoken_to(tmp_path, said, protocol):
    made = settings(environment(tmp_path, **said)).distributed
    assert made is not None
    assert made.broker.security.get("security_protocol") == protocol
