"""docker-compose.yml: what it promises of every container, and that this machine reads it as compose does."""

from pathlib import Path

import pytest
import yaml

from deploy.local.compose import BadCompose, read
from deploy.local.paths import LocalService, all_ports
from deploy.local.stack import COMPOSE
from deploy.server.settings import SERVICES, settings

ROOT = Path(__file__).parents[2]
DOCUMENT = yaml.safe_load(COMPOSE.read_text())["services"]
SECRETS = {f"ARBITER_{name}": "secret" for name in ("POSTGRES", *(f"{s.upper()}_DB" for s in SERVICES))}
OURS = [name for name in DOCUMENT if name not in ("postgres",)]
LASTING = [name for name in DOCUMENT if name != "topics"]


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "docker-compose.yml"
    path.write_text(text)
    return path


def test_there_are_a_broker_a_database_four_services_with_workers_and_a_gateway():
    assert set(DOCUMENT) == {
        "kafka", "postgres", "topics", "gateway", *SERVICES, *(f"{service}-worker" for service in SERVICES),
    }  # fmt: skip


@pytest.mark.parametrize("name", OURS)
def test_a_container_may_write_nowhere_and_gain_nothing(name):
    said = DOCUMENT[name]
    assert said["read_only"] is True
    assert said["cap_drop"] == ["ALL"]
    assert said["security_opt"] == ["no-new-privileges:true"]


@pytest.mark.parametrize("name", LASTING)
def test_a_container_tells_its_health_and_has_time_to_end(name):
    assert DOCUMENT[name]["healthcheck"]["test"][0] == "CMD"
    assert int(DOCUMENT[name]["stop_grace_period"].removesuffix("s")) >= 10
    assert DOCUMENT[name]["restart"] == "unless-stopped"


def test_only_the_gateway_listens_outside():
    assert [name for name, said in DOCUMENT.items() if "ports" in said] == ["gateway"]


@pytest.mark.parametrize(("key", "service"), [("/arbiter.key", "standings-worker"), ("/token.key", "pairing")])
def test_one_service_is_given_the_key_that_signs_checkpoints_and_one_that_of_tokens(key, service):
    given = [name for name, said in DOCUMENT.items() if any(key in v for v in said.get("volumes", ()))]
    assert given == [service]


@pytest.mark.parametrize("image", ["deploy/Dockerfile", "deploy/kafka/Dockerfile"])
def test_an_image_runs_as_nobody_in_particular(image):
    users = [line.split()[1] for line in (ROOT / image).read_text().splitlines() if line.startswith("USER ")]
    assert users
    assert int(users[-1]) > 10_000


def test_no_password_stands_in_the_file_and_a_missing_one_is_named():
    with pytest.raises(BadCompose, match="ARBITER_POSTGRES"):
        read(COMPOSE, {})


def test_each_service_has_its_own_database_and_user():
    services = read(COMPOSE, SECRETS)
    for name in SERVICES:
        for one in (name, f"{name}-worker"):
            service = settings(services[one].environment).distributed
            assert service is not None
            assert service.service == name
            assert service.database == f"postgresql+psycopg://{name}:secret@postgres:5432/{name}"
            assert service.broker.security == {}


def test_in_production_each_service_speaks_to_kafka_under_its_own_name():
    said = SECRETS | {"ARBITER_PROFILE": "production", "ARBITER_GAMES_KAFKA": "g"}
    services = read(COMPOSE, said)
    service = settings(services["games-worker"].environment).distributed
    assert service is not None
    assert service.broker.security == {
        "security_protocol": "SASL_PLAINTEXT",
        "sasl_mechanism": "SCRAM-SHA-512",
        "sasl_plain_username": "games",
        "sasl_plain_password": "g",
    }
    assert services["kafka"].environment["KAFKA_PROFILE"] == "production"


def test_services_start_after_what_they_need():
    order = list(read(COMPOSE, SECRETS))
    for name, service in read(COMPOSE, SECRETS).items():
        assert all(order.index(other) < order.index(name) for other in service.needs)
    assert order[-1] == "gateway"


def test_a_circle_is_refused(tmp_path):
    text = """
services:
  a: {command: [a], depends_on: {b: {condition: service_started}}}
  b: {command: [b], depends_on: {a: {condition: service_started}}}
"""
    with pytest.raises(BadCompose, match="a, b"):
        read(written(tmp_path, text), {})


def test_variables_are_filled_in_as_compose_does(tmp_path):
    text = """
services:
  a:
    command: [run, "$$HOME", "${A}", "${B:-usual}", "${C:-}", "x${A}y"]
"""
    service = read(written(tmp_path, text), {"A": "1"})["a"]
    assert service.command == ("run", "$HOME", "1", "usual", "", "x1y")


def test_a_container_s_world_is_moved_to_this_machine(tmp_path):
    text = """
services:
  web:
    command: [serve, --config, /etc/web/web.conf]
    environment: {LISTEN: "0.0.0.0:80", PORT: "80", PEER: "http://db:5432/x", KEYS: /keys, NOT: "webdb:5432 /keysx"}
    expose: ["80"]
    tmpfs: [/tmp]
    volumes: ["./web.conf:/etc/web/web.conf:ro", "./token:/keys/token:ro"]
  db: {command: [db], expose: ["5432"], volumes: ["db:/data"]}
"""
    services = read(written(tmp_path, text), {})
    (tmp_path / "web.conf").write_text("peer db:5432; pid /tmp/pid; listen 0.0.0.0:80;")
    (tmp_path / "token").write_text("t")
    ports = all_ports(services, {"web": {"80": 1080}, "db": {"5432": 1543}})
    local = LocalService(tmp_path, tmp_path / "here", services["web"], ports, {})
    local.settle()
    moved = local.environment()
    assert (moved["LISTEN"], moved["PORT"], moved["PEER"]) == ("127.0.0.1:1080", "1080", "http://127.0.0.1:1543/x")
    assert moved["NOT"] == "webdb:5432 /keysx"
    assert (Path(moved["KEYS"]) / "token").read_text() == "t"
    assert (
        Path(local.command()[2]).read_text()
        == f"peer 127.0.0.1:1543; pid {local.paths['/tmp']}/pid; listen 127.0.0.1:1080;"
    )
